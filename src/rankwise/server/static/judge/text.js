// Texts that others wrote, as nodes: sentences that can be paired by position, hidden characters
// made visible on request, and the marks of a comparison.

import { node } from "./dom.js";
import { t } from "./words.js";

const HIDDEN =
  // eslint-disable-next-line no-control-regex -- these are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/u;

// Longer texts are shown whole: cutting a megabyte into sentences would hold up the page.
const LONGEST_CUT = 20000;

export function languageCode(name) {
  try {
    return Intl.getCanonicalLocales(name.replaceAll("_", "-"))[0] ?? null;
  } catch {
    return null;
  }
}

function sentences(text, language) {
  if (text.length > LONGEST_CUT || !("Segmenter" in Intl)) return [text];
  const cutter = new Intl.Segmenter(language ?? undefined, { granularity: "sentence" });
  return [...cutter.segment(text)].map((part) => part.segment);
}

function code(character) {
  return `U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
}

// The text with every hidden character as a small label.
export function revealed(text) {
  const parts = [];
  let plain = "";
  for (const character of text) {
    if (!HIDDEN.test(character)) plain += character;
    else {
      if (plain) parts.push(document.createTextNode(plain));
      plain = "";
      parts.push(node("span", { class: "hidden-character" }, code(character)));
    }
  }
  if (plain) parts.push(document.createTextNode(plain));
  return parts;
}

function plainNodes(text, { language, showHidden, isPaired }) {
  if (showHidden) return revealed(text);
  const parts = isPaired ? sentences(text, language) : [text];
  if (parts.length < 2) return [document.createTextNode(text)];
  return parts.map((part, place) => node("span", { class: "sentence", "data-sentence": place }, part));
}

// Missing words are shown by the style alone, so that the text stays what it is for whoever copies it.
/** @param {Mark[]} marks */
function markedNodes(marks) {
  return marks.map(({ text, changed, missing }) =>
    missing ? node("del", { class: "difference is-missing", "data-words": missing }) :
    changed ? node("mark", { class: "difference" }, text) : document.createTextNode(text),
  );
}

// Fills a <bdi> with a text. *marks* are the parts of a comparison: [{ text, changed, missing }]; sentences
// of context have no partners.
export function fill(element, text, { language, showHidden = false, marks = null, isPaired = true }) {
  const tag = languageCode(language);
  element.setAttribute("dir", "auto");
  if (tag) element.setAttribute("lang", tag);
  const empty = text === "" ? [node("span", { class: "no-text" }, t("(empty)"))] : null;
  element.replaceChildren(
    ...(empty ?? (marks ? markedNodes(marks) : plainNodes(text, { language: tag, showHidden, isPaired }))),
  );
}

// Pointing at a sentence lights up those at the same place in the other texts.
export function pairSentences(root) {
  const light = (place) => {
    for (const part of root.querySelectorAll(".sentence.is-paired")) part.classList.remove("is-paired");
    if (place === undefined) return;
    for (const part of root.querySelectorAll(`.sentence[data-sentence="${place}"]`))
      part.classList.add("is-paired");
  };
  root.addEventListener("pointerover", (event) =>
    light(event.target.closest?.(".sentence")?.dataset.sentence),
  );
  root.addEventListener("pointerleave", () => light(undefined));
}
