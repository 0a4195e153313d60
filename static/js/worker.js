/* The worker keeps what pages wear and the pages opened last. It comes only to people who are signed in on a device of their own. */
import { keeps } from "./device.js";

async function invite() {
  const first = !navigator.serviceWorker.controller;
  await navigator.serviceWorker.register("/sw.js");
  const { active } = await navigator.serviceWorker.ready;
  if (first) active.postMessage({ keep: location.href }); /* it did not see this page come */
}

if (keeps && "serviceWorker" in navigator) {
  window.addEventListener("load", () => invite().catch(() => {})); /* refused: then there are no pages without line */
}
