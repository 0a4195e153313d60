/* The throws of what is done without a line, one after the other: what is needed, result buttons, own dice, and dice of the phone. */
import { kept as counted, rowFor } from "./reckon.js";
import { shares } from "./table-odds.js";

let now = null; /* what is in hand: `run` yields throws, `labelsOf` names their rows, `onDone` is told how it was rolled */

export const form = () => document.getElementById("t_roll");
export const part = (name) => form().querySelector(`[data-${name}]`);
export const words = (name) => part("words").dataset[name].split("|");
export const fill = (text, values) => text.replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);
export const nameOf = (key) => document.querySelector(`#f${CSS.escape(key)} .table-name`).textContent;

export function open(title) {
  const place = form();
  place.replaceChildren(document.querySelector("template[data-away]").content.cloneNode(true));
  place.className = "parts table-roll";
  place.method = "post";
  place.action = document.querySelector("[data-tracker]").dataset.tracker;
  for (const name of ["here", "queued", "away"]) place.dataset[name] = "";
  place.hidden = false;
  part("title").textContent = title;
}

export function chip(type, name, value, text, checked) {
  const label = Object.assign(document.createElement("label"), { className: "chip" });
  const input = Object.assign(document.createElement("input"), { type, name, value, checked, id: `t_away_${name}_${value}` });
  label.append(input, Object.assign(document.createElement("span"), { textContent: text }));
  return label;
}

export function choice(name, text, options) {
  const field = Object.assign(document.createElement("div"), { className: "field" });
  const label = Object.assign(document.createElement("label"), { textContent: text, htmlFor: `t_away_${name}` });
  const select = Object.assign(document.createElement("select"), { name, id: `t_away_${name}` });
  for (const [value, told] of options) select.append(new Option(told, value));
  field.append(label, select);
  return field;
}

export function figure(name, text, least, most) {
  const counts = Array.from({ length: most - least + 1 }, (_, place) => least + place);
  const field = choice(name, text, counts.map((count) => [count, String(count).replace("-", "−")]));
  field.querySelector("select").value = 0;
  return field;
}

/* The totals of the rows from `row` to `last`. */
function span(cuts, row, last) {
  if (last === cuts.length) return fill(words("from")[0], { least: cuts[row - 1] });
  return row ? `${cuts[row - 1]}–${cuts[last] - 1}` : fill(words("up")[0], { most: cuts[last] - 1 });
}

/* Whether the dice can come to these rows at all. */
const reached = (asked, row, last) =>
  (row ? asked.cuts[row - 1] : asked.base) <= (last < asked.cuts.length ? asked.cuts[last] - 1 : 6 * asked.base);

/* The last of the rows that come to the same as this one: those after it have no label of their own. */
const lastOf = (labels, row) => labels.findIndex((label, place) => place >= row && (place === labels.length - 1 || labels[place + 1] !== ""));

/* What a row comes to, in words: those of the row before it where it has none. */
const labelOf = (labels, cuts, row) => (cuts.length + 1 === labels.length ? labels.slice(0, row + 1).findLast(Boolean) : "");

function show(step) {
  now.step = step;
  if (step.done) return;
  const asked = step.value;
  const labels = now.labelsOf(asked);
  const counts = asked.more ? `, ${fill(words("counts")[asked.more > 0 ? 0 : 1], { count: asked.base })}` : "";
  part("need").textContent = `${now.needOf(asked)}${counts}`;
  const chances = shares(asked);
  part("results").replaceChildren(...[...labels.keys()].filter((row) => labels[row] && reached(asked, row, lastOf(labels, row))).map((row) => {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "button button-table" });
    const last = lastOf(labels, row);
    const chance = chances?.slice(row, last + 1).reduce((sum, each) => sum + each, 0);
    const share = chances ? `, ${Math.round(chance * 100)} %` : "";
    button.append(labels[row], Object.assign(document.createElement("small"), { textContent: `${span(asked.cuts, row, last)}${share}` }));
    button.dataset.row = row;
    return button;
  }));
  const { policy } = document.querySelector("template[data-away]").dataset;
  part("results").parentElement.hidden = policy === "app" || !now.plain || asked.cuts.length + 1 !== labels.length || now.thrown.length > 0;
  part("own").hidden = policy === "app" || now.rows.length > 0;
  part("roll").hidden = policy === "typed" || now.rows.length > 0 || now.thrown.length > 0;
}

