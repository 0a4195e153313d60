/* When the line is back, what waited is sent once more, with its token; then what came of it is told. */
import { drop, keeps } from "./device.js";
import { renew } from "./renew.js";
import { showToasts, toastFor } from "./toasts.js";
import { acts, forget, once, saveActs } from "./unsent.js";

/* After an act of one's own, those that were made on the same page no longer meet the roster they saw: that is no surprise. */
function unseen(sent) {
  const seen = (act) => act.fields.find(([name]) => name === "seen")?.[1];
  const kin = (act) => act.page === sent.page && seen(act) === seen(sent);
  saveActs(acts().map((act) => (kin(act) ? { ...act, fields: act.fields.filter(([name]) => name !== "seen") } : act)));
}

function told(act, answer, page) {
  const own = [...page.querySelectorAll("#toasts > *")];
  const why = page.querySelector("#answer p")?.textContent ?? "";
  if (!answer.ok) return [toastFor("undone", { what: act.what, why, href: act.page })];
  return own.length ? own : [toastFor("sent", { what: act.what, why })];
}

async function send(act) {
  const body = new URLSearchParams(act.fields);
  body.set("csrfmiddlewaretoken", document.documentElement.dataset.csrf);
  const answer = await fetch(act.address, { method: "POST", body });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  /* Signed out meanwhile, or in again since this page was drawn: it waits for a page of now. */
  if (answer.status === 403 || new URL(answer.url).pathname.startsWith("/accounts/")) return [];
  if (answer.status >= 500 || answer.status === 429) throw new Error("The server could not answer.");
  forget(act.token);
  if (answer.ok) drop(act.draft);
  if (answer.redirected) unseen(act);
  const toasts = told(act, answer, page);
  if (answer.ok || answer.status === 422) renew(page, answer.url);
  return toasts;
}

/* Presses at a table are sent by its page where that is open. */
const isSentElsewhere = (act) =>
  act.queued && document.querySelector("[data-tracker]") && act.page.split("?")[0] === location.pathname;

async function sendAll() {
  const toasts = [];
  for (const { token } of acts().filter((act) => !act.tried && !isSentElsewhere(act))) {
    try {
      toasts.push(...(await send(acts().find((act) => act.token === token))));
    } catch {
      once(token, true);
    }
  }
  if (toasts.length) showToasts(toasts);
}

document.addEventListener("line", ({ detail: { up } }) => {
  if (!up || !keeps || !acts().length || !document.documentElement.dataset.csrf) return;
  if (navigator.locks) navigator.locks.request("muster-roll:unsent", { ifAvailable: true }, (lock) => lock && sendAll());
  else sendAll();
});
