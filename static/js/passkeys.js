/* A form with data-passkey asks the browser for a passkey or security key ("get"), or for a new one ("create"), and sends what it
   answers. The options stand in the page (data-passkey-options), or the form's address gives them. */
const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
const text = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const keys = (list) => (list ?? []).map((key) => ({ ...key, id: bytes(key.id) }));

function asked(options) {
  const { publicKey } = options;
  const made = { ...publicKey, challenge: bytes(publicKey.challenge) };
  if (publicKey.user) made.user = { ...publicKey.user, id: bytes(publicKey.user.id) };
  if (publicKey.excludeCredentials) made.excludeCredentials = keys(publicKey.excludeCredentials);
  if (publicKey.allowCredentials) made.allowCredentials = keys(publicKey.allowCredentials);
  return { publicKey: made };
}

function told(credential) {
  const names = ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"];
  const parts = names.filter((name) => credential.response[name]).map((name) => [name, text(credential.response[name])]);
  return {
    id: credential.id,
    rawId: text(credential.rawId),
    type: credential.type,
    authenticatorAttachment: credential.authenticatorAttachment,
    clientExtensionResults: credential.getClientExtensionResults(),
    response: { ...Object.fromEntries(parts), transports: credential.response.getTransports?.() },
  };
}

/* One that stands for the password stays on the device and asks who holds it. */
function passwordless(options, form) {
  const wish = form.elements.passwordless;
  const selection = options.publicKey.authenticatorSelection;
  if (!wish || !selection) return;
  selection.residentKey = wish.checked ? "required" : "discouraged";
  selection.requireResidentKey = wish.checked;
  if (wish.checked) selection.userVerification = "required";
}

async function optionsOf(form) {
  const kept = document.getElementById(form.dataset.passkeyOptions);
  if (kept) return JSON.parse(kept.textContent);
  const answer = await fetch(form.action, { headers: { Accept: "application/json" } });
  if (!answer.ok) throw new Error(answer.statusText);
  return (await answer.json()).request_options;
}

async function press(form) {
  const failed = form.querySelector("[data-passkey-failed]");
  if (failed) failed.hidden = true;
  try {
    const options = await optionsOf(form);
    passwordless(options, form);
    const credential = await navigator.credentials[form.dataset.passkey](asked(options));
    form.elements.credential.value = JSON.stringify(told(credential));
    HTMLFormElement.prototype.submit.call(form);
  } catch {
    if (failed) failed.hidden = false; /* cancelled, or no key of this site */
  }
}

if (window.PublicKeyCredential && window.isSecureContext) {
  for (const form of document.querySelectorAll("[data-passkey]")) {
    const button = [...form.elements].find((element) => "passkeyPress" in element.dataset);
    form.hidden = false;
    if (button) button.hidden = false;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      press(form);
    });
  }
  for (const words of document.querySelectorAll("[data-passkey-cannot]")) words.hidden = true;
}
