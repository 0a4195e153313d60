/* What came of an act that had waited, as toasts; where it was not done, what counted on from it is not sent either. */
import { following, leftOut } from "./table-sequence.js";
import { toastFor } from "./toasts.js";
import { acts, forget } from "./unsent.js";

const undone = (act, why) => toastFor("undone", { what: act.what, why, href: act.page });

export function told(act, answer, page) {
  const own = [...page.querySelectorAll("#toasts > [data-toast]")];
  const why = page.querySelector("#answer p, #just_done p, #toasts > p")?.firstChild?.textContent.trim() ?? "";
  if (answer.ok) return own.length ? own : [toastFor("sent", { what: act.what, why })];
  const left = following(act, acts());
  for (const { token } of left) forget(token);
  return [undone(act, why), ...left.map((other) => undone(other, leftOut()))];
}
