/* What the server sends of the table of a battle: elements, each for the place of the one with its id. */
import { line } from "./table-waiting.js";

export const tracker = () => document.querySelector("[data-tracker]");
export const isEnded = () => tracker()?.dataset.ended !== undefined;

let leaving = false;

const number = (version) => Number.parseInt(version, 10) || 0;
export const shown = () => number(tracker()?.dataset.version);

/* One piece: in the place of the element with its id, or on top of the list that it names. What is read aloud keeps its element, a list to
   choose from what was chosen in it, and what was unfolded stays unfolded. */
function put(piece) {
  const there = document.getElementById(piece.id);
  const chosen = [...(piece.options ?? [])].find(({ value }) => value === there?.value);
  if (chosen) chosen.selected = true;
  for (const { id } of there?.querySelectorAll("details[open][id]") ?? []) piece.querySelector(`#${CSS.escape(id)}`)?.toggleAttribute("open", true);
  if (there?.getAttribute("role") === "status") {
    if (there.textContent !== piece.textContent) there.textContent = piece.textContent;
  } else if (there) there.replaceWith(piece);
  else if (piece.dataset.into) document.getElementById(piece.dataset.into)?.prepend(piece);
}

/* An older answer that comes late is not put. Returns what the answer says of the act. */
function apply(text, version) {
  const focused = document.activeElement?.id;
  const pieces = new DOMParser().parseFromString(text, "text/html");
  const told = pieces.querySelector("#t_answer")?.textContent.trim() ?? "";
  if (number(version) >= shown()) {
    for (const piece of [...pieces.body.children]) put(piece);
    tracker().dataset.version = version;
  }
  if (focused && document.activeElement?.id !== focused) document.getElementById(focused)?.focus({ preventScroll: true });
  window.htmx?.process(document.body); /* a roll's form opens within the page from new pieces too */
  document.dispatchEvent(new Event("table:fresh"));
  return told;
}

/* What the server answered, put on the page. Returns the sentence it says; throws where it could not answer. While a press is under way
   only its own answer leads away from the page, which would else be left before it has come. */
export async function take(answer, toPress = false) {
  if (answer.status >= 500 || answer.status === 429) throw new Error("The server could not answer.");
  const { headers } = answer;
  if (answer.redirected || [401, 403, 404].includes(answer.status)) throw new Error("Signed out, or no longer one's own.");
  if (leaving) return "";
  leaving = headers.has("X-Table-Go");
  if (leaving) location.assign(headers.get("X-Table-Go"));
  else if (headers.has("X-Table-Reload")) {
    if (toPress || !line.length) location.reload();
  } else if (answer.status !== 204) return apply(await answer.text(), headers.get("X-Table-Version"));
  return "";
}

window.addEventListener("pageshow", () => {
  leaving = false; /* back on a page that the browser kept */
});
