/* What the dice of an attack come to, read from the rows that the page brings. It knows no rule: it adds dice, keeps, adds and looks up. */

/* What is added to a line where these words hold: dice and number of its two parts. */
function figuresOf(book, [, , , adds, beside], words) {
  const sum = [0, 0, 0, 0];
  const add = (place) => book.figures[place].forEach((figure, part) => (sum[part] += figure));
  for (let n = 0; n < adds.length; n += 2) if (words.has(book.words[adds[n]])) add(adds[n + 1]);
  for (let n = 0; n < beside.length; n += 3) if (words.has(book.words[beside[n]]) && words.has(book.words[beside[n + 1]])) add(beside[n + 2]);
  return sum;
}

/* One bit for each of these words that holds. */
const bitsOf = (book, asked, words) => asked.reduce((sum, word, place) => sum + (words.has(book.words[word]) ? 2 ** place : 0), 0);

/* The lines of an ACTION, one for each attack. Where it hangs on words how many there are, there is a list for each choice of them. */
export function linesOf(book, pair, words) {
  const turns = book.offers[pair[0]][6];
  return turns.length ? pair[1 + bitsOf(book, turns, words)] : pair.slice(1);
}

/* The row of a line: its words choose it. */
function rowOf(book, line, words) {
  const [at, figures] = book.rows[line[2][bitsOf(book, line[1], words)]];
  const added = figuresOf(book, line, words);
  return { at, figures: book.figures[figures].map((figure, part) => figure + added[part]) };
}

/* A throw as it is asked for: how many dice, which of them count, and from which totals each further row begins. */
function throwOf(book, at, figures, given) {
  const [part, base, net, cuts, then, [sixes, turned, lowered, flawed] = [0, 0, 0, 0]] = book.throws[at];
  const more = net + figures[2 * part] + given[part];
  const dice = base + Math.abs(more) - sixes;
  return { part, base, more, dice, sixes, turned, lowered, flawed, then, cuts: cuts.map((cut) => cut - figures[2 * part + 1]) };
}

/* The faces that count. */
export function kept({ base, more, sixes, turned, lowered }, faces) {
  let rolled = [...faces].sort((a, b) => a - b);
  if (turned && rolled.length) rolled = [6, ...rolled.slice(1)].sort((a, b) => a - b);
  if (lowered && rolled.length) rolled = [1, ...rolled.slice(0, -1)];
  rolled.push(...Array(sixes).fill(6));
  rolled.sort((a, b) => (more < 0 ? a - b : b - a));
  return rolled.slice(0, base);
}

export function rowFor(asked, faces) {
  if (asked.flawed && faces.includes(1)) return 0;
  const total = kept(asked, faces).reduce((sum, face) => sum + face, 0);
  return asked.cuts.filter((cut) => total >= cut).length;
}

/* One line. It yields each throw, and is given its faces, or the row that players told. It returns what these do. `more` are dice that are
   added to both parts, for markers and other things. */
function* throwsUntilDone(book, line, words, more) {
  let { at, figures } = rowOf(book, book.lines[line], words);
  while (at >= 0) {
    const asked = throwOf(book, at, figures, more);
    const told = yield asked;
    at = asked.then[told.row ?? rowFor(asked, told.faces)];
  }
  const ending = book.endings[-1 - at];
  const uneasy = ending.missed && !ending.steady && words.has("a:shaken");
  return { ...ending, ends: ending.ends || uneasy, stops: ending.stops || uneasy };
}

/* One attack, number `place` of its weapon from 0. */
export function attack(book, pair, place, words, more) {
  const lines = linesOf(book, pair, words);
  return throwsUntilDone(book, lines[Math.min(place, lines.length - 1)], words, more);
}

function* throwsDie(cuts) {
  const asked = { part: 2, base: 1, more: 0, dice: 1, sixes: 0, turned: 0, lowered: 0, flawed: 0, cuts };
  return rowFor(asked, (yield asked).faces);
}

/* The die of a shot into a melee. Its row 0 says that the shot goes at a friend. */
export const intoMelee = (book) => throwsDie([book.strays]);

/* What the form says of an attack that goes at a friend: nothing is spent on the friend's injury. */
export function atFriend(book, spending) {
  const dropped = ["bloodbath", ...book.spend.filter(([, whose]) => whose === "t").map(([name]) => name)];
  return Object.fromEntries(Object.entries(spending).filter(([name]) => !dropped.includes(name)));
}

/* The injury of somebody whom a weapon strikes besides its target, once it has hit. `more` are dice that the form adds to injuries. */
export const caught = (book, line, words, more) => throwsUntilDone(book, line, words, [0, more]);

/* Whom a weapon may strike besides, by key: the line of each. */
export const around = (book, fighter, arm) => book.around[fighter]?.[arm] ?? {};

/* A test of morale; the side's words choose its row. */
export const morale = (book, words, more) => throwsUntilDone(book, book.morale.line, words, [more, 0]);

/* Whether a side tests: of `count` fighters so many are fallen, or it is Shaken where that asks for another test. */
export const isMoraleDue = (book, count, fallen, side, turn) =>
  count > 0 && side.tested !== turn && !side.fled && (fallen >= (book.morale.due[count] ?? Infinity) || (Boolean(book.morale.again) && side.shaken === turn));

