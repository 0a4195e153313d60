/* An attack without a line: its form is filled from the rows that came beside the page, and what the dice do is kept until it can be sent. */
import { around, atFriend, attack, caught, effects, following, intoMelee, mixedPair, moreDice, mostSpent, pairOf, restOf, withoutClosed } from "./reckon.js";
import { rowsHere } from "./table-book.js";
import { tableNow, wordsFor } from "./table-now.js";
import { tracker } from "./table-pieces.js";
import { begin, chip, choice, figure, fill, form, nameOf, open, part, send, words } from "./table-throws.js";
import { kept, line } from "./table-waiting.js";
import { freshToken } from "./unsent.js";

let book = null;
let now = null; /* the attack in hand */

const rowKey = (key) => (key in book.targets || key in book.fighters ? key : key.split("-")[0]);
const isAway = () => !navigator.onLine || tracker()?.dataset.noLine !== undefined;
const table = () => tableNow([...kept(), ...line]);
const pair = () => pairOf(book, rowKey(now.fighter), now.arm, rowKey(now.target));

const heldBy = (figures) => Object.entries(figures).map(([name, count]) => (book.words.includes(`${name}=${count}`) ? `${name}=${count}` : name));

/* What the form says: figures by name, the words that hold, whom a blast catches, and the friend in the melee. */
function answers() {
  const [given, others] = [{}, []];
  for (const field of form().querySelectorAll("[data-switches] input:checked, [data-figures] select")) if (Number(field.value)) given[field.name] = Number(field.value);
  for (const field of form().querySelectorAll("[data-caught] input:checked")) others.push(field.value);
  const figures = withoutClosed(book, given);
  const friend = figures.at_point ? "" : form().querySelector("[data-mixed] select")?.value ?? "";
  return { figures, held: heldBy(figures), others, friend };
}

const stands = ({ words: held }) => !held.has("out") && !held.has("away");

function targets() {
  const { fighters } = table();
  const keys = Object.keys(book.targets).flatMap((key) => [...fighters.keys()].filter((each) => rowKey(each) === key));
  return keys.filter((key) => stands(fighters.get(key)) && pairOf(book, rowKey(now.fighter), now.arm, rowKey(key)) && [key, ""].includes(now.bound));
}

/* Whom the weapon may strike besides: those who stand, on either side. */
function askCaught(catches) {
  const { fighters } = table();
  const lines = around(book, rowKey(now.fighter), now.arm);
  const keys = [...fighters.keys()].filter((key) => key !== now.target && rowKey(key) in lines && stands(fighters.get(key)));
  const place = part("caught");
  place.parentElement.hidden = !catches || !keys.length;
  if (place.parentElement.hidden) return place.replaceChildren();
  place.previousElementSibling.textContent = words("catches")[catches === "blast" ? 0 : 1];
  place.replaceChildren(...keys.map((key) => chip("checkbox", "caught", key, nameOf(key), false)));
}

/* The friend beside whom the target fights: a shot into a melee may find that friend. */
function askMixed(isAsked) {
  const { fighters } = table();
  const keys = [...fighters.keys()].filter((key) => key !== now.fighter && stands(fighters.get(key)) && mixedPair(book, rowKey(now.fighter), now.arm, rowKey(key)));
  const place = part("mixed");
  place.hidden = !isAsked || !keys.length;
  const [field] = place.hidden ? [] : [choice("friend", words("melee")[0], [["", words("melee")[1]], ...keys.map((key) => [key, fill(words("melee")[2], { mate: nameOf(key) })])])];
  place.replaceChildren(...(field ? [field] : []));
}

