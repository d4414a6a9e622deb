// A score from 0 to 100: a line to click on, arrows, or a number. There is no mark on the line until
// the judge puts one there.

import { node } from "../dom.js";
import { keyOf } from "../keys.js";

const ANCHORS = [
  [0, "nonsense"],
  [33, "flawed"],
  [66, "good"],
  [100, "perfect"],
];
const STEPS = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 };
const LEAPS = { PageUp: 10, PageDown: -10 };
const ENDS = { Home: 0, End: 100 };
const MIDDLE = 50;

const clamp = (value) => Math.min(100, Math.max(0, Math.round(value)));

export class ScoreLine {
  // *scored* gets the new score, or null; *beside* stands below the number.
  constructor({ label, showsValue, scored, beside }) {
    Object.assign(this, { showsValue, scored, value: null });
    this.thumb = node("span", { class: "thumb", hidden: true });
    this.track = node("div", {
      class: "track",
      role: "slider",
      tabindex: "0",
      "aria-label": label,
      "aria-valuemin": 0,
      "aria-valuemax": 100,
      onkeydown: (event) => this.#key(event),
    }, node("span", { class: "rail" }), this.thumb);
    this.entry = node("input", {
      class: "score-entry",
      type: "text",
      hidden: !showsValue,
      inputmode: "numeric",
      "data-number": true,
      maxlength: 3,
      placeholder: "–",
      autocomplete: "off",
      "aria-label": `${label} as a number, 0 to 100`,
      onchange: () => this.#typed({ isPartial: false }),
      oninput: () => this.#typed({ isPartial: true }),
    });
    const anchors = ANCHORS.map(([value, words]) =>
      node("span", { class: `anchor at-${value}` }, node("b", {}, String(value)), node("span", { class: "anchor-words" }, words)));
    this.element = node("div", { class: "score-row" },
      node("div", { class: "line" }, this.track, node("div", { class: "anchors", "aria-hidden": "true" }, ...anchors)),
      node("div", { class: "score-number" }, this.entry, beside));
    this.#pointing();
    this.draw(null);
  }

  #pointing() {
    const { track } = this;
    const set = (event) => {
      const box = track.getBoundingClientRect();
      this.scored(clamp((100 * (event.clientX - box.left)) / box.width));
    };
    track.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      track.setPointerCapture(event.pointerId);
      set(event);
    });
    track.addEventListener("pointermove", (event) => track.hasPointerCapture(event.pointerId) && set(event));
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = keyOf(event);
    const step = STEPS[key] === undefined ? LEAPS[key] : STEPS[key] * (event.shiftKey ? 5 : 1);
    if (step !== undefined) this.scored(this.value === null ? MIDDLE : clamp(this.value + step));
    else if (key in ENDS) this.scored(ENDS[key]);
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
    const isNumber = /^\d{1,3}$/.test(value) && Number(value) <= 100;
    this.entry.setAttribute("aria-invalid", String(value !== "" && !isNumber));
    if (isNumber) this.scored(Number(value));
    else if (value === "") this.scored(null);
    else if (!isPartial) this.draw(this.value);
  }

  draw(value) {
    this.value = value;
    const { track, thumb, entry } = this;
    thumb.hidden = value === null;
    thumb.style.insetInlineStart = `${value ?? 0}%`;
    track.classList.toggle("is-set", value !== null);
    track.style.setProperty("--score", `${value ?? 0}%`);
    track.setAttribute("aria-valuenow", String(value ?? MIDDLE));
    const words = this.showsValue ? String(value) : "a score is set";
    track.setAttribute("aria-valuetext", value === null ? "no score yet" : words);
    if (document.activeElement !== entry || value === null) entry.value = value === null ? "" : String(value);
  }
}
