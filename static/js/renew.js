/* The page that answered takes the place of this one, where it is the same. */
import { restore } from "./drafts.js";

export function renew(page, address) {
  const fresh = page.querySelector(".page");
  if (!fresh || new URL(address).pathname !== location.pathname) return;
  document.querySelector(".page").replaceWith(fresh);
  document.title = page.title;
  history.replaceState(null, "", address); /* loaded again, or kept, it is the page that is shown */
  delete document.documentElement.dataset.stood;
  window.htmx?.process(fresh);
  restore();
  document.dispatchEvent(new Event("page:fresh"));
}