/* The questions of one weapon at one target; what was answered stays where it is asked again. */
function ask() {
  const [offered, spent, plain, costs, catches, , , isMixed] = book.offers[pair()[0]];
  const { fighters } = table();
  const before = { ...now.held, ...answers().figures };
  const who = { a: fighters.get(now.fighter), t: fighters.get(now.target) };
  const lying = book.spend[2][2].reduce((sum, kind) => sum + (who.t.marks[kind] ?? 0), 0);
  const cost = costs[fighters.get(now.target).words.has("down") ? 1 : 0];
  const switches = offered.filter(([word]) => book.words[word] !== "bloodbath" || lying >= cost);
  part("switches").replaceChildren(...switches.filter(([, most]) => most === 1).map(([word]) => {
    const name = book.words[word];
    return chip("checkbox", name, 1, book.labels[name], Boolean(before[name]));
  }));
  const fields = switches.filter(([, most]) => most > 1).map(([word, most]) => figure(book.words[word], book.labels[book.words[word]], 0, most));
  const told = words("spent");
  for (const [place, [name, whose]] of book.spend.entries()) {
    const most = mostSpent(book, place, spent[place], who[whose]);
    if (most) fields.push(figure(name, told[place], 0, most));
  }
  fields.push(figure("dice", told[4], -6, 6), figure("injury_dice", told[5], -6, 6));
  part("figures").replaceChildren(...fields);
  part("switches").parentElement.hidden = !switches.length;
  now.plain = plain;
  askMixed(isMixed);
  askCaught(catches);
  start();
}

/* The throws of the attack, then those of everybody whom it catches: [who, what it comes to] of each. */
function* throwsOf(state, held) {
  now.words = new Set([...state.own, ...state.theirs, ...held]);
  now.atFriend = now.friend !== "" && (yield* intoMelee(book)) === 0;
  const [struck, figures, rows] = now.atFriend
    ? [now.friend, atFriend(book, now.figures), mixedPair(book, rowKey(now.fighter), now.arm, rowKey(now.friend))]
    : [now.target, now.figures, pair()];
  now.about = struck;
  const met = now.atFriend ? [...state.own, ...wordsFor("t", state.fighters.get(struck)), ...heldBy(figures)] : now.words;
  const ending = yield* attack(book, rows, now.place, new Set(met), moreDice(book, figures));
  const found = [[struck, ending]];
  const lines = around(book, rowKey(now.fighter), now.arm);
  for (const key of ending.missed ? [] : now.others.filter((other) => other !== struck)) {
    now.about = key;
    const other = new Set([...state.own, ...wordsFor("t", state.fighters.get(key)), ...held, ...(ending.critical ? ["critical"] : [])]);
    found.push([key, yield* caught(book, lines[rowKey(key)], other, now.figures.injury_dice ?? 0)]);
  }
  return found;
}

/* What the rows of a roll to hit are called; it has two where every hit is critical. */
function hitLabels({ cuts }) {
  const [missed, hit, critical] = words("hit");
  return cuts.length === 1 ? [missed, critical] : [missed, hit, critical];
}

/* Start the attack anew: from its first throw. */
function start() {
  const { fighters, turn, shaken } = table();
  const { figures, held, others, friend } = answers();
  const [own, theirs] = [fighters.get(now.fighter), fighters.get(now.target)];
  const said = (key) => `${key}:${[...fighters.get(key).words].join("+")}`;
  const all = now.struck === now.target && now.at > 1 ? [...held, "hit"] : held;
  const state = { fighters, own: wordsFor("a", own, shaken.has(now.side)), theirs: wordsFor("t", theirs) };
  Object.assign(now, { turn, figures, others, friend, of: { a: own.marks, t: theirs.marks }, about: now.target });
  now.saw = [...new Set([now.fighter, now.target, ...(friend ? [friend] : []), ...others])].map(said).join(",");
  begin({
    run: throwsOf(state, all), plain: now.plain && !friend, onDone,
    needOf: (asked) => (now.about === now.target ? "" : `${nameOf(now.about)}. `) + fill(words("dice")[asked.part], { dice: asked.dice }),
    labelsOf: (asked) => [hitLabels, () => words("injury"), () => words("stray")][asked.part](asked),
  });
}

