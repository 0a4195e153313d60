/* What waits on this phone, shown where it will be: on the fighters' rows, their buttons, and the turn. */
import { said } from "./table-sequence.js";
import { heads, tableNow } from "./table-now.js";

const STATES = ["down", "acted", "out"];
const keptWords = new Map(); /* elements whose text was changed, with what the server wrote */

const names = () => Object.fromEntries((document.querySelector("[data-tracker]")?.dataset.words ?? "").split("|").map((pair) => pair.split(":")));

function put(element, text) {
  if (!element) return;
  if (!keptWords.has(element)) keptWords.set(element, element.textContent);
  element.textContent = text;
}

function restore() {
  for (const [element, text] of keptWords) element.textContent = text;
  keptWords.clear();
  for (const added of document.querySelectorAll("[data-added]")) added.remove();
  for (const head of document.querySelectorAll("[data-was]")) {
    [head.dataset.state, head.dataset.in] = head.dataset.was.split(" ");
    delete head.dataset.was;
  }
  for (const button of document.querySelectorAll("[data-turn-was]")) {
    button.value = button.dataset.turnWas;
    delete button.dataset.turnWas;
  }
}

/* "Acted, Down, Blood 2": how a fighter will stand, where that is not as the server has it. */
function wordsOf({ words, marks }) {
  const called = names();
  const figures = Object.entries(marks).map(([kind, count]) => `${called[kind] ?? kind} ${count}`);
  const states = STATES.filter((word) => words.has(word)).map((word) => called[word]);
  return [...states, ...figures].join(", ") || called.ready;
}

function showFighter(head, fighter) {
  const key = head.id.slice(1);
  const { words } = fighter;
  head.dataset.was = `${head.dataset.state} ${head.dataset.in}`;
  head.dataset.state = words.has("out") ? "out" : words.has("away") ? "away" : words.has("down") ? "down" : words.has("acted") ? "acted" : "ready";
  head.dataset.in = words.has("out") ? "out" : words.has("acted") && names().acted ? "acted" : "open";
  const mark = head.querySelector("[data-wait]");
  mark.hidden = false;
  mark.textContent = said("unsent", { what: wordsOf(fighter) });
  const acts = document.querySelector(`#d${key}_down`)?.parentElement;
  if (!acts || words.has("acted") || words.has("out") || acts.querySelector(`[value="acted ${key}"]`)) return;
  const again = document.querySelector("template[data-acted]").content.firstElementChild.cloneNode(true);
  again.value = `acted ${key}`;
  acts.append(again);
}

function showTurn(turn) {
  const head = document.getElementById("t_head");
  const was = head?.dataset.turn;
  if (!was || Number(was) === turn) return;
  put(head.querySelector(".table-turn"), head.querySelector(".table-turn").textContent.replace(was, turn));
  for (const button of document.querySelectorAll(`[name=press]:is([value^="turn ${was}"], [value="played ${was}"])`)) {
    button.dataset.turnWas = button.value;
    button.value = button.value.replace(was, turn);
    put(button.firstChild, button.firstChild.textContent.replace(was, turn));
  }
  const opens = document.querySelector("summary#t_turn");
  if (opens) put(opens.firstChild, opens.firstChild.textContent.replace(was, turn));
}

export function showUnsent(waiting) {
  restore();
  const { fighters, turn } = tableNow(waiting);
  for (const head of heads()) if (fighters.get(head.id.slice(1)).isChanged) showFighter(head, fighters.get(head.id.slice(1)));
  showTurn(turn);
  document.dispatchEvent(new Event("table:shown"));
}