/* The words that choose the row of a test. `leads`: its leader stands. */
export const moraleWords = (side, turn, rule, leads, answers) =>
  new Set([leads ? "s:leader" : "", side.failed === -1 || side.failed === turn ? "s:failed" : "", `m:${rule}`, ...answers]);

/* What may be spent beside these switches: the form's figures without those that a switch closes. */
export function withoutClosed(book, figures) {
  const closed = Object.keys(figures).flatMap((name) => (figures[name] ? (book.closes[name] ?? []) : []));
  return Object.fromEntries(Object.entries(figures).filter(([name]) => !closed.includes(name)));
}

/* The attack that follows in the same ACTION, null after the last one: with the same weapon, else with the first of the `rest`.
   `run` tells of this one: fighter, arm, target, place, the rest of the weapons, and `bound`, the only one at whom this weapon goes.
   `words` are those of this attack, `gone` the keys of those whom it took out. */
export function following(book, pair, run, words, ending, gone) {
  if (ending.stops || gone.includes(run.fighter)) return null;
  const bound = run.bound || (book.offers[pair[0]][5] ? run.target : "");
  const next = book.lines[linesOf(book, pair, words)[run.place + 1]];
  const target = gone.includes(run.target) ? "" : run.target;
  if (next && !(next[0] && ending.missed) && !(bound && gone.includes(bound))) return { ...run, target, place: run.place + 1, bound };
  if (!run.rest.length) return null;
  const [[arm, isOffHand], ...rest] = run.rest;
  return { ...run, target, arm, isOffHand, rest, place: 0, bound: "" };
}

/* The weapons that the same ACTION brings after this one. */
export const restOf = (book, fighter, arm) => book.thens[book.fighters[fighter]]?.[arm] ?? [];

/* Markers that leave somebody: those of the first kind, then of the next. */
function pay(marks, kinds, count, changes) {
  for (const kind of kinds) {
    const paid = Math.min(count, (marks[kind] ?? 0) + Math.min(0, changes[kind] ?? 0));
    if (paid > 0) changes[kind] = (changes[kind] ?? 0) - paid;
    count -= Math.max(0, paid);
  }
}

/* What a press does to who attacks and who is attacked. `of` holds the markers of each, `spending` the figures of the form by name. */
export function effects(book, ending, of, spending) {
  const [own, theirs] = [{}, {}];
  for (const [name, whose, kinds] of book.spend) {
    if (whose === "t" && !ending.hurts) continue;
    const bled = name === "injury_blood_spent" ? ending.spent ?? 0 : 0;
    pay(of[whose], kinds, (spending[name] ?? 0) + bled, whose === "a" ? own : theirs);
  }
  const change = (marks, changes, more = {}) => {
    for (const [kind, count] of Object.entries(more)) {
      const there = (marks[kind] ?? 0) + (changes[kind] ?? 0);
      changes[kind] = Math.max(0, Math.min(book.most, there + count)) - (marks[kind] ?? 0);
    }
    return changes;
  };
  const paid = { ...theirs };
  change(of.t, theirs, ending.marks);
  const placed = (kind) => (theirs[kind] ?? 0) - (paid[kind] ?? 0);
  const gained = { ...ending.own };
  for (const [when, kind, count] of ending.hangs ?? []) {
    const [bled, all] = [placed("blood"), placed("blood") + placed("infection")];
    gained[kind] = (gained[kind] ?? 0) + count * { bled: Number(bled > 0), marked: Number(all > 0), each: bled }[when];
  }
  return {
    attacker: { marks: change(of.a, own, gained), down: Boolean(ending.falls), acted: Boolean(ending.ends) },
    target: { marks: theirs, down: Boolean(ending.down), out: Boolean(ending.out), facts: ending.facts ?? [] },
  };
}

/* The dice that the form adds to both parts, with those for spent markers. */
export const moreDice = (book, spending) =>
  book.spend.reduce((sum, [name, , , part, by]) => sum.with(part, sum[part] + by * (spending[name] ?? 0)), [spending.dice ?? 0, spending.injury_dice ?? 0]);

/* How many markers the form lets spend: of those that the rows allow, what lies there and is not kept for a Bloodbath. */
export const mostSpent = (book, place, most, { words, marks }) =>
  Math.min(most, book.spend[place][2].reduce((sum, kind) => sum + (words.has(`keeps_${kind}`) ? 0 : marks[kind] ?? 0), 0));

/* The rows of a shot that finds a friend in the melee; null where the page brings none. */
export function mixedPair(book, fighter, arm, friend) {
  const place = book.mixed[book.shooters[fighter]]?.[arm]?.[book.mates[friend]];
  return place >= 0 ? book.pairs[place] : null;
}

/* The rows of an attack of one fighter on another with one weapon; null where the page brings none. */
export function pairOf(book, fighter, arm, target) {
  const place = book.ways[book.fighters[fighter]]?.[arm]?.[book.targets[target]];
  return place >= 0 ? book.pairs[place] : null;
}
