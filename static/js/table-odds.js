/* The chances of an attack, exactly: which faces the dice that count may show, one die after another. */

const SIDES = [1, 2, 3, 4, 5, 6];

/* How often each total falls, as shares of one; null for dice that are changed after they fell. */
function totals({ base, more, dice, sixes, turned, lowered, flawed }) {
  if (turned || lowered || flawed) return null;
  let hands = new Map([[Array(sixes).fill(6).join(""), 1]]);
  for (let die = 0; die < dice; die += 1) {
    const next = new Map();
    for (const [hand, share] of hands) {
      for (const face of SIDES) {
        const faces = [...hand, String(face)].sort((a, b) => (more < 0 ? a - b : b - a)).slice(0, base).join("");
        next.set(faces, (next.get(faces) ?? 0) + share / SIDES.length);
      }
    }
    hands = next;
  }
  const found = new Map();
  for (const [hand, share] of hands) {
    const total = [...hand].reduce((sum, face) => sum + Number(face), 0);
    found.set(total, (found.get(total) ?? 0) + share);
  }
  return found;
}

/* The share of each row of a throw; null where it is not known. */
export function shares(asked) {
  const found = totals(asked);
  if (!found) return null;
  const rows = Array(asked.cuts.length + 1).fill(0);
  for (const [total, share] of found) rows[asked.cuts.filter((cut) => total >= cut).length] += share;
  return rows;
}
