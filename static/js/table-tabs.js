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
  document.getElementById("t_deeds").open = true;
  document.getElementById("t_deeds").scrollIntoView({ block: "start", behavior: "instant" });
  document.getElementById("t_deed_options").focus({ preventScroll: true });
  return true;
}

/* The tab that a link leads to on this page, if any. */
function tabOf(link) {
  const { pathname, searchParams } = new URL(link.href);
  const [tab, ...others] = [...searchParams.keys()];
  if (pathname !== location.pathname || tab !== "tab" || others.length || link.closest("[data-line-words]")) return null;
  return document.querySelector(`[data-tab-of="${CSS.escape(searchParams.get("tab"))}"]`);
}

document.addEventListener("click", (event) => {
  const link = tracker() && event.target.closest("a[href]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const deed = new URL(link.href).searchParams.get("deed");
  const tab = tabOf(link);
  if (tab) {
    showTab(tab);
    if (tab !== link) document.querySelector("[data-pane][data-current]").scrollIntoView({ block: "start", behavior: "instant" });
    link.closest(".table-open")?.removeAttribute("open");
  }
  else if (!deed || !nameForDeed(deed)) return;
  event.preventDefault();
});
