/* Presses on one row of a table count on from one another, whoever sends them: where one is refused, those after it are not sent. */
/* What is told of presses, in the words that the page brings: "{was}" stands for a value. */
export function said(what, values = {}) {
  const words = document.querySelector("[data-tracker]")?.dataset[what] ?? "";
  return words.replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);
}

/* Why a press was not sent that followed one which was refused. */
export const leftOut = () => document.querySelector("template[data-left-out]").content.textContent;

export const pressOf = (act) => act.fields.find(([name]) => name === "press")?.[1] ?? "";

/* The row of a scale that a press is about, and its change; null for any other press. */
export function scaleOf(press) {
  const [kind, one, two, three] = press.split(" ");
  if (kind === "marker") return { row: `m${one}_${two}`, change: Number(three), bare: 4 };
  return kind === "score" ? { row: `s${one}`, change: Number(two), bare: 3 } : null;
}

/* Of what waits: the presses on the same row of the same table as this one. */
export function following(act, waiting) {
  const scale = act.queued && scaleOf(pressOf(act));
  const same = (other) => other.queued && other.page.split("?")[0] === act.page.split("?")[0];
  return scale ? waiting.filter((other) => other.token !== act.token && same(other) && scaleOf(pressOf(other))?.row === scale.row) : [];
}
