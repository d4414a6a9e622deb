// What can be asked about one segment of a document, besides its errors: ranks, which of two is better,
// adequacy and fluency, or a score. A kind makes the controls of a segment and knows what is missing.

import { chips, setChip } from "../cards.js";
import { node } from "../dom.js";
import { rankFor } from "../keys.js";
import { CHOICES, SIDES } from "../pair_choices.js";
import { dense, letter } from "../state.js";
import { t } from "../words.js";
import { ScoreLine, scoreScale } from "./score_line.js";

const fits = (values, size) => Array.isArray(values) && values.length === size;
const nothing = (size) => Array(size).fill(null);
const named = (place, row) => t("output {letter} of segment {number}", { letter: letter(place), number: row + 1 });

// Every kind: *said* is what was said about the segment, *say(said, kind)* says something else.
class Kind {
  static question = "";
  static keys = "";
  static hasLetters = true;

  /** @type {number} */ row;
  /** @type {number} */ size;
  /** @type {Plan} */ plan;
  /** @type {KindOptions["say"]} */ say;
  /** @type {any} */ said;

  // What stands below all columns, if anything does.
  /** @type {HTMLElement | null} */ verdict = null;

  /** @param {KindOptions} options */
  constructor({ row, size, plan, say }) {
    Object.assign(this, { row, size, plan, say, said: null });
  }

  /**
   * What an output gets below its text.
   * @param {number} _place
   * @returns {HTMLElement | null}
   */
  control(_place) {
    return null;
  }

  /**
   * What a key does, in words; null where it does nothing.
   * @param {Press} _event
   * @param {number | null} _place
   * @returns {string | null}
   */
  key(_event, _place) {
    return null;
  }

  /**
   * Where a judge goes on after a key: the place of the next open column, or null.
   * @param {number} _place
   * @returns {number | null}
   */
  next(_place) {
    return null;
  }

  /**
   * How an output stands beside the others of its segment.
   * @param {number} _place
   * @returns {string}
   */
  relative(_place) {
    return "";
  }

  /** @returns {{ place: number, what: string } | null} */
  get missing() {
    return null;
  }

  /** @param {any} said */
  draw(said) {
    this.said = said;
  }

  /** @param {number} _place */
  focus(_place) {}

  /**
   * Puts the focus on what is chosen in a group, or on its first button.
   * @param {HTMLElement} group
   */
  focusOn(group) {
    const found = group.querySelector("input:checked") ?? group.querySelector("input");
    /** @type {HTMLInputElement | null} */ (found)?.focus({ preventScroll: true });
  }
}

export class RankKind extends Kind {
  static question = t("Rank the translations of every segment from best to worst. Ties are allowed.");
  static keys = t("A letter chooses a column, a number ranks it, 0 makes all equal.");
  static empty = (size) => ({ ranks: nothing(size) });
  static isRow = (row, size) => fits(row?.ranks, size);
  static answer = ({ ranks }) => ({ ranks: dense(ranks) });

  /** @type {HTMLElement[]} */ groups = [];

  control(place) {
    this.groups[place] = chips({
      name: `rank-${this.row}-${place}`,
      label: t("Rank of {name}, 1 is best", { name: named(place, this.row) }),
      choices: Array.from({ length: this.size }, (_, i) => ({ value: i + 1, text: String(i + 1) })),
      picked: (rank) => this.rank(place, rank),
    });
    return node("div", { class: "rank-row" }, this.groups[place]);
  }

  rank(place, rank) {
    this.say({ ranks: this.said.ranks.with(place, rank) });
    return rank === null ? t("Output {letter}: no rank", { letter: letter(place) }) : t("Output {letter}: rank {rank}", { letter: letter(place), rank });
  }

  key(event, place) {
    const rank = rankFor(event, this.size);
    if (event.key === "0") {
      this.say({ ranks: Array(this.size).fill(1) });
      return t("All outputs are equal");
    }
    if (place === null) return null;
    if (rank !== null) return this.rank(place, rank);
    return ["Delete", "Backspace"].includes(event.key) ? this.rank(place, null) : null;
  }

  next(place) {
    const after = [...Array(this.size).keys()].map((i) => (place + i) % this.size);
    return after.find((other) => this.said.ranks[other] === null) ?? null;
  }

  draw(said) {
    this.said = said;
    this.groups.forEach((group, place) => setChip(group, said.ranks[place]));
  }

  relative(place) {
    const { ranks } = this.said;
    if (ranks.includes(null) || this.size < 2) return "";
    const found = [Math.min(...ranks), Math.max(...ranks)];
    if (found[0] === found[1]) return "equal";
    return { [found[0]]: "best", [found[1]]: "worst" }[ranks[place]] ?? "between";
  }

  get missing() {
    const place = this.said.ranks.indexOf(null);
    return place < 0 ? null : { place, what: t("a rank for output {letter}", { letter: letter(place) }) };
  }

  focus(place) {
    this.focusOn(this.groups[place]);
  }
}

export class PairKind extends Kind {
  static question = t("Which translation of every segment is better?");
  static keys = t("{first} A is better, {second} B is better, e equally good, b both bad.", { first: SIDES[0], second: SIDES[1] });
  static hasLetters = false; // b has another meaning here
  static empty = () => ({ choice: null });
  static isRow = (row) => CHOICES.some(({ value }) => value === row?.choice);
  static answer = ({ choice }) => ({ choice });

  constructor(options) {
    super(options);
    this.group = chips({
      name: `choice-${this.row}`,
      label: t("Which translation of segment {number} is better?", { number: this.row + 1 }),
      choices: CHOICES,
      picked: (choice) => this.say({ choice }),
    });
    this.group.classList.add("verdict");
    this.verdict = this.group;
  }

