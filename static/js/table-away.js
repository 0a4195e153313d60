/* An attack without a line: its form is filled from the rows that came beside the page, and what the dice do is kept until it can be sent. */
import { attack, effects, goesOn, kept as counted, moreDice, pairOf, rowFor } from "./reckon.js";
import { rowsHere } from "./table-book.js";
import { tableNow, wordsFor } from "./table-now.js";
import { shares } from "./table-odds.js";
import { tracker } from "./table-pieces.js";
import { kept, line } from "./table-waiting.js";
import { freshToken } from "./unsent.js";

let book = null;
let now = null; /* the attack in hand */

const form = () => document.getElementById("t_roll");
const part = (name) => form().querySelector(`[data-${name}]`);
const words = (name) => part("words").dataset[name].split("|");
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);
const nameOf = (key) => document.querySelector(`#f${CSS.escape(key)} .table-name`).textContent;
const rowKey = (key) => (key in book.targets || key in book.fighters ? key : key.split("-")[0]);
const isAway = () => !navigator.onLine || tracker()?.dataset.noLine !== undefined;
const lists = () => {
  const { fighters, turn } = tableNow([...kept(), ...line]);
  return { fighters, turn };
};

function chip(type, name, value, text, checked) {
  const label = Object.assign(document.createElement("label"), { className: "chip" });
  const input = Object.assign(document.createElement("input"), { type, name, value, checked, id: `t_away_${name}_${value}` });
  const words = Object.assign(document.createElement("span"), { textContent: text });
  label.append(input, words);
  return label;
}

function figure(name, text, least, most) {
  const field = Object.assign(document.createElement("div"), { className: "field" });
  const label = Object.assign(document.createElement("label"), { textContent: text, htmlFor: `t_away_${name}` });
  const select = Object.assign(document.createElement("select"), { name, id: `t_away_${name}` });
  for (let count = least; count <= most; count += 1) select.append(new Option(String(count).replace("-", "−"), count, count === 0, count === 0));
  field.append(label, select);
  return field;
}

/* What the form says: figures by name, and the words that hold. */
function answers() {
  const [figures, held] = [{}, new Set()];
  for (const field of form().querySelectorAll("[data-switches] input:checked, [data-figures] select")) {
    const count = Number(field.value);
    if (!count) continue;
    figures[field.name] = count;
    held.add(book.words.includes(`${field.name}=${count}`) ? `${field.name}=${count}` : field.name);
  }
  return { figures, held };
}

function targets() {
  const { fighters } = lists();
  return Object.keys(book.targets).flatMap((key) => [...fighters.keys()].filter((each) => rowKey(each) === key)).filter((key) => {
    const held = fighters.get(key).words;
    return !held.has("out") && !held.has("away") && pairOf(book, rowKey(now.fighter), now.arm, rowKey(key));
  });
}

/* The questions of one weapon at one target; what was answered stays where it is asked again. */
function ask() {
  const pair = pairOf(book, rowKey(now.fighter), now.arm, rowKey(now.target));
  const [offered, spent, plain, costs] = book.offers[pair[0]];
  const { fighters } = lists();
  const before = answers().figures;
  const marks = { a: fighters.get(now.fighter).marks, t: fighters.get(now.target).marks };
  const lying = book.spend[2][2].reduce((sum, kind) => sum + (marks.t[kind] ?? 0), 0);
  const cost = costs[fighters.get(now.target).words.has("down") ? 1 : 0];
  const switches = offered.filter(([word]) => book.words[word] !== "bloodbath" || lying >= cost);
  part("switches").replaceChildren(...switches.filter(([, most]) => most === 1).map(([word]) => {
    const name = book.words[word];
    return chip("checkbox", name, 1, book.labels[name], Boolean(before[name]));
  }));
  const fields = switches.filter(([, most]) => most > 1).map(([word, most]) => figure(book.words[word], book.labels[book.words[word]], 0, most));
  const told = words("spent");
  for (const [place, [name, whose, kinds]] of book.spend.entries()) {
    const most = Math.min(spent[place], kinds.reduce((sum, kind) => sum + (marks[whose][kind] ?? 0), 0));
    if (most) fields.push(figure(name, told[place], 0, most));
  }
  fields.push(figure("dice", told[4], -6, 6), figure("injury_dice", told[5], -6, 6));
  part("figures").replaceChildren(...fields);
  part("switches").parentElement.hidden = !switches.length;
  now.plain = plain;
  begin();
}

