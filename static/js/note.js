/* What this tab has sent and has no answer to yet. */
const NOTE = "muster-roll:sent";

export function note(sent) {
  try {
    sessionStorage.setItem(NOTE, JSON.stringify({ at: Date.now(), page: location.href, ...sent }));
  } catch {
    /* a browser that lets nobody keep anything: then it goes out like any form */
  }
}

/* The note, taken off; null where nothing is open. */
export function takenNote() {
  try {
    const sent = JSON.parse(sessionStorage.getItem(NOTE));
    sessionStorage.removeItem(NOTE);
    return sent;
  } catch {
    return null;
  }
}
