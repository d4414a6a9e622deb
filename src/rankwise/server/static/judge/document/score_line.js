// A score from 0 to 100, or a value on another scale: a line to click on, arrows, or a number. There is
// no mark on the line until the judge puts one there.

import { node } from "../dom.js";
import { keyOf } from "../keys.js";
import { isRightToLeft, t } from "../words.js";

/** @type {[at: number, words: string][]} */
const ANCHORS = [
  [0, t("nonsense")],
  [33, t("flawed")],
  [66, t("good")],
  [100, t("perfect")],
];
/**
 * @typedef {object} Scale
 * @property {number} low
 * @property {number} high
 * @property {number} step
 * @property {[at: number, words: string][]} anchors
 * @property {boolean} [isScore]
 */

/**
 * A score from 0 to 100 whose words stand at 0, 33, 66 and 100.
 * @param {[at: number, words: string][]} anchors
 * @returns {Scale}
 */
export const scoreScale = (anchors) => ({ low: 0, high: 100, step: 1, anchors, isScore: true });
const SCORE = scoreScale(ANCHORS);
const FORWARD = isRightToLeft ? -1 : 1; // the line grows where reading goes on
const STEPS = { ArrowRight: FORWARD, ArrowUp: 1, ArrowLeft: -FORWARD, ArrowDown: -1 };
const LEAPS = { PageUp: 10, PageDown: -10 };

/**
 * What stands below a line: its values, each with its words.
 * @param {Pick<Scale, "anchors" | "isScore">} scale
 */
export function anchorsOf({ anchors, isScore }) {
  const each = anchors.map(([value, words]) =>
    node("span", { class: isScore ? `anchor at-${value}` : "anchor" }, node("b", {}, String(value)), node("span", { class: "anchor-words" }, words)));
  return node("div", { class: isScore ? "anchors" : "anchors is-own", "aria-hidden": "true" }, ...each);
}

// The value of a scale that is nearest.
export function nearest(value, { low, high, step }) {
  const snapped = low + step * Math.round((value - low) / step);
  return Number(Math.min(high, Math.max(low, snapped)).toFixed(10));
}

export class ScoreLine {
  /** @type {boolean} */ showsValue;
  /** @type {(value: number | null) => void} */ scored;
  /** @type {typeof SCORE} */ scale;
  /** @type {number | null} */ value;

  // *scored* gets the new score, or null; *beside* stands below the number.
  constructor({ label, showsValue, scored, beside, scale = SCORE }) {
    Object.assign(this, { showsValue, scored, scale, value: null });
    const { low, high } = scale;
    this.thumb = node("span", { class: "thumb", hidden: true });
    this.track = node("div", {
      class: "track",
      role: "slider",
      tabindex: "0",
      "aria-label": label,
      "aria-valuemin": low,
      "aria-valuemax": high,
      onkeydown: (event) => this.#key(event),
    }, node("span", { class: "rail" }), this.thumb);
    this.entry = node("input", {
      class: "score-entry",
      type: "text",
      hidden: !showsValue,
      inputmode: scale.isScore ? "numeric" : "decimal",
      "data-number": true,
      maxlength: scale.isScore ? 3 : 10,
      placeholder: "–",
      autocomplete: "off",
      "aria-label": t("{label} as a number, {low} to {high}", { label, low, high }),
      onchange: () => this.#typed({ isPartial: false }),
      oninput: () => this.#typed({ isPartial: true }),
    });
    this.element = node("div", { class: "score-row" },
      node("div", { class: "line" }, this.track, anchorsOf(scale)),
      node("div", { class: "score-number" }, this.entry, beside));
    this.#pointing();
    this.draw(null);
  }

  #pointing() {
    const { track } = this;
    const set = (event) => {
      const box = track.getBoundingClientRect();
      const along = (event.clientX - box.left) / box.width;
      const share = isRightToLeft ? 1 - along : along;
      this.scored(this.#near(this.scale.low + share * (this.scale.high - this.scale.low)));
    };
    track.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      track.setPointerCapture(event.pointerId);
      set(event);
    });
    track.addEventListener("pointermove", (event) => track.hasPointerCapture(event.pointerId) && set(event));
  }

  #near(value) {
    return nearest(value, this.scale);
  }

  get #middle() {
    return this.#near((this.scale.low + this.scale.high) / 2);
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = keyOf(event);
    const { low, high, step: size } = this.scale;
    const step = STEPS[key] === undefined ? LEAPS[key] : STEPS[key] * (event.shiftKey ? 5 : 1);
    const ends = { Home: low, End: high };
    if (step !== undefined) this.scored(this.value === null ? this.#middle : this.#near(this.value + step * size));
    else if (key in ends) this.scored(ends[key]);
    else if (/^\d$/.test(key) && this.showsValue) this.#beginTyping(key);
    else if ((key === "Delete" || key === "Backspace") && this.value !== null) this.scored(null);
    else return;
    event.preventDefault();
  }

  #beginTyping(digit) {
    this.entry.value = digit;
    this.entry.focus();
    this.#typed({ isPartial: true });
  }

  #typed({ isPartial }) {
    const { value } = this.entry;
    const number = /^-?\d{1,7}([.,]\d{1,4})?$/.test(value) ? Number(value.replace(",", ".")) : NaN;
    const isNumber = number === this.#near(number);
    this.entry.setAttribute("aria-invalid", String(value !== "" && !isNumber));
    if (isNumber) this.scored(number);
    else if (value === "") this.scored(null);
    else if (!isPartial) this.draw(this.value);
  }

  draw(value) {
    this.value = value;
    const { track, thumb, entry } = this;
    thumb.hidden = value === null;
    const { low, high } = this.scale;
    const place = `${value === null ? 0 : (100 * (value - low)) / (high - low)}%`;
    thumb.style.insetInlineStart = place;
    track.classList.toggle("is-set", value !== null);
    track.style.setProperty("--score", place);
    track.setAttribute("aria-valuenow", String(value ?? this.#middle));
    const words = this.showsValue ? String(value) : t("a score is set");
    track.setAttribute("aria-valuetext", value === null ? t("no score yet") : words);
    if (document.activeElement !== entry || value === null) entry.value = value === null ? "" : String(value);
  }
}
