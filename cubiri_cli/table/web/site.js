// Filters the tables by player and seed, and shows only the newest games of the first. Nothing is made of texts here.
"use strict";
(() => {
  const find = (id) => document.getElementById(id);
  const root = document.documentElement;
  const [who, which, count] = ["who", "which", "count"].map(find);
  const rows = [...document.querySelectorAll("tbody tr")].filter((row) => row.querySelector(".who")).map((row) => ({
    row,
    player: (row.dataset.who ?? row.querySelector(".who").textContent).toLowerCase(),
    seed: row.querySelector(".which").textContent.toLowerCase(),
    page: row.querySelector("a").getAttribute("href"),
  }));
  const filter = () => {
    const [player, seed] = [who, which].map((input) => input.value.trim().toLowerCase());
    const isFiltered = player !== "" || seed !== "";
    const pages = new Set();
    for (const one of rows) {
      const isIn = one.player.includes(player) && one.seed.includes(seed);
      one.row.classList.toggle("out", !isIn);
      if (isIn) pages.add(one.page);
    }
    root.classList.toggle("filtered", isFiltered);
    count.textContent = isFiltered ? count.dataset.text.replace("{count}", pages.size) : "";
    for (const part of document.querySelectorAll("details")) {
      if (isFiltered) part.open = part.querySelector("tbody tr:not(.out)") !== null;
    }
    for (const part of document.querySelectorAll("section, details, .wide")) {
      if (part.querySelector(".who")) part.classList.toggle("empty", !part.querySelector("tbody tr:not(.out)"));
    }
  };
  for (const input of [who, which]) input.addEventListener("input", filter);
  find("filters").hidden = false;
  root.classList.add("live");
  filter();
})();
