/* When the line is back, what waited is sent once more, with its token; then what came of it is told. */
import { drop, keeps } from "./device.js";
import { renew } from "./renew.js";
import { told } from "./resend-told.js";
import { following } from "./table-sequence.js";
import { showToasts } from "./toasts.js";
import { acts, forget, once, saveActs } from "./unsent.js";

/* After an act of one's own, those that were made on the same page no longer meet the roster they saw: that is no surprise. */
function unseen(sent) {
  const seen = (act) => act.fields.find(([name]) => name === "seen")?.[1];
  const kin = (act) => act.page === sent.page && seen(act) === seen(sent);
  saveActs(acts().map((act) => (kin(act) ? { ...act, fields: act.fields.filter(([name]) => name !== "seen") } : act)));
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
    const act = acts().find((waiting) => waiting.token === token);
    if (!act || act.tried) continue; /* left out since, or it waits for one before it */
    try {
      toasts.push(...(await send(act)));
    } catch {
      for (const waiting of [act, ...following(act, acts())]) once(waiting.token, true);
    }
  }
  if (toasts.length) showToasts(toasts);
}

document.addEventListener("line", ({ detail: { up } }) => {
  if (!up || !keeps || !acts().length || !document.documentElement.dataset.csrf) return;
  if (navigator.locks) navigator.locks.request("muster-roll:unsent", { ifAvailable: true }, (lock) => lock && sendAll());
  else sendAll();
});
