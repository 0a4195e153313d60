/* Every form that writes keeps what is typed on this device, until the server took it; opened again, it has it back. */
import { drop, keeps, read, write } from "./device.js";
import { putBack, typedValues } from "./fields.js";
import { whenWords } from "./when.js";

const LOOSE = new Set(["csrfmiddlewaretoken", "token", "seen", "checked"]);

/* A form is known by its page, its id or address, and by what it carries hidden. */
export function keyOf(form) {
  const hidden = [...form.elements].filter((field) => field.type === "hidden" && !LOOSE.has(field.name));
  const marks = hidden.map((field) => `${field.name}=${field.value}`).sort();
  return `draft:${location.pathname}:${[form.getAttribute("id") ?? "", form.getAttribute("action") ?? "", ...marks].join("&")}`;
}

const isWriting = (form) => form?.getAttribute?.("method")?.toLowerCase() === "post";

function keep({ target }) {
  const form = target.form;
  if (!isWriting(form) || !form.isConnected) return;
  const key = keyOf(form);
  const values = typedValues(form, read(key)?.values);
  if (Object.keys(values).length) write(key, { values });
}

function tell(form, key, at) {
  const template = document.querySelector("template[data-draft-told]");
  const notice = template?.content.firstElementChild.cloneNode(true);
  if (!notice) return;
  const words = notice.querySelector("[data-words]");
  words.textContent = words.textContent.replace("{when}", whenWords(at));
  notice.querySelector("[data-discard]").addEventListener("click", () => {
    drop(key);
    form.reset();
    notice.remove();
  });
  form.before(notice);
}

export function restore() {
  if (!keeps) return;
  for (const form of document.forms) {
    const draft = isWriting(form) && read(keyOf(form));
    if (draft?.values && putBack(form, draft.values)) tell(form, keyOf(form), draft.at);
  }
}

document.addEventListener("input", keep);
document.addEventListener("change", keep);
document.addEventListener("htmx:after:swap", restore);
/* After all modules: sending.js first drops the draft of what the server took, also where the same page answers. */
queueMicrotask(restore);
