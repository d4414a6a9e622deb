// Going through a text by keys: from word to word as one sees them, to the first and to the last.

// What a key means in a text: 1 on, -1 back, ±Infinity to an end; null where it is no such key.
// Left and right are as one sees them, wherever a text begins.
export function stepOf(key, element) {
  if (key === "Home") return -Infinity;
  if (key === "End") return Infinity;
  if (key !== "ArrowLeft" && key !== "ArrowRight") return null;
  const isForward = (key === "ArrowRight") === (getComputedStyle(element).direction === "ltr");
  return isForward ? 1 : -1;
}

// The number of the word that a step leads to; null where there is none. *from* is null at first.
export function unitAfter(units, from, step) {
  const places = units.flatMap(({ isSpace }, place) => (isSpace ? [] : [place]));
  if (step === -Infinity) return places[0] ?? null;
  if (step === Infinity) return places.at(-1) ?? null;
  const start = from ?? (step > 0 ? -1 : units.length);
  const ahead = places.filter((place) => (step > 0 ? place > start : place < start));
  return (step > 0 ? ahead[0] : ahead.at(-1)) ?? null;
}
