// A document whose segments are ranked, compared, rated or scored: the source at the left, outputs in
// columns, and the same question for every segment.

import { Echo } from "../document/echo.js";
import { MarkedText } from "../document/marked_text.js";
import { RowAnswers } from "../document/row_answers.js";
import { KINDS } from "../document/segment_kinds.js";
import { Source, context, leftOf, told } from "../document/surroundings.js";
import { announce, node, setText } from "../dom.js";
import { cardFor } from "../keys.js";
import { letter } from "../state.js";
import { t, tn } from "../words.js";

// How an output stands beside the others of its segment.
const RELATIVE = {
  best: t("best"),
  worst: t("worst"),
  equal: t("equal"),
  highest: t("highest"),
  lowest: t("lowest"),
  between: t("between"),
};
const STEPS = { n: 1 };

class SegmentsTask {
  /** @type {Task} */ task;
  /** @type {Plan} */ plan;
  /** @type {() => void} */ changed;

  isDocument = true;
  hidesSource = true; // every segment has its own beside it
  at = { row: 0, place: 0 };

  constructor({ task, plan, changed }) {
    Object.assign(this, { task, plan, changed });
    this.Kind = KINDS[plan.protocol];
    this.size = task.outputs.length;
    this.letters = this.Kind.hasLetters === false ? 0 : this.size;
    this.answers = new RowAnswers(task.rows.length, {
      empty: () => this.Kind.empty(this.size),
      isRow: (row) => this.Kind.isRow(row, this.size),
    });
    this.undoButton = node("button", { type: "button", class: "button quiet", onclick: () => this.undo() }, `${t("Undo")} `, node("kbd", {}, "z"));
    this.tools = [this.undoButton];
    this.rows = task.rows.map((row, number) => this.#row(row, number));
    this.element = node("div", { class: `document has-${this.size} is-${plan.protocol}` },
      told(task.told), ...context(task.before, plan), ...this.rows.map(({ element }) => element), ...context(task.after, plan));
    // what the frame asks of cards: to be drawn again when hidden characters are to be seen
    this.cards = { texts: [], all: [], chosen: null, draw: (view) => this.#redraw(view) };
    this.draw();
  }

  get question() {
    return this.Kind.question;
  }

  get hint() {
    return t("Keys: n the next segment, Shift+N the one before. {keys} z undoes.", { keys: this.Kind.keys });
  }

  #row(row, number) {
    const say = (said, kind) => this.#say(number, said, kind);
    const kind = new this.Kind({ row: number, size: this.size, plan: this.plan, say });
    const source = new Source(row, number, this.plan);
    const columns = row.outputs.map((text, place) => this.#column(text, number, place, kind));
    if (this.plan.highlight) new Echo([source, ...columns.map((one) => one.text)]);
    const element = node("section", { class: "segment", "aria-labelledby": `segment-${number}` },
      leftOf(row, number, source, this.plan), ...columns.map((one) => one.element), kind.verdict);
    element.addEventListener("focusin", () => this.#take(number));
    element.addEventListener("pointerdown", () => this.#take(number));
    return { kind, source, columns, element };
  }

  #column(text, row, place, kind) {
    const shown = new MarkedText({
      text,
      rules: { severities: [], marks: [], unit: this.plan.unit },
      language: this.plan.target_language,
      label: t("Text of {name}", { name: t("output {letter} of segment {number}", { letter: letter(place), number: row + 1 }) }),
      picked: () => {},
      hit: () => {},
    });
    shown.element.removeAttribute("tabindex"); // there is nothing to mark in it
    const relative = node("span", { class: "relative" });
    const control = kind.control(place);
    const foot = node("div", { class: "column-foot" }, control, relative);
    const element = node("article", { class: "column", "aria-label": t("Output {letter} of segment {number}", { letter: letter(place), number: row + 1 }) },
      node("div", { class: "column-head" }, node("span", { class: "letter", "aria-hidden": "true" }, letter(place))), shown.element, foot);
    element.addEventListener("focusin", () => this.#take(row, place));
    element.addEventListener("pointerdown", () => this.#take(row, place));
    return { text: shown, relative, element };
  }

  #take(row, place = null) {
    this.at = { row, place: place ?? (row === this.at.row ? this.at.place : 0) };
  }

  // ---- what changes
  #say(row, said, kind = null) {
    this.answers.set(row, said, kind);
    this.draw();
    this.changed();
  }

  undo() {
    const row = this.answers.undo();
    if (row < 0) return false;
    this.draw();
    this.changed();
    this.rows[row].element.scrollIntoView({ block: "nearest" });
    announce(t("Undone"));
    return true;
  }

  key(event) {
    if (event.key === "z" && !event.shiftKey && this.answers.canUndo) return this.undo();
    const { row, place } = this.at;
    const step = STEPS[event.key.toLowerCase()];
    if (step) return this.#go(Math.min(this.rows.length - 1, Math.max(0, row + (event.shiftKey ? -step : step))), 0);
    const chosen = cardFor(event, this.letters);
    if (chosen !== null) return this.#go(row, chosen);
    const { kind } = this.rows[row];
    const words = kind.key(event, place);
    if (words === null) return false;
    announce(words);
    const next = kind.next(place);
    if (next !== null) this.#go(row, next);
    return true;
  }

  #go(row, place) {
    this.#take(row, place);
    const { kind, columns, element } = this.rows[row];
    kind.focus(place);
    (this.letters ? columns[place].element : element).scrollIntoView({ block: "nearest" });
    return true;
  }

  // ---- showing it
  draw() {
    this.rows.forEach(({ kind, columns }, number) => {
      kind.draw(this.answers.rows[number]);
      columns.forEach(({ relative, element }, place) => {
        const found = this.size > 1 ? kind.relative(place) : "";
        setText(relative, RELATIVE[found] ?? "");
        element.dataset.relative = found;
      });
    });
    this.undoButton.setAttribute("aria-disabled", String(!this.answers.canUndo));
  }

  #redraw({ showHidden = false } = {}) {
    for (const { source, columns } of this.rows) {
      source.showHidden(showHidden);
      for (const { text } of columns) text.showHidden(showHidden);
    }
  }

  get #open() {
    return this.rows.flatMap(({ kind }, row) => (kind.missing ? [row] : []));
  }

  get summary() {
    return t("{done} of {all}", { done: this.rows.length - this.#open.length, all: this.rows.length });
  }

  get missing() {
    const [row] = this.#open;
    if (row === undefined) return null;
    const { place, what } = this.rows[row].kind.missing;
    return {
      sentence: tn(
        this.#open.length,
        "{n} segment is not finished: segment {number} needs {what}.",
        "{n} segments are not finished: next, segment {number} needs {what}.",
        { number: row + 1, what },
      ),
      focus: () => {
        this.#go(row, place);
        this.rows[row].element.scrollIntoView({ block: "center" });
      },
    };
  }

  get answer() {
    return { segments: this.answers.rows.map(this.Kind.answer) };
  }

  get details() {
    return {};
  }

  get content() {
    return { segments: this.answers.rows };
  }

  restore({ segments }) {
    this.answers.restore(segments);
    this.draw();
  }
}

export const create = (options) => new SegmentsTask(options);
