/* A press at the table that the server refused, told under the head of the table, which stays in view. */
import { said } from "./table-sequence.js";
import { whenWords } from "./when.js";

/* An act that was not done is shown until it is seen. */
export function tellClash({ what, at }, why) {
  const notice = document.querySelector("template[data-clash]").content.firstElementChild.cloneNode(true);
  notice.querySelector("[data-words]").textContent = said("refused", { what, when: whenWords(at), why });
  notice.querySelector("[data-drop-clash]").addEventListener("click", () => notice.remove());
  document.querySelector("[data-clashes]").append(notice);
}
