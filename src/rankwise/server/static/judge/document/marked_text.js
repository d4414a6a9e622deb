// A text in which places are chosen: by dragging with a mouse, by two taps on a touch screen, by
// arrows and Shift on a keyboard. It shows the errors that were marked.

import { announce, node } from "../dom.js";
import { languageCode, revealed } from "../text.js";
import { at, isMark, level } from "./spans.js";
import { cut } from "./units.js";
import { stepOf, unitAfter } from "./walking.js";
import { own, t } from "../words.js";

export class MarkedText {
  /** @type {string} */ text;
  /** @type {SpanRules} */ rules;
  /** @type {() => void} */ picked;
  /** @type {(place: number) => void} */ hit;
  /** @type {{ anchor: number, focus: number } | null} */ place;
  /** @type {Span[]} */ spans;
  /** @type {number | null} */ chosen;

  /** @type {number | null} */ #drag = null; // the unit where a mouse went down
  #taps = 0;

  // *picked* is told that another place was chosen, *hit* the number of an error that was pointed at.
  constructor({ text, rules, language, label, picked, hit }) {
    Object.assign(this, { text, rules, picked, hit, place: null, spans: [], chosen: null });
    this.units = cut(text, rules.unit);
    this.parts = this.units.map((one, place) => node("span", { class: "unit", "data-unit": place }, one.text));
    this.element = node("bdi", {
      class: "text marked-text",
      dir: "auto",
      lang: languageCode(language),
      role: "group", // a screen reader reads what is in it
      "aria-label": label,
      tabindex: "0",
    }, ...(text === "" ? [node("span", { class: "no-text" }, t("(empty)"))] : this.parts));
    if (rules.severities.length) this.#pointing();
  }

  showHidden(isOn) {
    this.parts.forEach((part, place) => {
      const { text } = this.units[place];
      part.replaceChildren(...(isOn ? revealed(text) : [text]));
    });
  }

  // ---- choosing a place: { anchor, focus } are numbers of units
  get range() {
    if (!this.place) return null;
    const { anchor, focus } = this.place;
    let [first, last] = anchor < focus ? [anchor, focus] : [focus, anchor];
    while (first < last && this.units[first].isSpace) first += 1;
    while (last > first && this.units[last].isSpace) last -= 1;
    return this.units[first].isSpace ? null : { start: this.units[first].start, end: this.units[last].end };
  }

  choose(anchor, focus = anchor) {
    this.place = { anchor, focus };
    this.draw();
    this.picked();
  }

  clear() {
    this.#taps = 0;
    if (!this.place) return;
    this.place = null;
    this.draw();
  }

  /** @param {EventTarget | null} target */
  #unitAt(target) {
    /** @type {HTMLElement | null | undefined} */
    const found = target instanceof Element ? target.closest(".unit") : null;
    return found && this.element.contains(found) ? Number(found.dataset.unit) : null;
  }

  #pointing() {
    const { element } = this;
    element.addEventListener("pointerdown", (event) => this.#down(event));
    element.addEventListener("pointermove", (event) => this.#moved(event));
    element.addEventListener("pointerup", () => this.#up());
    element.addEventListener("mousedown", (event) => event.preventDefault()); // no selection of the browser's
    element.addEventListener("click", (event) => this.#tapped(event));
  }

  #down(event) {
    this.isTouch = event.pointerType === "touch";
    if (this.isTouch || event.button !== 0) return;
    this.element.focus({ preventScroll: true });
    const unit = this.#unitAt(event.target);
    if (unit === null) return;
    this.element.setPointerCapture(event.pointerId);
    this.#drag = event.shiftKey && this.place ? this.place.anchor : unit;
    this.#isMoved = this.#drag !== unit;
    this.choose(this.#drag, unit);
  }

  #isMoved = false;

  #moved(event) {
    if (this.#drag === null) return;
    const unit = this.#unitAt(document.elementFromPoint(event.clientX, event.clientY));
    if (unit === null || unit === this.place?.focus) return;
    this.#isMoved = true;
    this.choose(this.#drag, unit);
  }

  // A click that went nowhere, on an error: that error is meant.
  #up() {
    if (this.#drag === null) return;
    const unit = this.units[this.#drag];
    this.#drag = null;
    if (!this.#isMoved) this.#hitAt(unit);
  }

  #hitAt({ start, end }) {
    const found = at(this.spans, start, end);
    if (found >= 0) this.hit(found);
  }

  // The first tap chooses a word, the second one the place up to another word.
  #tapped(event) {
    if (!this.isTouch) return;
    const unit = this.#unitAt(event.target);
    if (unit === null || this.units[unit].isSpace) return;
    this.element.focus({ preventScroll: true });
    if (this.#taps === 1 && this.place && unit !== this.place.anchor) {
      this.#taps = 2;
      this.choose(this.place.anchor, unit);
      return;
    }
    this.#taps = 1;
    this.choose(unit);
    this.#hitAt(this.units[unit]);
  }

  // ---- keys: true if it was for this text
  key({ key, shiftKey }) {
    if (!this.rules.severities.length || !this.units.length) return false;
    const step = stepOf(key, this.element);
    if (step === null) return false;
    const to = unitAfter(this.units, this.place?.focus ?? null, step);
    if (to === null) return true;
    this.choose(shiftKey && this.place ? this.place.anchor : to, to);
    this.#say(to);
    return true;
  }

  #say(place) {
    const { text, start, end } = this.units[place];
    const found = at(this.spans, start, end);
    announce(found < 0 ? text : `${text}, ${own(this.spans[found].severity ?? "")}`);
  }

  // ---- showing it
  draw(spans = this.spans, chosen = this.chosen) {
    Object.assign(this, { spans, chosen });
    const range = this.range;
    const worst = this.units.map(() => null);
    spans.forEach((span) => {
      if (isMark(span)) return;
      const found = level(span.severity, this.rules);
      this.units.forEach(({ start, end }, place) => {
        if (span.start < end && start < span.end) worst[place] = Math.max(worst[place] ?? 0, found);
      });
    });
    const inside = (place, { start, end }) => this.units[place].start < end && start < this.units[place].end;
    this.parts.forEach((part, place) => {
      const classes = ["unit"];
      if (worst[place] !== null) classes.push("is-error", `level-${worst[place]}`);
      if (range && inside(place, range)) classes.push("is-picked");
      if (this.place?.focus === place && !this.units[place].isSpace) classes.push("is-caret");
      if (chosen !== null && !isMark(spans[chosen]) && inside(place, spans[chosen])) classes.push("is-chosen-error");
      part.className = classes.join(" ");
    });
  }
}
