/* data-push holds the site's public key: the button in it lets this browser take push messages, and tells the site its address. */
const box = document.querySelector("[data-push]");

function bytes(text) {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

function deviceName() {
  const agent = navigator.userAgent;
  const browser = ["Firefox", "Edg", "OPR", "SamsungBrowser", "Chrome", "Safari"].find((name) => agent.includes(name)) ?? "";
  const system = ["Android", "iPhone", "iPad", "Windows", "Mac OS", "CrOS", "Linux"].find((name) => agent.includes(name)) ?? "";
  return [browser.replace("Edg", "Edge").replace("OPR", "Opera"), system].filter(Boolean).join(", ");
}

function tell(what) {
  for (const name of ["cannot", "denied", "failed"]) box.querySelector(`[data-push-${name}]`).hidden = name !== what;
}

async function subscription(worker) {
  const key = bytes(box.dataset.push);
  const old = await worker.pushManager.getSubscription();
  const isSame = old?.options.applicationServerKey && bytesEqual(new Uint8Array(old.options.applicationServerKey), key);
  if (old && !isSame) await old.unsubscribe(); /* the site has new keys */
  return old && isSame ? old : worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

function bytesEqual(one, other) {
  return one.length === other.length && one.every((byte, place) => byte === other[place]);
}

async function add() {
  if ((await Notification.requestPermission()) !== "granted") return tell("denied");
  const taken = await subscription(await navigator.serviceWorker.ready);
  const answer = await fetch(box.dataset.pushTo, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-CSRFToken": document.documentElement.dataset.csrf },
    body: JSON.stringify({ ...taken.toJSON(), name: deviceName() }),
  });
  if (answer.ok) return location.reload();
  const { words } = await answer.json().catch(() => ({}));
  tell("failed");
  if (words) box.querySelector("[data-push-failed]").textContent = words;
}

if (box) {
  const button = box.querySelector("[data-push-add]");
  const can = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
  const isOurs = document.documentElement.dataset.borrowed === undefined;
  button.hidden = !can || !isOurs;
  if (!can) tell("cannot");
  button.addEventListener("click", () => add().catch(() => tell("failed")));
}
