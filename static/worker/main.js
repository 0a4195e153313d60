/* What the worker answers: pages that are opened, what is sent while the line is down, and what pages wear. Fragments go past it. */
self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(dress());
});

self.addEventListener("activate", (event) => {
  event.waitUntil(Promise.all([tidy(), self.clients.claim()]));
});

/* Signing in and out, passwords and one's account never pass through here. */
const SIGNS = /^\/(accounts\/(login|signup|logout)|account\/(demo-login|delete))\//; /* somebody else may read from here on */
const PRIVATE = /^\/(accounts?|admin)\//;

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (address.origin === self.location.origin && request.method === "POST" && SIGNS.test(address.pathname)) {
    event.waitUntil(forgetOthers("none"));
  }
  if (address.origin !== self.location.origin || PRIVATE.test(address.pathname)) return;
  if (request.method === "GET" && address.pathname.startsWith(self.facts.static)) {
    event.respondWith(wear(request));
  } else if (request.mode === "navigate" && request.method === "GET") {
    const asked = fetch(request);
    event.waitUntil(asked.then((answer) => keepPage(request.url, answer)).catch(() => {}));
    event.respondWith(showPage(request, asked));
  } else if (request.method === "GET" && BESIDE.test(address.pathname)) {
    event.respondWith(showBeside(request));
  } else if (request.mode === "navigate" && request.method === "POST") {
    event.respondWith(fetch(request).catch(() => nothing("unsent")));
  }
});

/* The first page was opened before there was a worker: it says so, and is asked for once more. */
self.addEventListener("message", (event) => {
  const address = event.data?.keep;
  if (!address || new URL(address).origin !== self.location.origin || PRIVATE.test(new URL(address).pathname)) return;
  event.waitUntil(fetch(address).then((answer) => keepPage(answer.url, answer)).catch(() => {}));
});