/* What the attack does, by fighter: one that catches itself, or is hit twice, suffers both. */
function doneBy(found, isLast) {
  const who = {};
  const add = (key, { marks, ...flags }) => {
    const before = who[key] ?? {};
    const sum = { ...before.marks };
    for (const [kind, count] of Object.entries(marks)) sum[kind] = (sum[kind] ?? 0) + count;
    const told = Object.entries(flags).filter(([name, value]) => value !== false && !(name === "acted" && !isLast));
    who[key] = { ...before, ...Object.fromEntries(told), marks: sum };
  };
  const [[struck, ending], ...others] = found;
  const { fighters } = table();
  const [marks, figures] = now.atFriend ? [{ ...now.of, t: fighters.get(struck).marks }, atFriend(book, now.figures)] : [now.of, now.figures];
  const { attacker, target } = effects(book, ending, marks, figures);
  add(now.fighter, { ...attacker, acted: isLast });
  add(struck, target);
  for (const [key, hurt] of others) add(key, effects(book, hurt, { a: {}, t: fighters.get(key).marks }, {}).target);
  return who;
}

/* Every throw has fallen: the press is kept as what it was, with what it does. */
function onDone(found, rolled) {
  const ending = found[0][1];
  const gone = Object.entries(doneBy(found, false)).filter(([, { out }]) => out).map(([key]) => key);
  const then = following(book, pair(), now, now.words, ending, gone);
  const { fighters } = table();
  const foes = [...fighters.keys()].filter((key) => rowKey(key) in book.targets && stands(fighters.get(key)) && !gone.includes(key));
  const next = then && foes.length ? then : null;
  const isLast = !next && (Boolean(ending.ends) || form().querySelector("#t_away_last").checked);
  const hit = !ending.missed && !now.atFriend && (now.at === 1 || now.struck === now.target);
  const fields = {
    token: freshToken(document.querySelector("#table_form [name=token]").value), press: "roll", roll: "attack", fighter: now.fighter, arm: now.arm,
    target: now.target, ...now.figures, caught: now.others.join(","), friend: now.friend, saw: now.saw, away: next ? "" : "1", last: isLast ? "1" : "", ...rolled,
  };
  const mine = now;
  const held = Object.fromEntries(Object.entries(now.figures).filter(([name, count]) => count === 1 && name in book.labels && !(name in book.closes)));
  if (gone.length) for (const name of book.of_place) delete held[name];
  send(fields, { who: doneBy(found, isLast) }, `${now.title}: ${nameOf(now.target)}`);
  if (!next) return;
  const changed = next.arm !== mine.arm || next.place === 0;
  if (changed) for (const name of Object.keys(held)) if (name !== "charged" && !book.of_place.includes(name)) delete held[name];
  if (next.isOffHand && changed) held.off_hand = 1;
  openAttack({ ...mine, ...next, title: changed ? titleOf(next) : mine.title, held, at: mine.at + 1, struck: hit ? mine.target : "" });
}

function titleOf({ fighter, arm }) {
  const link = [...document.querySelectorAll("a[href*='roll=attack']")].find(({ href }) => {
    const asked = new URL(href).searchParams;
    return asked.get("fighter") === fighter && asked.get("arm") === arm;
  });
  return `${nameOf(fighter)}, ${link?.closest(".arm")?.querySelector("b").textContent ?? arm.split(":")[0]}`;
}

function openAttack(what) {
  now = what;
  const choices = targets();
  if (!choices.length) return false;
  now.target = choices.includes(now.target) ? now.target : choices[0];
  open(now.title);
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
  const side = link.closest("[data-pane]").dataset.pane;
  const rest = restOf(book, rowKey(fighter), arm);
  const first = { fighter, arm, title: titleOf({ fighter, arm }), side, place: 0, at: 1, rest, bound: "", struck: "", held: {}, target: now?.target };
  if (!openAttack(first)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

document.addEventListener("click", onAttack, { capture: true });
document.addEventListener("change", ({ target }) => {
  if (!now || !target.closest("#t_roll[data-away]:not([data-morale])") || target.closest("[data-own], [data-closing]")) return;
  if (target.name !== "target") return start();
  now.target = target.value;
  ask();
});
