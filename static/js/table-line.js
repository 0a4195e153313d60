/* data-line-words: whether the table is in sync, or for how long its phone has been offline. */
import { isEnded, tracker } from "./table-pieces.js";

let heard = Date.now();
let clock = 0;

const two = (number) => String(number).padStart(2, "0");

/* An ended table is asked for no more: its link to look again stays. */
export function say(up) {
  clearTimeout(clock);
  if (up) heard = Date.now();
  else if (tracker()) clock = setTimeout(say, 1000, false);
  const seconds = Math.round((Date.now() - heard) / 1000);
  const words = document.querySelector("[data-line-words]");
  const now = words && (up ? words.dataset.up : words.dataset.down.replace("{time}", `${Math.floor(seconds / 60)}:${two(seconds % 60)}`));
  if (words && words.textContent !== now && !(up && isEnded())) words.textContent = now;
  tracker()?.toggleAttribute("data-no-line", !up);
}
