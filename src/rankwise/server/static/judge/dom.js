// Nodes of the page. Data becomes text or an attribute, never markup.

import { t } from "./words.js";

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
  if (whole < 90) return t("{n} s", { n: whole });
  const minutes = Math.round(whole / 60);
  return minutes < 90 ? t("{n} min", { n: minutes }) : t("{n} h", { n: (minutes / 60).toFixed(1) });
}
