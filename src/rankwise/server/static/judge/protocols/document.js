// A document: segments from top to bottom, the source at the left, outputs in columns. Errors are
// marked in every text; then it gets a score (ESA), or its errors have kinds (MQM).

import { Answers } from "../document/answers.js";
import { Column } from "../document/column.js";
import { Echo } from "../document/echo.js";
import { Source, context, leftOf, told } from "../document/surroundings.js";
import { announce, node } from "../dom.js";
import { cardFor } from "../keys.js";
import { letter } from "../state.js";
import { own, t, tn } from "../words.js";

// How a text is called: "output B of segment 3", or the segment alone where there is one output.
const placeName = (column, row) =>
  column === null
    ? t("segment {number}", { number: row + 1 })
    : t("output {letter} of segment {number}", { letter: letter(column), number: row + 1 });

class DocumentTask {
  /** @type {Task} */ task;
  /** @type {Plan} */ plan;
  /** @type {() => void} */ changed;
  /** @type {{ row: number, column: number } | undefined} */ at;

  isDocument = true;
  hidesSource = true; // every segment has its own beside it

  constructor({ task, plan, changed }) {
    Object.assign(this, { task, plan, changed });
    this.hasScores = plan.protocol === "esa";
    this.letters = task.outputs.length;
    const given = (row, column) => task.rows[row].given?.[column] ?? [];
    this.isGiven = task.rows.some((row) => row.given?.length > 0);
    this.answers = new Answers(task.rows.length, this.letters, given);
    this.echoes = [];
    this.undoButton = node("button", { type: "button", class: "button quiet", onclick: () => this.undo() }, `${t("Undo")} `, node("kbd", {}, "z"));
    this.tools = [this.undoButton];
    this.columns = task.rows.map((row, i) => row.outputs.map((text, column) => this.#column(i, column, text)));
    this.sources = [];
    this.element = node("div", { class: `document has-${this.letters}` },
      told(task.told), ...context(task.before, plan), ...task.rows.map((row, i) => this.#row(row, i)), ...context(task.after, plan));
    // what the frame asks of cards: to be drawn again when hidden characters are to be seen
    this.cards = { texts: [], all: [], chosen: null, draw: (view) => this.#redraw(view) };
    this.draw();
  }

  get question() {
    const size = this.letters;
    if (this.isGiven) return this.hasScores ? t("Correct the marked errors, then give every segment a score.") : t("Correct the marked errors.");
    if (!this.plan.spans.severities.length)
      return tn(size, "Give every segment of the translation a score.", "Give every segment of the translations a score.");
    if (!this.hasScores) return tn(size, "Mark the errors in the translation.", "Mark the errors in the translations.");
    return tn(size, "Mark the errors in the translation, then give every segment a score.", "Mark the errors in the translations, then give every segment a score.");
  }

  get hint() {
    const severities = this.plan.spans.severities.map((name, place) => `${place + 1} ${own(name)}`).join(", ");
    const moving = t("n goes to the next segment, Shift+N to the one before.");
    const parts = [
      this.letters > 1 ? `${t("Keys: a letter chooses a column.")} ${moving}` : t("Keys: {moving}", { moving }),
      severities ? t("In a text: arrows choose a word, with Shift more; {severities}; Delete removes.", { severities }) : "",
      this.hasScores ? t("On a line: arrows, or type a number.") : "",
      t("z undoes."),
    ];
    return parts.filter(Boolean).join(" ");
  }

  #column(row, column, text) {
    return new Column({
      row,
      column,
      text,
      plan: this.plan,
      given: this.task.rows[row].given?.[column],
      pointed: (unit) => this.echoes[row]?.show(this.columns[row][column].text, unit),
      changed: (changes, kind) => this.#change(row, column, changes, kind),
      taken: () => this.#take(row, column),
    });
  }

  #row(row, place) {
    const source = new Source(row, place, this.plan);
    this.sources.push(source);
    if (this.plan.highlight) this.echoes[place] = new Echo([source, ...this.columns[place].map(({ text }) => text)]);
    return node("section", { class: "segment", "aria-labelledby": `segment-${place}` },
      leftOf(row, place, source, this.plan), ...this.columns[place].map(({ element }) => element));
  }

  #redraw({ showHidden = false } = {}) {
    for (const source of this.sources) source.showHidden(showHidden);
    for (const { text } of this.columns.flat()) text.showHidden(showHidden);
  }

  // ---- what changes
  #change(row, column, changes, kind) {
    this.answers.set(row, column, changes, kind);
    this.draw();
    this.changed();
  }

  // One text at a time is worked on; what was begun in another ends.
  #take(row, column) {
    const { at } = this;
    if (at && at.row === row && at.column === column) return;
    if (at) this.columns[at.row][at.column].release();
    this.at = { row, column };
  }

