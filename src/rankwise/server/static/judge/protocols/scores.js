// Direct assessment: a score from 0 to 100 for each output. A line to click on, arrows, or a number;
// there is no mark on the line until the judge puts one there.

import { Cards } from "../cards.js";
import { anchorsOf, scoreScale } from "../document/score_line.js";
import { announce, node } from "../dom.js";
import { keyOf } from "../keys.js";
import { letter, outputs } from "../state.js";
import { isRightToLeft, t } from "../words.js";

/** @type {[at: number, words: string][]} */
const ANCHORS = [
  [0, t("nothing of the meaning")],
  [33, t("some of it")],
  [66, t("most of it")],
  [100, t("all of it, well said")],
];
const FORWARD = isRightToLeft ? -1 : 1; // the line grows where reading goes on
const STEPS = { ArrowRight: FORWARD, ArrowUp: 1, ArrowLeft: -FORWARD, ArrowDown: -1 };
const LEAPS = { PageUp: 10, PageDown: -10 };

// Where the first arrow puts the mark, whichever way it points.
const MIDDLE = 50;

const clamp = (value) => Math.min(100, Math.max(0, Math.round(value)));

class Scores {
  /** @type {() => void} */ changed;
  /** @type {boolean} */ showsValue;
  /** @type {(number | null)[]} */ values;

  hint = t("Keys: a letter chooses a card; arrows put a mark in the middle and move it by 1, with Shift by 5, Page Up and Down by 10; or type a number.");
  question = t("How well does each translation express the meaning of the source?");
  tools = [];

  constructor({ task, plan, changed }) {
    Object.assign(this, { changed, showsValue: plan.show_value });
    this.size = task.outputs.length;
    this.letters = this.size;
    this.values = Array(this.size).fill(null);
    this.cards = new Cards(task.outputs, { language: plan.target_language });
    this.lines = this.cards.all.map((card, place) => this.#controls(card, place));
    this.element = node("div", { class: "outputs scores" }, ...this.cards.all.map(({ element }) => element));
    this.draw();
  }

  #controls(card, place) {
    const thumb = node("span", { class: "thumb", hidden: true });
    const track = node("div", {
      class: "track",
      role: "slider",
      tabindex: "0",
      "aria-label": t("Score of output {letter}", { letter: letter(place) }),
      "aria-valuemin": 0,
      "aria-valuemax": 100,
    }, node("span", { class: "rail" }), thumb);
    const entry = node("input", {
      class: "score-entry",
      type: "text",
      hidden: !this.showsValue,
      inputmode: "numeric",
      "data-number": true,
      maxlength: 3,
      placeholder: "0–100",
      autocomplete: "off",
      "aria-label": t("Score of output {letter} as a number, 0 to 100", { letter: letter(place) }),
      onchange: () => this.#typed(place),
      oninput: () => this.#typed(place, { isPartial: true }),
    });
    this.#pointing(track, place);
    track.addEventListener("keydown", (event) => this.#keyOnTrack(event, place));
    card.element.append(node("div", { class: "score-row" }, node("div", { class: "line" }, track, anchorsOf(scoreScale(ANCHORS))), entry));
    return { track, thumb, entry };
  }

  #pointing(track, place) {
    const set = (event) => {
      const box = track.getBoundingClientRect();
      const share = (event.clientX - box.left) / box.width;
      this.score(place, 100 * (isRightToLeft ? 1 - share : share), { speak: false });
    };
    track.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      track.setPointerCapture(event.pointerId);
      set(event);
    });
    track.addEventListener("pointermove", (event) => track.hasPointerCapture(event.pointerId) && set(event));
  }

  #keyOnTrack(event, place) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = keyOf(event);
    const step = STEPS[key] === undefined ? LEAPS[key] : STEPS[key] * (event.shiftKey ? 5 : 1);
    const ends = { Home: 0, End: 100 };
    if (step !== undefined) this.score(place, this.values[place] === null ? MIDDLE : this.values[place] + step);
    else if (key in ends) this.score(place, ends[key]);
    else if (/^\d$/.test(key) && this.showsValue) this.#beginTyping(key, place);
    else return;
    event.preventDefault();
  }

  #beginTyping(digit, place) {
    const { entry } = this.lines[place];
    entry.value = digit;
    entry.focus();
    this.#typed(place, { isPartial: true });
  }

  #typed(place, { isPartial = false } = {}) {
    const { entry } = this.lines[place];
    const isNumber = /^\d{1,3}$/.test(entry.value) && Number(entry.value) <= 100;
    if (isNumber) this.score(place, Number(entry.value), { speak: !isPartial });
    else if (entry.value === "") this.score(place, null, { speak: false });
    else if (!isPartial) this.draw();
    entry.setAttribute("aria-invalid", String(entry.value !== "" && !isNumber));
  }

  score(place, value, { speak = true } = {}) {
    this.values = this.values.with(place, value === null ? null : clamp(value));
    this.draw();
    this.changed();
    if (speak && value !== null && this.showsValue) announce(t("Output {letter}: {value}", { letter: letter(place), value: this.values[place] }));
  }

  key(event) {
    if (/^\d$/.test(event.key) && this.cards.chosen !== null && this.showsValue) {
      this.#beginTyping(event.key, this.cards.chosen);
      return true;
    }
    const before = this.cards.chosen;
    const isHandled = this.cards.key(event);
    const { chosen } = this.cards;
    if (isHandled && chosen !== before && chosen !== null) this.lines[chosen].track.focus();
    return isHandled;
  }

  draw() {
    this.lines.forEach(({ track, thumb, entry }, place) => {
      const value = this.values[place];
      thumb.hidden = value === null;
      thumb.style.insetInlineStart = `${value ?? 0}%`;
      track.classList.toggle("is-set", value !== null);
      track.style.setProperty("--score", `${value ?? 0}%`);
      track.setAttribute("aria-valuenow", String(value ?? MIDDLE));
      track.setAttribute("aria-valuetext", value === null ? t("no score yet") : this.showsValue ? String(value) : t("a score is set"));
      if (document.activeElement !== entry) entry.value = value === null ? "" : String(value);
      this.cards.all[place].element.classList.toggle("is-ranked", value !== null);
    });
  }

  get summary() {
    if (!this.showsValue) return "";
    const given = this.values.flatMap((value, place) => (value === null ? [] : [`${letter(place)} ${value}`]));
    return given.join("   ");
  }

  get missing() {
    const open = this.values.flatMap((value, place) => (value === null ? [place] : []));
    if (!open.length) return null;
    return {
      sentence: t("Give {outputs} a score to submit.", { outputs: outputs(open) }),
      focus: () => {
        this.cards.choose(open[0], { focus: false });
        this.lines[open[0]].track.focus();
      },
    };
  }

  get answer() {
    return { scores: this.values };
  }

  get details() {
    return {};
  }

  get content() {
    return { scores: this.values };
  }

  restore({ scores }) {
    if (Array.isArray(scores) && scores.length === this.size) this.values = scores.slice();
    this.draw();
  }
}

export const create = (options) => new Scores(options);
