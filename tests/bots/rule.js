// A bot by a plain rule: node tests/bots/rule.js
const wanted = ["confirm", "bank", "take", "place", "roll", "ruin", "power", "return"];
const rank = (action) => wanted.indexOf(action.split(" ")[0]) - action.length / 100;

require("readline")
  .createInterface({ input: process.stdin })
  .on("line", (question) => {
    const { legal } = JSON.parse(question);
    console.log(legal.reduce((best, action) => (rank(action) < rank(best) ? action : best)));
  });
