/* Plain forms: what is sent is noted until its answer is there, and held back while the line is down. Signing out forgets all. */
import { drop, forgetEverything, keeps } from "./device.js";
import { keyOf } from "./drafts.js";
import { look, reachable } from "./line.js";
import { note, takenNote } from "./note.js";
import { showToast } from "./toasts.js";
import { actOf, forget, hold } from "./unsent.js";

const SOON = 500;
const passed = new WeakSet();

function noted(form, submitter) {
  if (form.dataset.signsOut !== undefined) note({ leaving: true });
  else if (keeps) note({ draft: keyOf(form), act: actOf(form, submitter) });
}

async function onSubmit(event) {
  const { target: form, submitter } = event;
  if (form.getAttribute("method")?.toLowerCase() !== "post" || form.matches("[hx-post], [data-queued]")) return;
  if (navigator.onLine || passed.delete(form)) return noted(form, submitter);
  event.preventDefault();
  event.stopImmediatePropagation();
  if (await reachable()) {
    passed.add(form);
    form.requestSubmit(submitter);
  } else if (!hold(actOf(form, submitter))) showToast("lost");
}

/* The answer to a form is the page whose loading began when it was sent; any other page means that there was none. */
function settle(isBack) {
  const sent = takenNote();
  const { user, unsent, missing } = document.documentElement.dataset;
  if (sent?.leaving && !user) forgetEverything();
  if (!sent || sent.leaving || !keeps) return;
  const [visit] = performance.getEntriesByType("navigation");
  const isAnswer = !isBack && visit.type === "navigate" && Math.abs(performance.timeOrigin - sent.at) < SOON;
  if (unsent !== undefined || !isAnswer) {
    hold(sent.act);
    return unsent === undefined ? look() : location.replace(sent.page);
  }
  /* Where the page that should follow is missing, the act itself went through: it led there. */
  const refused = document.querySelector("[role=alert]") ? 422 : 200;
  const status = missing === undefined ? visit.responseStatus || refused : 200;
  if (status < 500 && sent.act) forget(sent.act.token);
  if (status < 400) drop(sent.draft);
}

document.addEventListener("submit", onSubmit, { capture: true });
window.addEventListener("pageshow", (event) => event.persisted && settle(true));
settle(false);