/* Start anew, from the first throw. `what` holds `run`, `plain`, `needOf`, `labelsOf` and `onDone`. */
export function begin(what) {
  now = { ...what, rows: [], thrown: [] };
  show(now.run.next());
  part("roll").textContent = words("rolls")[now.step.done ? 1 : 0];
  if (!now.step.done) return;
  part("need").textContent = words("rolls")[2];
  part("results").parentElement.hidden = part("own").hidden = true;
  part("roll").hidden = false;
}

function goOn(told) {
  const asked = now.step.value;
  if (told.faces) now.thrown.push({ need: now.needOf(asked), result: labelOf(now.labelsOf(asked), asked.cuts, rowFor(asked, told.faces)), asked, faces: told.faces });
  else now.rows.push(told.row);
  show(now.run.next(told));
}

/* The dice as the page shows those of the newest act. */
function showDice() {
  const place = document.getElementById("t_thrown");
  place.replaceChildren(...now.thrown.map(({ need, result, asked, faces }) => {
    const box = document.createElement("div");
    const row = Object.assign(document.createElement("p"), { className: "thrown" });
    const left = counted(asked, faces);
    const total = left.reduce((sum, face) => sum + face, 0);
    for (const face of faces) {
      const mark = Object.assign(document.createElement("span"), { className: "face", textContent: face });
      if (left.includes(face)) left.splice(left.indexOf(face), 1);
      else mark.dataset.dropped = "";
      row.append(mark);
    }
    row.append(Object.assign(document.createElement("b"), { textContent: total }));
    box.append(Object.assign(document.createElement("p"), { className: "say", textContent: [need, result].filter(Boolean).join(": ") }), row);
    return box;
  }));
}

/* Every throw has fallen: how it was rolled, and what is sent of it. */
function finish(source) {
  showDice();
  const { step, rows, thrown, onDone } = now;
  now = null;
  const rolled = source === "told" ? { result: rows.join(",") } : { kept: thrown.flatMap(({ faces }) => faces).join(",") };
  onDone(step.value, { source, ...rolled });
}

/* The press is queued as a form of hidden fields: `does` tells what it does to the table. */
export function send(fields, does, label) {
  const place = form();
  place.does = does;
  for (const field of place.querySelectorAll("[name]")) field.removeAttribute("name");
  for (const [name, value] of Object.entries(fields)) place.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
  const button = Object.assign(document.createElement("button"), { hidden: true });
  button.setAttribute("aria-label", label);
  place.append(button);
  place.requestSubmit(button);
}

function roll() {
  while (!now.step.done) goOn({ faces: Array.from(crypto.getRandomValues(new Uint32Array(now.step.value.dice)), (number) => (number % 6) + 1) });
  finish(now.thrown.length || document.querySelector("template[data-away]").dataset.policy !== "typed" ? "device" : "typed");
}

function enter() {
  const field = form().querySelector("#t_away_faces");
  const faces = (field.value.match(/[1-6]/g) ?? []).map(Number);
  field.value = "";
  if (faces.length !== now.step.value.dice) {
    part("need").textContent = fill(words("wrong")[0], { dice: now.step.value.dice });
    return field.focus();
  }
  goOn({ faces });
  if (now.step.done) finish("typed");
  else field.focus();
}

document.addEventListener("click", ({ target }) => {
  if (!now || !target.closest("#t_roll[data-away]")) return;
  const row = target.closest("[data-row]");
  if (row) {
    goOn({ row: Number(row.dataset.row) });
    if (now.step.done) finish("told");
  } else if (target.closest("[data-roll]")) roll();
  else if (target.closest("[data-faces]")) enter();
});
