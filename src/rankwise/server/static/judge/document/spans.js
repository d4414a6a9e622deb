// Errors of one text, without any page: { start, end, severity, category } in code points, or
// { mark, severity, category } for what has no place in the text.

import { slice } from "./units.js";

export const isMark = (span) => "mark" in span;

export const overlap = (one, other) =>
  !isMark(one) && !isMark(other) && one.start < other.end && other.start < one.end;

// By place, marks last in the order in which they came.
export function inOrder(spans) {
  const placed = spans.filter((span) => !isMark(span)).sort((a, b) => a.start - b.start || a.end - b.end);
  return [...placed, ...spans.filter(isMark)];
}

export const wordsOf = (span, text) => (isMark(span) ? span.mark : slice(text, span.start, span.end));

// Whether an error is one of those given, and unchanged: null where its place is none of theirs.
export function isAsGiven(span, given) {
  const same = given.filter((one) => one.start === span.start && one.end === span.end && one.mark === span.mark);
  if (!same.length) return null;
  return same.some((one) => one.severity === span.severity && (one.category ?? null) === (span.category ?? null));
}

// The innermost error at a position, or -1.
export function at(spans, start, end) {
  const found = spans.flatMap((span, place) =>
    !isMark(span) && span.start < end && start < span.end ? [place] : [],
  );
  const length = (place) => spans[place].end - spans[place].start;
  return found.length ? found.reduce((best, place) => (length(place) < length(best) ? place : best)) : -1;
}

// The longest key that fits decides: "minor/fluency/punctuation" before "minor".
export function weight({ severity, category }, weights) {
  let key = `${severity}/${category ?? ""}`.toLowerCase();
  while (!(key in weights) && key.includes("/")) key = key.slice(0, key.lastIndexOf("/"));
  return weights[key] ?? 0;
}

export const penalty = (spans, weights) =>
  Math.round(1e6 * spans.reduce((sum, span) => sum + weight(span, weights), 0)) / 1e6;

// How severe, from 1 to 4, whatever severities are called; 0 is what weighs nothing.
export function level(severity, { severities, weights }) {
  const counted = severities.filter((name) => weights[name.toLowerCase()] > 0);
  const place = counted.indexOf(severity);
  if (place < 0) return 0;
  return counted.length < 2 ? 3 : 1 + Math.round((3 * place) / (counted.length - 1));
}
