/* data-kept-form: forms that a phone keeps, so that results can be told while its line is down. Each is fetched once it is on offer. */
import { lineIs } from "./line.js";
import { tracker } from "./table-pieces.js";
import { freshToken } from "./unsent.js";

const MOST = 16;
const SETTLED = 3000;
const held = new Map(); /* address → the form as text, oldest first */
let timer = 0;

const isAway = () => !navigator.onLine || tracker()?.dataset.noLine !== undefined;
const addresses = () => [...document.querySelectorAll("a[data-kept-form]")].map((link) => link.getAttribute("href"));

async function fetchForms() {
  if (document.hidden || isAway() || !tracker()) return;
  const wanted = [...new Set(addresses())].slice(0, MOST);
  for (const address of held.keys()) if (!wanted.includes(address)) held.delete(address);
  for (const address of wanted.filter((each) => !held.has(each))) {
    held.set(address, "");
    try {
      const headers = { "HX-Request": "true", "HX-Target": "form#t_roll" };
      const answer = await fetch(`${address}&here=1&away=1`, { headers });
      if (answer.ok && !answer.redirected) held.set(address, await answer.text());
    } catch {
      held.delete(address);
      return;
    }
  }
}

function settle() {
  clearTimeout(timer);
  timer = setTimeout(fetchForms, SETTLED);
}

/* The form as it was kept: with a token of its own, and without what would ask the server. */
function show(address, text) {
  const page = new DOMParser().parseFromString(text, "text/html");
  const kept = page.getElementById("t_roll");
  if (!kept) return false;
  for (const name of ["hx-post", "hx-get", "hx-trigger", "hx-vals"]) {
    for (const element of kept.querySelectorAll(`[${name}]`)) element.removeAttribute(name);
  }
  for (const button of kept.querySelectorAll("[name=source]:not([data-move])")) button.remove(); /* dice of the app, and faces, need the line */
  const token = kept.querySelector("[name=token]");
  token.value = freshToken(token.value);
  kept.dataset.keptFor = address;
  document.getElementById("t_roll").replaceWith(document.adoptNode(kept));
  document.querySelector("#t_roll h2").focus();
  return true;
}

function onPress(event) {
  const link = event.target.closest?.("a[data-kept-form]");
  const address = link?.getAttribute("href");
  const text = held.get(address);
  if (!text || !isAway()) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (show(address, text)) lineIs(false);
}

/* What was told is told once: the same form opens again only when the server offers it anew. */
function onSent({ target }) {
  if (target.dataset.keptFor) held.set(target.dataset.keptFor, "");
}

document.addEventListener("click", onPress, { capture: true });
document.addEventListener("submit", onSent, { capture: true });
for (const news of ["table:fresh", "page:fresh"]) document.addEventListener(news, settle);
document.addEventListener("line", ({ detail: { isBack } }) => isBack && settle());
if (document.readyState === "complete") settle();
else window.addEventListener("load", settle);