  undo() {
    const [first] = this.answers.undo();
    if (!first) return false;
    const [row, column] = first;
    this.columns[row][column].release();
    this.draw();
    this.changed();
    announce(t("Undone"));
    return true;
  }

  key(event) {
    if (event.key === "z" && !event.shiftKey && this.answers.canUndo) return this.undo();
    const column = event.target.closest?.(".column");
    const here = column && this.columns.flat().find(({ element }) => element === column);
    if (here?.key(event)) return true;
    const place = cardFor(event, this.letters);
    if (place !== null) return this.#go(this.at?.row ?? 0, place);
    if (event.key.toLowerCase() === "n") return this.#go(this.#nextRow(event.shiftKey ? -1 : 1), this.at?.column ?? 0);
    return false;
  }

  #nextRow(step) {
    if (!this.at) return 0;
    return Math.min(this.answers.rows - 1, Math.max(0, this.at.row + step));
  }

  #go(row, column) {
    this.columns[row][column].focus();
    return true;
  }

  // ---- showing it
  draw() {
    this.columns.forEach((row, i) => {
      const scores = this.answers.cells[i].map(({ score }) => score);
      row.forEach((column, place) => column.draw(this.answers.get(i, place), this.#relative(scores, place)));
    });
    this.undoButton.setAttribute("aria-disabled", String(!this.answers.canUndo));
  }

  // How a score stands beside the others of its segment.
  #relative(scores, place) {
    const given = scores.filter((score) => score !== null);
    const [lowest, highest] = [Math.min(...given), Math.max(...given)];
    if (!this.plan.show_value || scores[place] === null || given.length < 2) return "";
    if (lowest === highest) return "equal";
    return { [highest]: "highest", [lowest]: "lowest" }[scores[place]] ?? "between";
  }

  #isOpen(cell) {
    const { spans, score, isClean } = cell;
    const [[first]] = this.columns;
    if (spans.some((span) => first.isHalf(span)) || first.further.lacks(cell)) return true;
    return this.hasScores ? score === null : !spans.length && !isClean;
  }

  get summary() {
    const all = this.answers.rows * this.letters;
    return t("{done} of {all}", { done: all - this.answers.open((cell) => this.#isOpen(cell)).length, all });
  }

  get missing() {
    const open = this.answers.open((cell) => this.#isOpen(cell));
    if (!open.length) return null;
    const [[row, column]] = open;
    const cell = this.answers.get(row, column);
    const lacks = cell.spans.some((span) => this.columns[0][0].isHalf(span));
    const text = placeName(this.letters > 1 ? column : null, row);
    const left = tn(open.length, "{n} text is not finished", "{n} texts are not finished");
    return {
      sentence: lacks
        ? t("Say what is wrong with the error in {text}; {left}.", { text, left })
        : t("{left}: next, {text} needs {what}.", { text, left, what: this.#lacking(row, column, cell) }),
      focus: () => this.columns[row][column].focusMissing(),
    };
  }

  #lacking(row, column, cell) {
    const isScored = this.hasScores ? cell.score !== null : cell.spans.length > 0 || cell.isClean;
    if (isScored) return t("a value for {slider}", { slider: own(this.columns[row][column].further.lacks(cell)) });
    return this.hasScores ? t("a score") : t("its errors marked, or “No errors”");
  }

  get answer() {
    return { segments: this.answers.cells.map((row) => row.map((cell) => this.#said(cell))) };
  }

  #said({ spans, score, sliders, comment, edit }) {
    const { sliders: asked, comments, edits } = this.plan;
    return {
      spans,
      ...(this.hasScores ? { score } : {}),
      ...(asked?.length ? { sliders } : {}),
      ...(comments && comment.trim() ? { comment } : {}),
      ...(edits && edit !== null ? { edit } : {}),
    };
  }

  get details() {
    return {};
  }

  get content() {
    return { segments: this.answers.cells };
  }

  // An earlier answer without errors was one that said so.
  restore({ segments }) {
    this.answers.restore(segments);
    const isAnswer = segments?.flat().every((cell) => cell && !("isClean" in cell));
    if (isAnswer && !this.hasScores)
      this.answers.restore(segments.map((row) => row.map((cell) => ({ ...cell, isClean: cell.spans.length === 0 }))));
    this.draw();
  }
}

export const create = (options) => new DocumentTask(options);
