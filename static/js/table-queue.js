/* data-queued: presses at the table go out one after the other, each with a token of its own. Without a line they wait on this device. */
import { drop, keeps } from "./device.js";
import { lineIs } from "./line.js";
import { ask } from "./table-ask.js";
import { tellClash } from "./table-clash.js";
import { tableNow } from "./table-now.js";
import { take, tracker } from "./table-pieces.js";
import { pressed, rested } from "./table-pressed.js";
import { nextRoll, sendRoll } from "./table-roll.js";
import { leftOut } from "./table-sequence.js";
import { counted, kept, leaveOut, line, show } from "./table-waiting.js";
import { acts, actOf, forget, freshToken, saveActs, underWay } from "./unsent.js";

let busy = false;

async function send(act) {
  const body = new URLSearchParams(act.fields);
  body.set("csrfmiddlewaretoken", document.documentElement.dataset.csrf);
  const answer = await ask({ method: "POST", body });
  const why = await take(answer, true);
  nextRoll(answer.headers.get("X-Table-Then"));
  forget(act.token);
  if (line[0] === act) line.shift();
  underWay(line);
  if (answer.ok) return drop(act.draft);
  tellClash(act, why);
  for (const other of leaveOut(act)) tellClash(other, leftOut());
}

/* What waits longest goes first. Where the line breaks, everything waits on the device. */
async function flush() {
  if (busy || !tracker()) return;
  busy = true;
  try {
    for (let act; (act = kept()[0] ?? line[0]); ) await send(act);
  } catch {
    if (keeps && saveActs([...acts(), ...line])) line.length = 0;
    underWay(line);
    nextRoll();
    lineIs(false);
  }
  busy = false;
  rested();
}

/* Say it beside chips of which one has to be chosen before the form can be sent. */
function isLacking(form) {
  const said = [...form.querySelectorAll("[data-needed]")].find((words) => !words.parentElement.querySelector("input:checked"));
  if (!said) return false;
  said.hidden = false;
  said.parentElement.querySelector("input")?.focus();
  return true;
}

function onSubmit(event) {
  const { target: form, submitter } = event;
  if (!form.matches("[data-queued]") || !tracker()) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (isLacking(form)) return;
  const act = actOf(form, submitter);
  form.elements.token.value = freshToken(form.elements.token.value);
  for (const field of form.querySelectorAll("input[type=text]")) field.value = "";
  if (!act || !counted(act)) return;
  act.does = form.does;
  act.fields.push(["turn", String(tableNow([...kept(), ...line]).turn)]);
  line.push(act);
  underWay(line);
  pressed(submitter);
  if (form.id === "t_roll") sendRoll(submitter);
  flush();
}

document.addEventListener("submit", onSubmit, { capture: true });
document.addEventListener("line", ({ detail: { up } }) => up && (line.length || kept().length) && flush());
for (const news of ["unsent", "table:fresh"]) document.addEventListener(news, show);
show();
