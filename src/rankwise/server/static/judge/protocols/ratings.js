// Adequacy and fluency from 1 to 5, the words at the buttons. Fluency is asked first and without
// the source, so that the two are separate answers; a plan may ask for both at once.

import { Cards, chips, setChip } from "../cards.js";
import { announce, node } from "../dom.js";
import { rankFor } from "../keys.js";
import { letter, outputs } from "../state.js";
import { language, t } from "../words.js";

const SCALES = {
  fluency: {
    question: t("How fluent is each translation? The source comes afterwards."),
    both: t("Fluency"),
    words: [t("Incompre\u00adhensible"), t("Disfluent"), t("Non-native"), t("Good"), t("Flawless")],
  },
  adequacy: {
    question: t("How much of the meaning of the source is expressed?"),
    both: t("Adequacy"),
    words: [t("None"), t("Little"), t("Much"), t("Most"), t("All")],
  },
};

class Ratings {
  /** @type {() => void} */ changed;
  /** @type {boolean} */ isSingle;
  /** @type {Record<string, (number | null)[]>} */ values;

  hint = t("Keys: a letter chooses a card, 1 to 5 rate it.");
  tools = [];

  constructor({ task, plan, changed }) {
    Object.assign(this, { changed, isSingle: plan.single_pass });
    this.size = task.outputs.length;
    this.letters = this.size;
    this.pass = this.isSingle ? "both" : "fluency";
    this.values = { fluency: Array(this.size).fill(null), adequacy: Array(this.size).fill(null) };
    this.fluencyAfterSource = this.isSingle;
    this.cards = new Cards(task.outputs, { language: plan.target_language });
    this.rows = this.cards.all.map((card, place) => this.#controls(card, place));
    this.element = node("div", { class: this.isSingle ? "outputs ratings is-single" : "outputs ratings" }, ...this.cards.all.map(({ element }) => element));
    this.draw();
  }

  get question() {
    return this.pass === "both" ? t("How fluent is each translation, and how much of the meaning is there?") : SCALES[this.pass].question;
  }

  get hidesSource() {
    return this.pass === "fluency";
  }

  #controls(card, place) {
    const rows = {};
    const output = { letter: letter(place) };
    const labels = { fluency: t("Fluency of output {letter}", output), adequacy: t("Adequacy of output {letter}", output) };
    card.note = node("span", { class: "given-note" });
    card.element.append(card.note);
    for (const [scale, { both, words }] of Object.entries(SCALES)) {
      const group = chips({
        name: `${scale}-${place}`,
        label: labels[scale],
        choices: words.map((word, i) => ({ value: i + 1, text: String(i + 1), words: word })),
        picked: (value) => this.rate(scale, place, value),
      });
      rows[scale] = { group, row: node("div", { class: "rating-row" }, node("span", { class: "rating-name" }, both), group) };
      card.element.append(rows[scale].row);
    }
    return rows;
  }

  // The scale that a number key means for a card: in a single table, the first one still open.
  #scaleFor(place) {
    if (this.pass !== "both") return this.pass;
    return this.values.fluency[place] === null ? "fluency" : "adequacy";
  }

  rate(scale, place, value) {
    this.values[scale] = this.values[scale].with(place, value);
    this.draw();
    this.changed();
    const words = SCALES[scale].words[value - 1].replaceAll("\u00ad", "");
    announce(t("Output {letter}: {scale} {value}, {words}", { letter: letter(place), scale: SCALES[scale].both, value, words }));
  }

  key(event) {
    const value = rankFor(event, 5);
    if (value === null) return this.cards.key(event);
    const place = this.cards.chosen ?? 0;
    this.rate(this.#scaleFor(place), place, value);
    const open = [...Array(this.size).keys()].map((i) => (place + i) % this.size);
    this.cards.choose(open.find((other) => this.#isOpen(other)) ?? place);
    return true;
  }

  get #scales() {
    return this.pass === "both" ? ["fluency", "adequacy"] : [this.pass];
  }

  #isOpen(place) {
    return this.#scales.some((scale) => this.values[scale][place] === null);
  }

  draw() {
    this.rows.forEach((rows, place) => {
      for (const [scale, { group, row }] of Object.entries(rows)) {
        setChip(group, this.values[scale][place]);
        row.hidden = !this.#scales.includes(scale);
      }
      const given = this.values.fluency[place];
      const isSecond = this.pass === "adequacy" && given !== null;
      const words = isSecond ? t("Fluency: {value}, {words}", { value: given, words: SCALES.fluency.words[given - 1].toLocaleLowerCase(language) }) : "";
      this.cards.all[place].note.textContent = words;
      this.cards.all[place].element.classList.toggle("is-ranked", !this.#isOpen(place));
    });
  }

  // The first pass ends with "Continue"; the second may go back, which is noted.
  get steps() {
    if (this.pass === "fluency") return { next: t("Continue to adequacy"), back: null };
    return { next: null, back: this.pass === "adequacy" ? t("Change fluency") : null };
  }

  go(pass) {
    if (pass === "fluency") this.fluencyAfterSource = true;
    this.pass = pass;
    this.draw();
    this.changed();
    announce(this.question);
    this.cards.choose(0);
  }

  get summary() {
    const scales = this.pass === "adequacy" ? ["adequacy"] : this.#scales;
    const values = (place) => scales.map((scale) => this.values[scale][place]);
    const given = [...Array(this.size).keys()].filter((place) => values(place).some((value) => value !== null));
    return given.map((place) => `${letter(place)} ${values(place).map((value) => value ?? "–").join("/")}`).join("   ");
  }

  get missing() {
    const open = [...Array(this.size).keys()].filter((place) => this.#isOpen(place));
    if (!open.length) return null;
    const which = { outputs: outputs(open) };
    const sentences = {
      both: t("Rate the fluency and adequacy of {outputs} to go on.", which),
      fluency: t("Rate the fluency of {outputs} to go on.", which),
      adequacy: t("Rate the adequacy of {outputs} to go on.", which),
    };
    return {
      sentence: sentences[this.pass],
      focus: () => this.cards.choose(open[0]),
    };
  }

  get answer() {
    return this.values;
  }

  get details() {
    return { fluency_before_source: !this.fluencyAfterSource };
  }

  get content() {
    return { ...this.values, pass: this.pass, fluency_after_source: this.fluencyAfterSource };
  }

  restore({ fluency, adequacy, pass, fluency_after_source: after }) {
    const isRight = (values) => Array.isArray(values) && values.length === this.size;
    if (isRight(fluency)) this.values.fluency = fluency.slice();
    if (isRight(adequacy)) this.values.adequacy = adequacy.slice();
    const isRated = isRight(adequacy) && !adequacy.includes(null);
    if (!this.isSingle && (pass === "adequacy" || (pass === undefined && isRated))) this.pass = "adequacy";
    this.fluencyAfterSource = after ?? this.fluencyAfterSource;
    this.draw();
  }
}

export const create = (options) => new Ratings(options);
