// Nodes of the page. Data becomes text or an attribute, never markup.

/** @type {<Id extends PageId>(id: Id) => PageElements[Id]} the page has them all */
export const byId = (id) => /** @type {any} */ (document.getElementById(id));

// node("button", { type: "button", onclick: f }, "Text", otherNode): on… are listeners, true is an
// attribute without a value, false and null leave it out.
/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, any>} properties
 * @param {...(Node | string | null | undefined)} children
 */
export function node(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child !== null && child !== undefined) made.append(child);
  return made;
}

// Sets the text only if it changed, so that a live region does not speak twice.
/** @type {(element: Element, text: string) => void} */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** @param {HTMLElement} element */
export function show(element, visible = true) {
  element.hidden = !visible;
}

// Says a sentence to a screen reader.
export function announce(sentence) {
  setText(byId("live"), "");
  requestAnimationFrame(() => setText(byId("live"), sentence));
}

export function seconds(ms) {
  const whole = Math.round(ms / 1000);
  if (whole < 90) return `${whole} s`;
  const minutes = Math.round(whole / 60);
  return minutes < 90 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} h`;
}

export const timeOfDay = (ms) =>
  new Date(ms).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });

export function languageName(code) {
  try {
    return new Intl.DisplayNames(["en"], { type: "language" }).of(code.replaceAll("_", "-")) ?? code;
  } catch {
    return code; // not a code that the browser knows: shown as the organiser wrote it
  }
}
