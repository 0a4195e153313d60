/* What this device keeps for the person signed in: drafts and unsent acts, nothing where they said that it is not theirs. */
const { user = "", borrowed } = document.documentElement.dataset;
const OURS = "muster-roll:";
const MINE = `${OURS}${user}:`;
const LONGEST = 14 * 24 * 60 * 60 * 1000;
const MOST_CHARACTERS = 200 * 1024;

export const keeps = user !== "" && borrowed === undefined;

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null; /* not ours, or cut short: as good as nothing */
  }
}

export function read(key) {
  try {
    return keeps ? parsed(localStorage.getItem(MINE + key)) : null;
  } catch {
    return null; /* a browser that lets nobody keep anything */
  }
}

/* Keep it with its hour. False where this device keeps nothing, or has no room. */
export function write(key, value) {
  if (!keeps) return false;
  try {
    localStorage.setItem(MINE + key, JSON.stringify({ at: Date.now(), ...value }));
    prune();
    return true;
  } catch {
    return false;
  }
}

export function drop(key) {
  if (keeps) localStorage.removeItem(MINE + key);
}

/* Drafts older than two weeks go, and the oldest where they take too much room. What waits to be sent stays. */
function prune() {
  const drafts = Object.keys(localStorage).filter((name) => name.startsWith(OURS) && name.includes(":draft:"));
  const aged = drafts.map((name) => [parsed(localStorage.getItem(name))?.at ?? 0, name]).sort(([a], [b]) => b - a);
  let room = MOST_CHARACTERS;
  for (const [at, name] of aged) {
    room -= name.length + localStorage.getItem(name).length;
    if (room < 0 || at < Date.now() - LONGEST) localStorage.removeItem(name);
  }
}

/* Signed out: nothing of anybody stays. The server asks the browser for the same; not every one listens. */
export async function forgetEverything() {
  for (const name of Object.keys(localStorage)) if (name.startsWith(OURS)) localStorage.removeItem(name);
  for (const name of (await window.caches?.keys()) ?? []) if (name.startsWith("pages-")) await caches.delete(name);
}