  key(event) {
    const found = CHOICES.find(({ key }) => key === event.key);
    if (!found || event.shiftKey) return null;
    this.say({ choice: found.value });
    this.focus();
    return t("Segment {number}: {said}", { number: this.row + 1, said: found.words });
  }

  draw(said) {
    this.said = said;
    setChip(this.group, said.choice);
  }

  get missing() {
    return this.said.choice === null ? { place: 0, what: t("one of the four answers") } : null;
  }

  focus() {
    this.focusOn(this.group);
  }
}

/** @type {Record<string, [name: string, words: string[]]>} */
const SCALES = {
  fluency: [t("Fluency"), [t("Incompre\u00adhensible"), t("Disfluent"), t("Non-native"), t("Good"), t("Flawless")]],
  adequacy: [t("Adequacy"), [t("None"), t("Little"), t("Much"), t("Most"), t("All")]],
};

export class RateKind extends Kind {
  static question = t("How fluent is each translation, and how much of the meaning is there?");
  static keys = t("A letter chooses a column, 1 to 5 rate its fluency, then its adequacy.");
  static empty = (size) => ({ fluency: nothing(size), adequacy: nothing(size) });
  static isRow = (row, size) => fits(row?.fluency, size) && fits(row?.adequacy, size);
  static answer = ({ fluency, adequacy }) => ({ fluency, adequacy });

  /** @type {[scale: string, group: HTMLElement][][]} */ groups = [];

  control(place) {
    this.groups[place] = Object.entries(SCALES).map(([scale, [name, words]]) => [scale, chips({
      name: `${scale}-${this.row}-${place}`,
      label: t("{scale} of {name}", { scale: name, name: named(place, this.row) }),
      choices: words.map((word, i) => ({ value: i + 1, text: String(i + 1), title: word.replace("\u00ad", "") })),
      picked: (value) => this.rate(scale, place, value),
    })]);
    const rows = this.groups[place].map(([scale, group]) =>
      node("div", { class: "rating-row" }, node("span", { class: "rating-name" }, SCALES[scale][0]), group));
    return node("div", { class: "ratings is-single" }, ...rows);
  }

  rate(scale, place, value) {
    this.say({ ...this.said, [scale]: this.said[scale].with(place, value) });
    return t("Output {letter}: {scale} {value}", { letter: letter(place), scale: SCALES[scale][0], value });
  }

  key(event, place) {
    const value = rankFor(event, 5);
    if (value === null || place === null) return null;
    return this.rate(this.said.fluency[place] === null ? "fluency" : "adequacy", place, value);
  }

  #open(place) {
    return Object.keys(SCALES).find((scale) => this.said[scale][place] === null);
  }

  next(place) {
    if (this.#open(place)) return place;
    const after = [...Array(this.size).keys()].map((i) => (place + i) % this.size);
    return after.find((other) => this.#open(other)) ?? null;
  }

  draw(said) {
    this.said = said;
    this.groups.forEach((pair, place) => pair.forEach(([scale, group]) => setChip(group, said[scale][place])));
  }

  get missing() {
    const place = [...Array(this.size).keys()].find((one) => this.#open(one));
    return place === undefined ? null : { place, what: t("{scale} of output {letter}", { scale: SCALES[this.#open(place) ?? "fluency"][0], letter: letter(place) }) };
  }

  focus(place) {
    const open = this.groups[place].find(([scale]) => this.said[scale][place] === null) ?? this.groups[place][0];
    this.focusOn(open[1]);
  }
}

/** @type {[at: number, words: string][]} */
const ANCHORS = [
  [0, t("nothing")],
  [33, t("some of it")],
  [66, t("most of it")],
  [100, t("all of it")],
];

export class ScoreKind extends Kind {
  static question = t("How well does each translation express the meaning of its source?");
  static keys = t("A letter chooses a column; arrows move the mark, or type a number.");
  static empty = (size) => ({ scores: nothing(size) });
  static isRow = (row, size) => fits(row?.scores, size);
  static answer = ({ scores }) => ({ scores });

  /** @type {ScoreLine[]} */ lines = [];

  control(place) {
    this.lines[place] = new ScoreLine({
      label: t("Score of {name}", { name: named(place, this.row) }),
      showsValue: this.plan.show_value,
      scale: scoreScale(ANCHORS),
      beside: null,
      scored: (score) => this.say({ scores: this.said.scores.with(place, score) }, `score-${place}`),
    });
    return this.lines[place].element;
  }

  draw(said) {
    this.said = said;
    this.lines.forEach((line, place) => line.draw(said.scores[place]));
  }

  relative(place) {
    const { scores } = this.said;
    const given = scores.filter((score) => score !== null);
    if (!this.plan.show_value || scores[place] === null || given.length < 2) return "";
    const found = [Math.min(...given), Math.max(...given)];
    if (found[0] === found[1]) return "equal";
    return { [found[1]]: "highest", [found[0]]: "lowest" }[scores[place]] ?? "between";
  }

  get missing() {
    const place = this.said.scores.indexOf(null);
    return place < 0 ? null : { place, what: this.size > 1 ? t("a score for output {letter}", { letter: letter(place) }) : t("a score") };
  }

  focus(place) {
    this.lines[place].track.focus({ preventScroll: true });
  }
}

export const KINDS = {
  ranking: RankKind,
  pairwise: PairKind,
  "adequacy-fluency": RateKind,
  "direct-assessment": ScoreKind,
};
