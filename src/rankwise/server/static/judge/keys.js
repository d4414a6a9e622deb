// Keys. Cards own the letters from A on; an action whose letter a card owns needs Shift. Every
// action's key can be changed, and all of them can be switched off.

import { isForPlayer } from "./source_asset.js";
import { t } from "./words.js";

export const ACTIONS = [
  ["submit", "Enter", t("Submit")],
  ["differences", "d", t("Show or hide differences")],
  ["context", "x", t("Show or hide context")],
  ["undo", "z", t("Undo the last answer (for 10 seconds)")],
  ["skip", "s", t("Skip this screen")],
  ["comment", "c", t("Write a comment")],
  ["back", "v", t("Look back at earlier answers")],
  ["guidelines", "g", t("Guidelines")],
  ["pause", "p", t("Pause")],
  ["larger", "+", t("Larger text")],
  ["smaller", "-", t("Smaller text")],
  ["help", "?", t("This list")],
];

const TEXT_FIELDS = "textarea, select, [contenteditable], input:not([type=radio]):not([type=checkbox])";

// The key as on a Latin keyboard: a judge who writes Arabic or Russian presses the same places.
export function keyOf({ key, code = "", shiftKey }) {
  if (key.length !== 1 || key <= "~") return key;
  const place = /^(?:Key([A-Z])|Digit(\d))$/.exec(code);
  if (!place) return key;
  return place[2] ?? (shiftKey ? place[1] : place[1].toLowerCase());
}

const isCard = (key, letters) => key.length === 1 && key >= "a" && key < String.fromCharCode(97 + letters);

export function keymap(changes = {}) {
  return new Map(ACTIONS.map(([name, key]) => [name, changes[name] || key]));
}

// How a key is written for people, given how many letters the cards own.
export function label(key, letters) {
  return isCard(key, letters) ? `Shift+${key.toUpperCase()}` : key;
}

export function actionFor(event, keys, letters) {
  for (const [name, key] of keys) {
    if (event.key === key && !isCard(key, letters)) return name;
    if (/^[a-z]$/.test(key) && event.shiftKey && event.key.toLowerCase() === key) return name;
  }
  return null;
}

// The place of the card whose letter was pressed, or null.
export function cardFor(event, letters) {
  if (event.shiftKey || !isCard(event.key, letters)) return null;
  return event.key.charCodeAt(0) - 97;
}

export const rankFor = (event, most) => {
  const digit = /^[1-9]$/.test(event.key) ? Number(event.key) : null;
  return digit !== null && digit <= most ? digit : null;
};

// A field for a number wants digits and the keys that edit; letters and Enter are free there.
const isWriting = (event) =>
  event.target.closest?.("[data-number]")
    ? !/^([^\d]|Enter)$/.test(event.key)
    : event.target.closest?.(TEXT_FIELDS);

const isForOthers = (event) =>
  event.defaultPrevented ||
  event.ctrlKey ||
  event.metaKey ||
  event.altKey ||
  event.isComposing ||
  isWriting(event) ||
  isForPlayer(event) ||
  document.querySelector("dialog[open]");

// *settings* is asked at every key; *protocol* sees a key first, *run* gets the action.
/** @param {{ settings: () => Likings, protocol: () => Protocol | null | undefined, run: (action: string) => void }} what */
export function listen({ settings, protocol, run }) {
  document.addEventListener("keydown", (event) => {
    if (!settings().keys || isForOthers(event)) return;
    const target = /** @type {Element} */ (event.target);
    if (event.key === "Enter" && target.closest?.("button, a, summary")) return;
    const current = protocol();
    const press = { key: keyOf(event), shiftKey: event.shiftKey, target };
    if (current?.key(press)) return event.preventDefault();
    const action = event.repeat ? null : actionFor(press, keymap(settings().keymap), current?.letters ?? 0);
    if (action === null) return;
    event.preventDefault();
    run(action);
  });
}
