/* Morale without a line: where so many of a side are Down or out that it tests, the page says so, and the test is rolled or told. */
import { isMoraleDue, morale, moraleWords } from "./reckon.js";
import { rowsHere } from "./table-book.js";
import { tableNow } from "./table-now.js";
import { tracker } from "./table-pieces.js";
import { begin, chip, figure, fill, form, open, part, send, words } from "./table-throws.js";
import { kept, line } from "./table-waiting.js";
import { freshToken } from "./unsent.js";

let now = null; /* the side whose morale is tested */

const isAway = () => !navigator.onLine || tracker()?.dataset.noLine !== undefined;
const told = (name) => document.querySelector("template[data-away]").content.querySelector("[data-words]").dataset[name].split("|");
const nameOf = (key) => document.querySelector(`.tracker [data-pane="${CSS.escape(key)}"]`)?.getAttribute("aria-label") ?? "";

/* How a side stands: of how many are so many Down or out, and whether that asks for a test. */
function standing(book, state, key) {
  const own = [...state.fighters].filter(([id, { words: held }]) => document.getElementById(`f${id}`)?.closest(`[data-pane="${CSS.escape(key)}"]`) && !held.has("away"));
  const fallen = own.filter(([, { words: held }]) => held.has("down") || held.has("out")).length;
  const side = state.sides.get(key);
  return { key, own, fallen, side, isDue: isMoraleDue(book, own.length, fallen, side, state.turn) };
}

/* The test as it is asked for now: words of the side, of the scenario, and of what the form says. */
function start() {
  const { book, key } = now;
  const state = tableNow([...kept(), ...line]);
  const { own, side } = standing(book, state, key);
  const figures = Object.fromEntries([...form().querySelectorAll("[data-switches] input:checked, [data-figures] select")].map(({ name, value }) => [name, Number(value)]).filter(([, count]) => count));
  const leads = own.some(([, { words: held }]) => held.has("leader") && !held.has("out"));
  const held = moraleWords(side, state.turn, state.rule, leads, Object.keys(figures));
  Object.assign(now, { figures, saw: own.map(([id, { words: each }]) => `${id}:${[...each].join("+")}`).join(",") });
  const outcomes = Object.fromEntries(told("outcomes").map((pair) => pair.split(":")));
  begin({
    run: throwsOf(held), plain: true, onDone,
    needOf: ({ dice }) => fill(told("morale")[0], { dice }),
    labelsOf: (asked) => asked.then.map((at, row) => (row && asked.then[row - 1] === at ? "" : outcomes[book.endings[-1 - at].is])),
  });
}

function* throwsOf(held) {
  return yield* morale(now.book, held, now.figures.dice ?? 0);
}

/* A told outcome is the press of its own button; dice are sent as a roll. */
function onDone(ending, rolled) {
  const { key, figures, saw } = now;
  const token = freshToken(document.querySelector("#table_form [name=token]").value);
  const fields = rolled.source === "told" ? { token, press: `morale ${key} ${ending.is}` } : { token, press: "roll", roll: "morale", side: key, ...figures, saw, ...rolled };
  now = null;
  send(fields, { morale: { [key]: ending.is } }, `${told("test")[0]}: ${nameOf(key)}`);
}

function openTest(key) {
  const book = rowsHere();
  now = { book, key };
  open(`${told("test")[0]}: ${nameOf(key)}`);
  form().dataset.morale = "";
  for (const name of ["targets", "caught"]) part(name).parentElement.hidden = true;
  part("closing").hidden = true;
  part("switches").replaceChildren(...book.morale.asks.map((name) => chip("checkbox", name, 1, book.labels[name], false)));
  part("figures").replaceChildren(figure("dice", told("dice_more")[0], -6, 6));
  start();
  part("title").focus();
}

function notice(found) {
  const box = Object.assign(document.createElement("div"), { className: "notice table-ask" });
  const body = Object.assign(document.createElement("div"), { className: "notice-body" });
  const button = Object.assign(document.createElement("button"), { type: "button", className: "button button-table", textContent: told("test")[0] });
  Object.assign(box.dataset, { kind: "problem", added: "" });
  button.dataset.morale = found.key;
  const text = fill(told("due")[0], { side: nameOf(found.key), fallen: found.fallen, count: found.own.length });
  body.append(Object.assign(document.createElement("p"), { textContent: text }), button);
  box.append(body);
  return box;
}

/* While the line is down, the page's own notices of morale give way to those of this phone, which knows what waits here. */
function showDue() {
  const [book, place] = [rowsHere(), document.getElementById("t_asks")];
  if (!place) return;
  for (const old of place.querySelectorAll("[data-added]")) old.remove();
  const isMine = Boolean(book?.morale) && isAway();
  for (const theirs of place.querySelectorAll("[data-tests]")) theirs.hidden = isMine;
  if (!isMine) return;
  const state = tableNow([...kept(), ...line]);
  for (const key of state.sides.keys()) {
    const found = standing(book, state, key);
    if (found.isDue) place.append(notice(found));
  }
}

document.addEventListener("click", ({ target }) => {
  const key = target.closest?.("button[data-morale]")?.dataset.morale;
  if (key) openTest(key);
});
document.addEventListener("change", ({ target }) => now && target.closest("#t_roll[data-morale]") && !target.closest("[data-own]") && start());
for (const news of ["table:shown", "line"]) document.addEventListener(news, showDue);
