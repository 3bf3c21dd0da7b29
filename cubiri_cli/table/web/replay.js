// Shows the states of the list one at a time. Nothing is made of texts here: elements are shown, hidden and copied.
"use strict";
(() => {
  const find = (id) => document.getElementById(id);
  const states = [...find("states").children];
  const [play, at, turn, said, speed] = ["play", "at", "turn", "said", "speed"].map(find);
  const SLOWEST = 0.125, FASTEST = 16;
  let now = 0, factor = 1, timer = 0, highest = 0;

  // What a state shares with the one before is written once: data-of names each part by its number there, - is a new one.
  const complete = (box, before) => {
    if (box.dataset.of === undefined) return;
    const fresh = [...box.children];
    const parts = box.dataset.of.split(" ").filter((part) => part !== "");
    box.replaceChildren(...parts.map((part) => part === "-" ? fresh.shift() : before.children[part].cloneNode(true)));
  };
  states.forEach((state, index) => {
    for (const name of index ? [".scene", ".words"] : []) {
      complete(state.querySelector(name), states[index - 1].querySelector(name));
    }
  });

  const turnOf = (index) => Number(states[index].dataset.turn);
  const firstOf = (wanted) => states.findIndex((state) => Number(state.dataset.turn) >= wanted);

  const show = (index, isTold = true) => {
    states[now].classList.remove("on");
    now = Math.max(0, Math.min(index, states.length - 1));
    const state = states[now];
    state.classList.add("on");
    at.value = now;
    at.setAttribute("aria-valuetext", state.querySelector("h3").textContent);
    turn.value = turnOf(now);
    if (isTold) {
      const parts = [...state.querySelectorAll("h3, .news p")];
      said.textContent = parts.map((part) => part.textContent.trim()).join(". ");
    }
    highest = Math.max(highest, state.offsetHeight);
    find("states").style.minHeight = highest + "px";  // so that what stands below does not jump
  };

  const pause = () => {
    clearTimeout(timer);
    timer = 0;
    play.textContent = play.dataset.play;
  };
  const wait = () => {
    timer = setTimeout(() => {
      show(now + 1);
      if (now < states.length - 1) wait();
      else pause();
    }, 1000 * Number(states[now].dataset.seconds) / factor);
  };
  const go = (index) => {
    pause();
    show(index);
    try {
      history.replaceState(null, "", "#" + states[now].id);
    } catch {
      // a page inside another has no address of its own
    }
  };
  const toggle = () => {
    if (timer) return pause();
    if (now === states.length - 1) show(0);
    play.textContent = play.dataset.pause;
    if (states.length > 1) wait();
    else pause();
  };
  const change = (by) => {
    factor = Math.max(SLOWEST, Math.min(FASTEST, factor * by));
    speed.textContent = "×" + factor;
    if (timer) {
      clearTimeout(timer);
      wait();
    }
  };
  const turnBack = () => {
    const first = firstOf(turnOf(now));
    go(now > first ? first : firstOf(turnOf(Math.max(0, first - 1))));
  };
  const turnForward = () => {
    const next = firstOf(turnOf(now) + 1);
    go(next < 0 ? states.length - 1 : next);
  };

  const actions = {
    first: () => go(0), turnback: turnBack, back: () => go(now - 1), play: toggle,
    forward: () => go(now + 1), turnforward: turnForward, last: () => go(states.length - 1),
    slower: () => change(1 / 2), faster: () => change(2),
  };
  for (const [id, act] of Object.entries(actions)) find(id).addEventListener("click", act);
  at.addEventListener("input", () => go(Number(at.value)));
  turn.addEventListener("change", () => go(turn.value === "" ? now : Math.max(0, firstOf(Number(turn.value)))));

  const keys = {
    " ": "play", ArrowRight: "forward", n: "forward", ArrowLeft: "back", p: "back",
    Home: "first", End: "last", "+": "faster", "=": "faster", "-": "slower", "−": "slower", _: "slower",
  };
  const isTyping = (element) => element.closest("input, select, textarea, pre") !== null;
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Escape" && event.target === turn) return turn.blur();
    if (isTyping(event.target)) return;
    if (event.key === " " && event.target.closest("button, summary, a")) return;
    if (event.key === "g" || event.key === "t") {
      turn.focus();
      turn.select();
    } else if (event.key === "?") {
      find("keys").open = !find("keys").open;
    } else if (event.shiftKey && event.key === "ArrowRight") {
      turnForward();
    } else if (event.shiftKey && event.key === "ArrowLeft") {
      turnBack();
    } else if (Object.hasOwn(keys, event.key)) {
      actions[keys[event.key]]();
    } else {
      return;
    }
    event.preventDefault();
  });
  const follow = () => {
    const index = states.findIndex((state) => "#" + state.id === location.hash);
    if (index < 0) return false;
    pause();
    show(index);
    return true;
  };
  addEventListener("hashchange", follow);
  addEventListener("resize", () => {
    highest = 0;
    show(now, false);
  });

  document.documentElement.classList.add("moving");
  find("controls").hidden = false;
  pause();
  if (!follow()) show(0, false);
})();
