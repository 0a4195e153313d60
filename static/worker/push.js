/* A push message is shown, and a press on it opens its page: in a window of the site that is open, else in a new one. */
function toldBy(data) {
  try {
    return data?.json() ?? {};
  } catch {
    return {}; /* not ours: something must be shown all the same */
  }
}

/* Only pages of this site. */
function pageOf(url) {
  const address = new URL(url || "/", self.location.origin);
  return address.origin === self.location.origin ? address.href : `${self.location.origin}/`;
}

self.addEventListener("push", (event) => {
  const { title = "Muster Roll", body = "", url = "/", tag = "" } = toldBy(event.data);
  const { icon } = self.facts;
  event.waitUntil(self.registration.showNotification(title, { body, tag, icon, badge: icon, data: { url: pageOf(url) } }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openPage(event.notification.data?.url ?? `${self.location.origin}/`));
});

async function openPage(url) {
  const windows = await self.clients.matchAll({ type: "window" });
  const open = windows.find((window) => window.url === url);
  if (open) return open.focus();
  return self.clients.openWindow(url);
}
