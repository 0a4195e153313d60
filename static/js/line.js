/* Whether the line is down. Nothing asks in the background: the browser's word, a request's fate and coming back to the page tell. */
const PATIENCE = 4000;
let down = false;

/* The browser only knows whether there is a network; whether the club's server is there, it must be asked. */
export async function reachable() {
  try {
    const answer = await fetch("/healthz", { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(PATIENCE) });
    return answer.ok;
  } catch {
    return false;
  }
}

/* Say how the line is; who cares hears the event "line". */
export function lineIs(up) {
  const isBack = down && up;
  down = !up;
  document.dispatchEvent(new CustomEvent("line", { detail: { up, isBack } }));
}

export async function look() {
  lineIs(await reachable());
}

window.addEventListener("online", look);
window.addEventListener("offline", look);
document.addEventListener("visibilitychange", () => {
  if (down && document.visibilityState === "visible") look();
});
