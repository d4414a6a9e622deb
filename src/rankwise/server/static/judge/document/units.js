// A text cut into what can be marked: words, or characters where words are not written apart.
// Positions are code points, as the server counts them.

/* eslint-disable no-misleading-character-class -- a joiner and a variant belong to the character before them */
const WORDS =
  /\s+|[\p{L}\p{M}\p{N}\p{Pc}]+(?:[’'.,·-][\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*|[^\p{M}][\p{M}\u200d\ufe0f]*|\p{M}+/gu;
const CHARACTERS = /[^\p{M}][\p{M}\u200d\ufe0f]*|\p{M}+/gu;
/* eslint-enable no-misleading-character-class */

function characters(text) {
  if (!("Segmenter" in Intl)) return text.match(CHARACTERS) ?? [];
  const cutter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return [...cutter.segment(text)].map((part) => part.segment);
}

// [{ text, start, end, isSpace }]; together they are the whole text.
export function cut(text, unit) {
  const parts = unit === "character" ? characters(text) : (text.match(WORDS) ?? []);
  let at = 0;
  return parts.map((part) => {
    const start = at;
    at += [...part].length;
    return { text: part, start, end: at, isSpace: part.trim() === "" };
  });
}

// The part of a text between two positions.
export const slice = (text, start, end) => [...text].slice(start, end).join("");
