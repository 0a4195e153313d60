/* data-tab-of: on a narrow screen one side of the table, or its log, at a time. Naming a fighter for a deed goes to the form of deeds. */
import { tracker } from "./table-pieces.js";

function showTab(link) {
  tracker().dataset.tab = link.dataset.tabOf;
  for (const other of document.querySelectorAll("[data-tab-of]")) other.removeAttribute("aria-current");
  link.setAttribute("aria-current", "page");
  for (const pane of document.querySelectorAll("[data-pane]")) {
    pane.toggleAttribute("data-current", pane.dataset.pane === link.dataset.tabOf);
  }
  history.replaceState(null, "", link.href);
}

function nameForDeed(key) {
  const who = document.getElementById("t_deed_who");
  const option = [...(who?.options ?? [])].find(({ value }) => value.endsWith(`:${key}`));
  if (!option) return false;
  option.selected = true;
  document.getElementById("t_deeds").scrollIntoView({ block: "start", behavior: "instant" });
  document.getElementById("t_deed_options").focus({ preventScroll: true });
  return true;
}

document.addEventListener("click", (event) => {
  const link = tracker() && event.target.closest("a[href]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const deed = new URL(link.href).searchParams.get("deed");
  if (link.dataset.tabOf) showTab(link);
  else if (!deed || !nameForDeed(deed)) return;
  event.preventDefault();
});
