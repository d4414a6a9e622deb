// The place in one text of a segment, shown at the same share of the way through the others.

import { announce } from "../dom.js";
import { stepOf, unitAfter } from "./walking.js";

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
  /** @type {EchoText[]} */ texts;

  // *texts* are those of one segment, the source first.
  constructor(texts) {
    this.texts = texts;
    for (const text of texts) {
      this.#point(text);
      // where errors are marked, the caret of marking says the place
      if (!text.rules?.severities.length && text.units.length) this.#walk(text);
    }
  }

  /** @param {EchoText} text */
  #point(text) {
    const { element } = text;
    /** @type {(event: any) => void} */
    const meant = (event) => {
      const part = event.target.closest?.(".unit");
      if (part) this.show(text, Number(part.dataset.unit));
    };
    // a finger has no place before it taps
    element.addEventListener("pointerover", (event) => event.pointerType !== "touch" && meant(event));
    element.addEventListener("click", meant);
    element.addEventListener("pointerleave", (event) => event.pointerType !== "touch" && this.clear());
    element.addEventListener("blur", () => this.clear());
  }

  // Arrows, Home and End go from word to word where they have nothing else to do.
  /** @param {EchoText} text */
  #walk(text) {
    /** @type {number | null} */ let place = null;
    text.element.tabIndex = 0;
    text.element.addEventListener("keydown", (event) => {
      const isPlain = !event.ctrlKey && !event.altKey && !event.metaKey;
      const step = isPlain ? stepOf(event.key, text.element) : null;
      if (step === null) return;
      event.preventDefault();
      const to = unitAfter(text.units, place, step);
      if (to === null) return;
      place = to;
      this.show(text, to);
      text.parts[to].toggleAttribute("data-caret", true);
      announce(text.units[to].text);
    });
  }

  // Lights up in the other texts what stands at the place of a unit of this one.
  /** @param {EchoText} text @param {number} unit */
  show(text, unit) {
    this.clear();
    const { start, end, isSpace } = text.units[unit];
    const length = text.units.at(-1)?.end ?? 0;
    if (isSpace) return;
    for (const other of this.texts) {
      if (other === text) continue;
      for (const place of unitsBetween(other.units, start / length, end / length))
        other.parts[place].toggleAttribute("data-echo", true);
    }
  }

  clear() {
    for (const { parts } of this.texts)
      for (const part of parts) {
        part.removeAttribute("data-echo");
        part.removeAttribute("data-caret");
      }
  }
}