/* Start the attack anew: from its first throw. */
function begin() {
  const pair = pairOf(book, rowKey(now.fighter), now.arm, rowKey(now.target));
  const { fighters, turn } = lists();
  const { figures, held } = answers();
  const head = document.getElementById("t_head").dataset;
  const isShaken = (head.shaken ?? "").split(" ").includes(now.side) && Number(head.turn) === turn;
  const [own, theirs] = [fighters.get(now.fighter), fighters.get(now.target)];
  const all = [...wordsFor("a", own, isShaken), ...wordsFor("t", theirs), ...held, ...(now.allHit ? ["hit"] : [])];
  Object.assign(now, { pair, turn, figures, of: { a: own.marks, t: theirs.marks }, rows: [], thrown: [] });
  const said = (key, { words: known }) => `${key}:${[...known].join("+")}`;
  now.saw = [said(now.fighter, own), said(now.target, theirs)].join(",");
  now.run = attack(book, pair, now.place, new Set(all), moreDice(book, figures));
  show(now.run.next());
}

function span(cuts, row) {
  if (!row) return fill(words("up")[0], { most: cuts[0] - 1 });
  return row === cuts.length ? fill(words("from")[0], { least: cuts.at(-1) }) : `${cuts[row - 1]}–${cuts[row] - 1}`;
}

function show(step) {
  now.step = step;
  if (step.done) return;
  const asked = step.value;
  const isHit = asked.part === 0;
  const labels = words(isHit ? "hit" : "injury");
  const counts = asked.more ? `, ${fill(words("counts")[asked.more > 0 ? 0 : 1], { count: asked.base })}` : "";
  part("need").textContent = `${fill(words("dice")[asked.part], { dice: asked.dice })}${counts}`;
  const chances = shares(asked);
  const reached = (row) => (row ? asked.cuts[row - 1] : asked.base) <= (row < asked.cuts.length ? asked.cuts[row] - 1 : 6 * asked.base);
  part("results").replaceChildren(...[...labels.keys()].filter(reached).map((row) => {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "button button-table" });
    const share = chances ? `, ${Math.round(chances[row] * 100)} %` : "";
    button.append(labels[row], Object.assign(document.createElement("small"), { textContent: `${span(asked.cuts, row)}${share}` }));
    button.dataset.row = row;
    return button;
  }));
  const { policy } = document.querySelector("template[data-away]").dataset;
  part("results").parentElement.hidden = policy === "app" || !now.plain || asked.cuts.length + 1 !== labels.length || now.thrown.length > 0;
  part("own").hidden = policy === "app" || now.rows.length > 0;
  part("roll").hidden = policy === "typed" || now.rows.length > 0 || now.thrown.length > 0;
}

function goOn(told) {
  const asked = now.step.value;
  if (told.faces) now.thrown.push({ asked, faces: told.faces });
  else now.rows.push(told.row);
  show(now.run.next(told));
}

/* The dice as the page shows those of the newest act. */
function showDice() {
  const place = document.getElementById("t_thrown");
  if (!now.thrown.length) return place.replaceChildren();
  place.replaceChildren(...now.thrown.map(({ asked, faces }) => {
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
    const result = words(asked.part === 0 ? "hit" : "injury")[rowFor(asked, faces)] ?? "";
    box.append(Object.assign(document.createElement("p"), { className: "say", textContent: `${fill(words("dice")[asked.part], { dice: asked.dice })}: ${result}` }), row);
    return box;
  }));
}

