/* How the table stands with what waits on this phone: each fighter's words and markers, and the turn. */
import { pressOf } from "./table-sequence.js";

/* What a press does, as far as it can be told without the server: to fighters by key, or to the turn. An attack brings it along. */
function doesOf(act) {
  if (act.does) return act.does;
  const [kind, key, one, two] = pressOf(act).split(" ");
  const found = {
    acted: { acted: true }, down: { down: one !== "0" }, out: { out: true }, back: { out: false }, there: { away: one === "0" },
    marker: { marks: { [one]: Number(two) } },
  }[kind];
  if (kind === "morale") return { morale: { [key]: one } };
  if (kind === "turn" || kind === "played") return { turn: Number(key) + 1 };
  return found ? { who: { [key]: found } } : {};
}

function read(words) {
  const found = { words: new Set(), marks: {} };
  for (const word of words.split(" ").filter(Boolean)) {
    const [kind, count] = word.split("=");
    if (count) found.marks[kind] = Number(count);
    else found.words.add(word);
  }
  return found;
}

const asText = ({ words, marks }) => JSON.stringify([[...words].sort(), Object.entries(marks).filter(([, count]) => count).sort()]);

function change(fighter, { marks = {}, facts = [], ...flags }) {
  fighter.was ??= asText(fighter);
  for (const [kind, count] of Object.entries(marks)) fighter.marks[kind] = Math.max(0, (fighter.marks[kind] ?? 0) + count);
  for (const [word, holds] of Object.entries(flags)) fighter.words[holds ? "add" : "delete"](word);
  for (const fact of facts) fighter.words.add(fact);
  if (flags.out) {
    fighter.words.delete("down");
    fighter.marks = {};
  }
}

export const heads = () => [...document.querySelectorAll(".tracker [data-now]")];

/* The sides whose morale this phone tests, as the page tells them: the last turn of a test, until which turn its failures count (−1: always),
   and in which turn it is Shaken. */
function readSides() {
  const [rule = "", lasts = "0", told = ""] = (document.getElementById("t_head")?.dataset.morale ?? "").split("|");
  const sides = told.split(" ").filter(Boolean).map((each) => each.split("=")).map(([key, figures]) => {
    const [tested, failed, shaken] = figures.split("/").map(Number);
    return [key, { tested, failed, shaken, fled: false }];
  });
  return { rule, lasts: Number(lasts), sides: new Map(sides) };
}

function tested(side, outcome, turn, lasts) {
  side.tested = turn;
  if (outcome === "holds") return;
  side.failed = lasts ? turn + lasts : -1;
  if (outcome === "shaken") side.shaken = turn + 1;
  side.fled = outcome === "flees";
}

export function tableNow(waiting) {
  const fighters = new Map(heads().map((head) => [head.id.slice(1), read(head.dataset.now)]));
  let turn = Number(document.getElementById("t_head")?.dataset.turn ?? 0);
  const { rule, lasts, sides } = readSides();
  for (const act of waiting) {
    const does = doesOf(act);
    for (const [key, outcome] of Object.entries(does.morale ?? {})) if (sides.has(key)) tested(sides.get(key), outcome, turn, lasts);
    for (const [key, what] of Object.entries(does.who ?? {})) if (fighters.has(key)) change(fighters.get(key), what);
    if (!does.turn || does.turn <= turn) continue;
    turn = does.turn;
    for (const fighter of fighters.values()) change(fighter, { acted: false });
  }
  for (const fighter of fighters.values()) fighter.isChanged = fighter.was !== undefined && fighter.was !== asText(fighter);
  const shaken = new Set([...sides].filter(([, side]) => side.shaken === turn).map(([key]) => key));
  return { fighters, turn, sides, shaken, rule };
}

/* The words by which rows are chosen: of who attacks ("a") or is attacked ("t"). */
export function wordsFor(whose, { words, marks }, isShaken = false) {
  const found = [...words, ...(words.has("acted") ? [] : ["ready"]), ...(isShaken ? ["shaken"] : [])];
  for (const [kind, count] of Object.entries(marks)) if (count) found.push(kind, `${kind}=${count}`);
  return found.map((word) => `${whose}:${word}`);
}
