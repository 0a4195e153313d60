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
    if (count) count.textContent = (part ? [...list.children] : all(`[data-in="${list.dataset.group}"]`, list)).length; /* one held open stays uncounted */
    if (!part) continue;
    part.hidden = !list.children.length;
    part.querySelector("[data-names]").textContent = all(".table-name", list).map((name) => name.textContent).join(", ");
  }
}

/* Of fighters who are alike in all but their names the first stands for all, who names the others while it is open. One that is open itself
   stands apart. */
function pool(list) {
  const alike = new Map();
  for (const row of list.children) {
    row.removeAttribute("data-pooled");
    for (const old of all(".table-pool, .table-like", row)) old.remove();
    const head = row.querySelector("summary");
    if (!row.dataset.kind || !head) continue;
    const key = `${row.dataset.kind} ${head.dataset.same}`;
    alike.set(key, [...(alike.get(key) ?? []), row]);
  }
  for (const rows of alike.values()) {
    if (rows.length < 2) continue;
    const shut = rows.filter((row) => !row.contains(open()));
    const first = rows.find((row) => row.contains(open())) ?? shut[0];
    for (const row of shut) row.toggleAttribute("data-pooled", row !== first);
    const count = document.createElement("b");
    count.className = "table-pool";
    count.textContent = `×${rows.length}`;
    first.querySelector(".table-profile").append(" ", count);
    if (first.contains(open())) first.querySelector(".table-inside")?.prepend(others(rows.filter((row) => row !== first)));
  }
}

/* The names of those for whom an open row stands: each opens its own. */
function others(rows) {
  const list = document.createElement("p");
  list.className = "table-like";
  for (const row of rows) {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "button button-table" });
    button.textContent = row.querySelector(".table-name").textContent;
    button.addEventListener("click", () => row.querySelector("details").toggleAttribute("open", true));
    list.append(button);
  }
  return list;
}

/* While a fighter is open who has yet to act, the bar ends its activation. */
function tellBar() {
  const onward = document.querySelector("#t_onward[data-yields]");
  const act = open()?.querySelector(":scope > summary:not([data-in=acted]) ~ .table-inside [data-bar]");
  document.getElementById("t_done")?.remove();
  if (!onward) return;
  onward.hidden = Boolean(act);
  if (!act) return;
  const done = act.cloneNode();
  done.id = "t_done";
  const passes = onward.dataset.passes?.split(" ").includes(open().id.slice(1));
  done.textContent = passes ? onward.dataset.passing.replace("{what}", act.dataset.bar) : act.dataset.bar;
  done.classList.add("button-main");
  onward.before(done);
}

function fresh() {
  if (open()) all(".card-words", open()).forEach(tellKeywords);
  for (const pane of all("[data-pane]")) regroup(pane);
  for (const list of all("[data-group]")) pool(list);
  tellBar();
}

document.addEventListener("toggle", ({ target }) => {
  if (target.name !== "fighter") return;
  fresh();
}, true);
for (const news of ["table:fresh", "table:shown", "page:fresh"]) document.addEventListener(news, fresh);
fresh();
