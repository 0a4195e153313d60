/* Acts that could not be sent, each with its one-use token: sent again, it cannot be done twice. */
import { drop, keeps, read, write } from "./device.js";
import { keyOf } from "./drafts.js";
import { lineIs } from "./line.js";
import { showToast } from "./toasts.js";

const KEY = "unsent";
const UNDER_WAY = "under-way";

const byteWords = (byte) => byte.toString(16).padStart(2, "0");
/* A token for a form that is sent more than once from the same page: the one that the server drew, with an ending of its own. */
export function freshToken(drawn) {
  const ending = [...crypto.getRandomValues(new Uint8Array(8))].map(byteWords).join("");
  return `${drawn.split(".").slice(0, 2).join(".")}.${ending}`;
}

export const acts = () => read(KEY)?.acts ?? [];

export function saveActs(list) {
  const saved = list.length ? write(KEY, { acts: list }) : !drop(KEY);
  document.dispatchEvent(new Event("unsent"));
  return saved;
}

/* What is being sent, kept silently until it is answered: a page that is left, or closed, before then does not lose it. */
export function underWay(list) {
  if (list.length) write(UNDER_WAY, { acts: list });
  else drop(UNDER_WAY);
}

/* What a page that was left had under way. It may have arrived: its token sees to it that it counts once. */
function adopt() {
  const left = read(UNDER_WAY)?.acts ?? [];
  const known = new Set(acts().map(({ token }) => token));
  if (left.length && saveActs([...acts(), ...left.filter(({ token }) => !known.has(token))])) drop(UNDER_WAY);
}

/* The server has answered this one, or nobody wants it any more. */
export function forget(token) {
  const left = acts().filter((act) => act.token !== token);
  if (left.length !== acts().length) saveActs(left);
}

/* Mark an act as tried again, or as to be tried once more. */
export function once(token, tried = false) {
  return saveActs(acts().map((act) => (act.token === token ? { ...act, tried } : act)));
}

function addressOf(form, submitter) {
  const there = new URL(submitter?.getAttribute("formaction") || form.getAttribute("action") || "", location.href);
  return there.pathname + there.search;
}

/* A form as it is sent, or null where it cannot be sent again: without a token, or with a file. */
export function actOf(form, submitter) {
  const sent = [...new FormData(form, submitter)];
  const token = sent.find(([name]) => name === "token")?.[1];
  if (!token || sent.some(([, value]) => typeof value !== "string" && value.size)) return null;
  const named = submitter ?? document.querySelector("h1");
  const what = (named.getAttribute("aria-label") ?? named.textContent).replace(/\s+/g, " ").trim();
  const fields = sent.filter(([name, value]) => name !== "csrfmiddlewaretoken" && typeof value === "string");
  const page = location.pathname + location.search;
  const queued = form.dataset.queued !== undefined; /* the table sends them itself, in their order */
  return { token, fields, what, page, queued, address: addressOf(form, submitter), draft: keyOf(form), at: Date.now() };
}

/* Keep an act that could not be sent, and say so. False where it cannot be kept: then only what was typed is. */
export function hold(act) {
  lineIs(false);
  if (!act || !keeps || !saveActs([...acts().filter((other) => other.token !== act.token), act])) return false;
  showToast("kept", { what: act.what });
  return true;
}

adopt();
window.addEventListener("pageshow", ({ persisted }) => persisted && adopt());
