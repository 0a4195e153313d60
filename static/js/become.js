/* Make an element what the server drew. Only what differs is touched, so the browser styles and lays out no more than that;
   what has the focus, is open or is ticked stays so. */
const OURS = new Set(["data-htmx-powered", "draggable"]); /* set by scripts; the server never draws them */
const ACTS = "[hx-get], [hx-post]";

const TYPED = "textarea, select, input:not([type=hidden], [type=checkbox], [type=radio])";

const isElement = (node) => node.nodeType === Node.ELEMENT_NODE;
const isAlike = (one, other) => one.nodeName === other.nodeName && (!isElement(one) || one.id === other.id);
const isKept = (element, name) => OURS.has(name) || (name === "open" && element.id && element.nodeName === "DETAILS");

export function takeAttributes(old, fresh) {
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name) && !isKept(old, name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value && !isKept(old, name)) old.setAttribute(name, value);
  if (old.matches(TYPED)) old.value = fresh.value;
}

function bring(parent, node, place) {
  parent.insertBefore(node, place);
  if (isElement(node) && (node.matches(ACTS) || node.querySelector(ACTS))) window.htmx?.process(node);
}

function takeNode(old, fresh) {
  if (isElement(old)) become(old, fresh);
  else if (old.data !== fresh.data) old.data = fresh.data;
}

/* Children with an id are found by it, the others by their order. */
function takeChildren(old, fresh) {
  const wanted = [...fresh.childNodes];
  const ids = new Set(wanted.map((node) => node.id).filter(Boolean));
  const known = new Map([...old.children].filter(({ id }) => ids.has(id)).map((child) => [child.id, child]));
  let next = old.firstChild;
  const skip = () => { while (next?.id && !ids.has(next.id)) { const gone = next; next = next.nextSibling; gone.remove(); } };
  for (const node of wanted) {
    skip();
    const same = node.id ? known.get(node.id) : next;
    if (!same || !isAlike(same, node)) bring(old, node, next);
    else {
      if (same === next) next = next.nextSibling;
      else old.insertBefore(same, next);
      takeNode(same, node);
    }
  }
  while (next) { const gone = next; next = next.nextSibling; gone.remove(); }
}

export function become(old, fresh) {
  if (old.isEqualNode(fresh)) return;
  takeAttributes(old, fresh);
  if (old.matches("[role=status]")) {
    old.replaceChildren(...fresh.childNodes); /* told again, even if it is the same */
    if (old.querySelector(ACTS)) window.htmx?.process(old);
  } else takeChildren(old, fresh);
}
