/* What waits to be sent from the table, as its rows show it: "waiting: 2 to 3". */
import { following, pressOf, said, scaleOf } from "./table-sequence.js";
import { showUnsent } from "./table-unsent.js";
import { acts, forget } from "./unsent.js";

export const line = []; /* pressed, not answered yet */
export const kept = () => acts().filter((act) => act.queued && act.page.split("?")[0] === location.pathname);

export function waitingOn(row) {
  const scales = [...kept(), ...line].map((act) => scaleOf(pressOf(act)));
  return scales.filter((scale) => scale?.row === row).reduce((sum, { change }) => sum + change, 0);
}

/* This one was refused: what counted on from it is not sent. Returns it. */
export function leaveOut(act) {
  const others = following(act, [...kept(), ...line]);
  for (const other of others) {
    forget(other.token);
    if (line.includes(other)) line.splice(line.indexOf(other), 1);
  }
  return others;
}

/* A press says from what figure it starts: the one shown, and what waits on top of it. False beyond the end of the scale. */
export function counted(act) {
  const scale = scaleOf(pressOf(act));
  const row = scale && document.getElementById(scale.row);
  if (!row) return true;
  const was = Number(row.dataset.figure) + waitingOn(scale.row);
  if (was + scale.change < 0 || was + scale.change > Number(row.dataset.most)) {
    row.querySelector("[data-note]").textContent = scale.change < 0 ? said("least") : said("mostWords", row.dataset);
    return false;
  }
  const press = [...pressOf(act).split(" ").slice(0, scale.bare), was].join(" ");
  act.fields = act.fields.map(([name, value]) => [name, name === "press" ? press : value]);
  return true;
}

function showRow(row, change) {
  const note = row.querySelector("[data-note]");
  row.toggleAttribute("data-waiting", change !== 0);
  for (const [name, is] of [["marker-waiting", change !== 0], ["meta", change === 0]]) note.classList.toggle(name, is);
  note.textContent = change ? said("change", { was: row.dataset.figure, now: Number(row.dataset.figure) + change }) : "";
}

export function show() {
  const waiting = [...kept(), ...line];
  const rows = new Set(waiting.map((act) => scaleOf(pressOf(act))?.row));
  for (const row of document.querySelectorAll(".tracker .marker-row")) {
    if (rows.has(row.id) || row.dataset.waiting !== undefined) showRow(row, waitingOn(row.id));
  }
  for (const mark of document.querySelectorAll("[data-wait]")) {
    const own = waiting.filter((act) => pressOf(act).split(" ")[1] === mark.dataset.wait);
    mark.hidden = own.length === 0;
    mark.textContent = own.length ? said("waits", { count: own.length }) : "";
  }
  showUnsent(waiting);
}
