/* What a phone asks of its table: what changed since the version shown; and what it sends, to hear the same. */
import { tracker } from "./table-pieces.js";

const PATIENCE = 8000;
let sending = 0;

export const isSending = () => sending > 0;

export async function ask(options = {}) {
  const { tracker: here, version } = tracker().dataset;
  const address = `${here}?since=${encodeURIComponent(version)}`;
  const how = { cache: "no-store", headers: { "X-Table": "1" }, signal: AbortSignal.timeout(PATIENCE) };
  if (!options.method) return fetch(address, { ...how, referrerPolicy: "no-referrer" }); /* short: it is asked by the hundred */
  sending += 1;
  try {
    const answer = await fetch(address, { ...how, ...options });
    if (answer.status < 500 && answer.status !== 429) document.dispatchEvent(new Event("table:pressed"));
    return answer;
  } finally {
    sending -= 1;
  }
}
