/* A press at the table is answered at once: its figure counts, or its button is busy, until the server has spoken. */
import { kept, line, show, waitingOn } from "./table-waiting.js";

const PATIENCE = 400;

/* Figures as they will be, and with them where the scale ends; what waits longer than a moment says so beside them. */
function count() {
  for (const row of document.querySelectorAll(".tracker .marker-row")) {
    const now = Number(row.dataset.figure) + waitingOn(row.id);
    const figure = row.querySelector("output");
    if (figure.textContent !== String(now)) figure.textContent = String(now);
    const [less, more] = row.querySelectorAll("button");
    if (less?.value) less.disabled = now <= 0;
    if (more?.value) more.disabled = now >= Number(row.dataset.most);
  }
}

export function pressed(button) {
  button?.closest(".table-open")?.removeAttribute("open"); /* once is enough: a second tap finds it folded */
  if (!button?.closest(".marker-row")) button?.setAttribute("aria-busy", "true");
  count();
  setTimeout(show, PATIENCE);
}

/* Nothing is under way: what waits on the device is told by its rows. */
export function rested() {
  count();
  show();
  if (line.length) return;
  for (const button of document.querySelectorAll(":is(.tracker, #t_strip) [aria-busy]")) button.removeAttribute("aria-busy");
}

for (const news of ["unsent", "table:fresh"]) document.addEventListener(news, () => (line.length || kept().length) && count());