/* Every throw has fallen: the press is kept as what it was, with what it does. */
function send(source) {
  const ending = now.step.value;
  const { attacker, target } = effects(book, ending, now.of, now.figures);
  const more = goesOn(book, now.pair, now.place, ending) && !target.out;
  const isLast = !more && (ending.ends || form().querySelector("#t_away_last").checked);
  const only = (what) => Object.fromEntries(Object.entries(what).filter(([, value]) => value !== false));
  form().does = { who: { [now.fighter]: { ...only(attacker), ...(isLast ? { acted: true } : { acted: undefined }) }, [now.target]: only(target) } };
  if (!isLast) delete form().does.who[now.fighter].acted;
  const fields = {
    token: freshToken(document.querySelector("#table_form [name=token]").value), press: "roll", roll: "attack", fighter: now.fighter, arm: now.arm,
    target: now.target, ...now.figures, saw: now.saw, source, away: more ? "" : "1", last: isLast ? "1" : "",
    ...(source === "told" ? { result: now.rows.join(",") } : { kept: now.thrown.flatMap(({ faces }) => faces).join(",") }),
  };
  showDice();
  for (const field of form().querySelectorAll("[name]")) field.removeAttribute("name");
  for (const [name, value] of Object.entries(fields)) form().append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
  const button = Object.assign(document.createElement("button"), { hidden: true });
  button.setAttribute("aria-label", `${now.title}: ${nameOf(now.target)}`);
  form().append(button);
  const next = more && { ...now, place: now.place + 1, allHit: (now.place === 0 || now.allHit) && !ending.missed };
  form().requestSubmit(button);
  if (next) open(next);
}

function roll() {
  while (!now.step.done) goOn({ faces: Array.from(crypto.getRandomValues(new Uint32Array(now.step.value.dice)), (number) => (number % 6) + 1) });
  send("device");
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
  if (now.step.done) send("typed");
  else field.focus();
}

function open(what) {
  now = what;
  const [choices, place] = [targets(), form()];
  if (!choices.length) return false;
  now.target = choices.includes(now.target) ? now.target : choices[0];
  place.replaceChildren(document.querySelector("template[data-away]").content.cloneNode(true));
  place.className = "parts table-roll";
  place.method = "post";
  place.action = tracker().dataset.tracker;
  for (const [name, value] of Object.entries({ here: "", queued: "", away: "" })) place.dataset[name] = value;
  place.hidden = false;
  part("title").textContent = now.title;
  part("targets").replaceChildren(...choices.map((key) => chip("radio", "target", key, nameOf(key), key === now.target)));
  ask();
  part("title").focus();
  return true;
}

/* Shoot or Fight while the line is down. */
function onAttack(event) {
  const link = event.target.closest?.("a[href*='roll=attack']");
  const rows = rowsHere();
  if (!link || !rows || !isAway()) return;
  book = rows;
  const asked = new URL(link.href).searchParams;
  const [fighter, arm] = [asked.get("fighter"), asked.get("arm")];
  if (!(rowKey(fighter) in book.fighters)) return;
  const title = `${nameOf(fighter)}, ${link.closest(".arm")?.querySelector("b").textContent ?? arm}`;
  const side = link.closest("[data-pane]").dataset.pane;
  if (!open({ fighter, arm, title, side, place: 0, allHit: false, target: now?.target })) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

document.addEventListener("click", onAttack, { capture: true });
document.addEventListener("click", ({ target }) => {
  if (!now || !target.closest("#t_roll[data-away]")) return;
  const row = target.closest("[data-row]");
  if (row) {
    goOn({ row: Number(row.dataset.row) });
    if (now.step.done) send("told");
  } else if (target.closest("[data-roll]")) roll();
  else if (target.closest("[data-faces]")) enter();
});
document.addEventListener("change", ({ target }) => {
  if (!now || !target.closest("#t_roll[data-away]") || target.closest("[data-own], [data-closing]")) return;
  if (target.name !== "target") return begin();
  now.target = target.value;
  ask();
});
