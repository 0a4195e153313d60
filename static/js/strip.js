/* The strip under the head of the page: the line is down, the page is as it stood, these acts wait to be sent. */
import { look } from "./line.js";
import { acts, forget, once } from "./unsent.js";
import { whenWords } from "./when.js";

const about = document.documentElement.dataset; /* stood: when the page was as it is shown */

function one(name) {
  return document.querySelector(`[data-strip] [data-${name}]`);
}

function showLine({ detail: { up, isBack } }) {
  if (isBack && about.missing !== undefined) location.reload(); /* the page that was not there */
  if (one("down")) one("down").hidden = up || about.stood !== undefined;
}

function showStood() {
  if (!one("stood") || about.stood === undefined) return;
  one("stood").querySelector("[data-words]").textContent = whenWords(about.stood);
  one("stood").hidden = false;
}

function rowOf(act, template) {
  const row = template.content.firstElementChild.cloneNode(true);
  row.querySelector("[data-words]").textContent = `${act.what}, ${whenWords(act.at)}`;
  row.querySelector("[data-back]").href = act.page;
  row.querySelector("[data-send]").addEventListener("click", () => once(act.token) && look());
  row.querySelector("[data-drop]").addEventListener("click", () => forget(act.token));
  return row;
}

function showUnsent() {
  const list = one("unsent");
  if (!list) return;
  const template = list.querySelector("template");
  list.querySelector("ul").replaceChildren(...acts().map((act) => rowOf(act, template)));
  list.hidden = acts().length === 0;
}

function show() {
  showStood();
  showUnsent();
}

document.addEventListener("line", showLine);
document.addEventListener("unsent", showUnsent);
document.addEventListener("page:fresh", show);
window.addEventListener("storage", showUnsent);
show();
if (!navigator.onLine || about.stood !== undefined || acts().length) look();
