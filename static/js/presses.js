/* data-presses: the one form of a page of rows. Presses go out one after the other, each with the token and version of the
   answer before it. A pressed row is marked at once, keeps its place, and what is opened stays open. */
import { leave, settle } from "./hold.js";
import { acts, freshToken } from "./unsent.js";

const form = "form[data-presses]";
let reading = false; /* an answer to a search may fold and unfold */
let held = null;
let opened = [];

const rowOf = (button) => button?.closest?.(".offer-line, .preset");

/* The same press, still waiting on this device: pressed again it is sent with the same token, and done once. */
const waiting = ({ name, value }) =>
  acts().find(({ page, fields }) => page === location.pathname + location.search && fields.some((field) => field[0] === name && field[1] === value));

document.addEventListener("submit", ({ target, submitter }) => {
  if (!target.matches?.(form)) return;
  const again = submitter?.name && waiting(submitter);
  if (again) target.elements.token.value = again.token;
  const row = rowOf(submitter);
  if (row) row.dataset.pressed = "";
  held = row?.id || submitter ? { id: row?.id || submitter.id, pressed: submitter?.id } : null;
}, { capture: true });

/* The one before has been answered since: its token is spent, and the roster is another. */
document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
  const { sourceElement, request } = ctx;
  reading = request.method === "GET";
  if (reading) leave(0);
  if (!sourceElement.matches?.(form) || !request.body?.set) return;
  for (const name of ["token", "seen", "order"]) request.body.set(name, sourceElement.elements[name].value);
});

/* Without a line the press waits on this device; the next one needs a token of its own. */
document.addEventListener("unsent", () => {
  for (const { elements } of document.querySelectorAll(form)) elements.token.value = freshToken(elements.token.value);
});

document.addEventListener("htmx:before:swap", () => {
  const row = held && document.getElementById(held.id);
  if (row) held.top = row.getBoundingClientRect().top;
  opened = reading ? [] : [...document.querySelectorAll("main details[open][id]")].map(({ id }) => id);
});

document.addEventListener("htmx:after:swap", () => {
  for (const id of opened) document.getElementById(id)?.setAttribute("open", "");
  const row = held?.top !== undefined && document.getElementById(held.id);
  if (row) settle(row, held.top);
  held = null;
});

document.addEventListener("htmx:error", () => {
  for (const row of document.querySelectorAll("[data-pressed]")) delete row.dataset.pressed;
});
