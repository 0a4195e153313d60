/* The worker keeps what pages wear and the pages opened last. It comes only to people who are signed in on a device of their own. */
import { keeps } from "./device.js";

async function invite() {
  const first = !navigator.serviceWorker.controller;
  await navigator.serviceWorker.register("/sw.js");
  const { active } = await navigator.serviceWorker.ready;
  if (!first) return;
  const beside = document.querySelector("[data-attacks]")?.dataset.attacks;
  for (const place of [location.href, beside && new URL(beside, location.href).href]) {
    if (place) active.postMessage({ keep: place }); /* it did not see them come */
  }
}

if (keeps && "serviceWorker" in navigator) {
  window.addEventListener("load", () => invite().catch(() => {})); /* refused: then there are no pages without line */
}
