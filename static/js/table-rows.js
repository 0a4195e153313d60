/* The rows of a table: who has acted or is out is folded away, and the bar ends the open fighter's activation. */
import { tellKeywords } from "./table-words.js";

const all = (what, within = document) => [...within.querySelectorAll(what)];
const open = () => document.querySelector("details[name=fighter][open]");

/* A row that is open keeps its place under the thumb until it is closed. */
function regroup(pane) {
  for (const head of all("[data-in]", pane)) {
    const row = head.closest("li");
    const list = pane.querySelector(`[data-group="${head.dataset.in}"]`);
    if (!list || list === row.parentElement || row.contains(open())) continue;
    list.insertBefore(row, [...list.children].find((other) => Number(other.dataset.place) > Number(row.dataset.place)) ?? null);
  }
  for (const list of all("[data-group]", pane)) {
    const part = list.closest("details.table-fold");
    const count = (part ?? list.previousElementSibling)?.querySelector("[data-count]");
    if (count) count.textContent = list.children.length;
    if (!part) continue;
    part.hidden = !list.children.length;
    part.querySelector("[data-names]").textContent = all(".table-name", list).map((name) => name.textContent).join(", ");
  }
}

/* While a fighter is open who has yet to act, the bar ends its activation. */
function tellBar() {
  const onward = document.querySelector("#t_onward[data-yields]");
  const act = open()?.querySelector("[data-bar]");
  document.getElementById("t_done")?.remove();
  if (!onward) return;
  onward.hidden = Boolean(act);
  if (!act) return;
  const done = act.cloneNode();
  done.id = "t_done";
  done.textContent = act.dataset.bar;
  done.classList.add("button-main");
  onward.before(done);
}

function fresh() {
  if (open()) all(".card-words", open()).forEach(tellKeywords);
  for (const pane of all("[data-pane]")) regroup(pane);
  tellBar();
}

document.addEventListener("toggle", ({ target }) => {
  if (target.name !== "fighter") return;
  fresh();
}, true);
for (const news of ["table:fresh", "page:fresh"]) document.addEventListener(news, fresh);
fresh();
