/* A request that htmx could not bring home becomes a toast; 422 is an answer and is shown in its place. */
import { drop } from "./device.js";
import { keyOf } from "./drafts.js";
import { lineIs } from "./line.js";
import { showToast } from "./toasts.js";
import { actOf, forget, hold } from "./unsent.js";

const SHOWN = 422;
const NO_SERVER = [502, 503, 504];

/* Our own server is there, only its database was not to be had: that is not the line. */
const isBusy = ({ headers }) => headers.has("X-Busy");
const isGone = (response) => NO_SERVER.includes(response.status) && !isBusy(response);

function occasionOf(response) {
  const { status } = response;
  if (isBusy(response)) return "busy";
  if (status === 429) return "often";
  return status >= 400 && status < 500 ? "refused" : "lost";
}

function tell(occasion, source, submitter) {
  const toast = showToast(occasion);
  toast?.querySelector("[data-again]")?.addEventListener("click", () => {
    toast.remove();
    const form = source?.closest?.("form");
    if (form) form.requestSubmit(submitter?.form === form ? submitter : undefined);
    else source?.click?.();
  });
}

/* An act is kept and goes out when the line is back; a question may be asked again. */
function lost({ sourceElement, request }) {
  const form = sourceElement.closest("form");
  const isAct = form && request.method === "POST";
  if (!hold(isAct ? actOf(form, request.submitter) : null)) tell("lost", sourceElement, request.submitter);
}

document.addEventListener("htmx:after:request", ({ detail: { ctx } }) => {
  const { status, headers } = ctx.response;
  const form = ctx.sourceElement.closest("form");
  if (isGone(ctx.response)) return;
  lineIs(true);
  if (!form || ctx.request.method !== "POST" || status >= 500 || headers.has("HX-Redirect")) return;
  forget(ctx.request.body.get("token"));
  if (status < 400) drop(keyOf(form));
});

document.addEventListener("htmx:response:error", ({ detail: { ctx } }) => {
  const { status } = ctx.response;
  if (isGone(ctx.response)) lost(ctx);
  else if (status !== SHOWN) tell(occasionOf(ctx.response), ctx.sourceElement, ctx.request.submitter);
});

document.addEventListener("htmx:error", ({ detail: { ctx } }) => {
  if (ctx?.request && ctx.text === undefined) lost(ctx);
  else if (ctx) tell("lost", ctx.sourceElement, ctx.request?.submitter);
});
