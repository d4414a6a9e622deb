// The place in one text of a segment, shown at the same share of the way through the others.

// The numbers of the units between two shares of a text: at least one, unless there is no word.
export function unitsBetween(units, from, to) {
  const length = units.at(-1)?.end ?? 0;
  const words = units.flatMap((unit, place) => (unit.isSpace ? [] : [{ ...unit, place }]));
  const found = words.filter(({ start, end }) => start < to * length && end > from * length);
  if (found.length || !words.length) return found.map(({ place }) => place);
  const middle = ((from + to) / 2) * length;
  const away = ({ start, end }) => Math.abs((start + end) / 2 - middle);
  return [words.reduce((best, word) => (away(word) < away(best) ? word : best)).place];
}

export class Echo {
  // *texts*: { element, units, parts } of one segment, the source first.
  constructor(texts) {
    this.texts = texts;
    for (const text of texts) this.#listen(text);
  }

  #listen(text) {
    text.element.addEventListener("pointerover", (event) => {
      const part = event.pointerType === "touch" ? null : event.target.closest?.(".unit");
      if (part) this.show(text, Number(part.dataset.unit));
    });
    text.element.addEventListener("pointerleave", () => this.clear());
    text.element.addEventListener("blur", () => this.clear());
  }

  // Lights up in the other texts what stands at the place of a unit of this one.
  show(text, unit) {
    this.clear();
    const { start, end, isSpace } = text.units[unit];
    const length = text.units.at(-1).end;
    if (isSpace) return;
    for (const other of this.texts) {
      if (other === text) continue;
      for (const place of unitsBetween(other.units, start / length, end / length))
        other.parts[place].toggleAttribute("data-echo", true);
    }
  }

  clear() {
    for (const { parts } of this.texts) for (const part of parts) part.removeAttribute("data-echo");
  }
}
