/* data-presses: the one form of a page of rows. Presses go out one after the other, each with the token and version of the
   answer before it. A pressed row is marked at once, keeps its place, and what is opened stays open. */
import { become, takeAttributes } from "./become.js";
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
  if (request.body?.has?.("told")) request.body.set("brief", "1"); /* of a row that only changed its state, the state is enough */
  if (!sourceElement.matches?.(form) || !request.body?.set) return;
  for (const name of ["token", "seen", "order", "told"]) request.body.set(name, sourceElement.elements[name].value);
});

/* Without a line the press waits on this device; the next one needs a token of its own. */
document.addEventListener("unsent", () => {
  for (const { elements } of document.querySelectorAll(form)) elements.token.value = freshToken(elements.token.value);
});

/* The parts of an answer that stand in the page already. All else is left to htmx: whole lists, and answers to a search. */
function takeParts(tasks) {
  for (const task of [...tasks]) {
    const { fragment, type } = task;
    const fresh = fragment.firstElementChild;
    const old = typeof task.target === "string" ? document.querySelector(task.target) : task.target;
    if (!old?.id || old.id !== fresh?.id || fragment.childElementCount > 1 || (type === "main" && !old.matches("[data-panel]"))) continue;
    if (fresh.dataset.brief === undefined) become(old, fresh);
    else takeState(old, fresh);
    tasks.splice(tasks.indexOf(task), 1);
  }
}

/* Of a row that only changed its state come the pieces that say so. */
function takeState(row, fresh) {
  delete fresh.dataset.brief;
  takeAttributes(row, fresh);
  for (const piece of fresh.children) become(row.querySelector(`[data-piece="${piece.dataset.piece}"]`), piece);
}

document.addEventListener("htmx:before:swap", ({ detail: { ctx, tasks } }) => {
  const row = held && document.getElementById(held.id);
  if (row) held.top = row.getBoundingClientRect().top;
  opened = reading ? [] : [...document.querySelectorAll("main details[open][id]")].map(({ id }) => id);
  if (ctx.request.method !== "GET" && document.querySelector(`.builder, ${form}`)) takeParts(tasks);
});

document.addEventListener("htmx:after:swap", () => {
  for (const id of opened) document.querySelector(`#${CSS.escape(id)}:not([open])`)?.setAttribute("open", "");
  settled();
  const row = held?.top !== undefined && document.getElementById(held.id);
  if (row) settle(row, held.top);
  held = null;
});

/* What was pressed is answered: a row that is taken says so by itself. */
function settled() {
  for (const row of document.querySelectorAll("[data-pressed]")) delete row.dataset.pressed;
}

document.addEventListener("htmx:error", settled);
