// A document: segments from top to bottom, the source at the left, outputs in columns. Errors are
// marked in every text; then it gets a score (ESA), or its errors have kinds (MQM).

import { Answers } from "../document/answers.js";
import { Column } from "../document/column.js";
import { announce, node } from "../dom.js";
import { cardFor } from "../keys.js";
import { letter } from "../state.js";
import { fill } from "../text.js";

const count = (number, one, many) => (number === 1 ? `1 ${one}` : `${number} ${many}`);

class DocumentTask {
  isDocument = true;
  hidesSource = true; // every segment has its own beside it

  constructor({ task, plan, changed }) {
    Object.assign(this, { task, plan, changed });
    this.hasScores = plan.protocol === "esa";
    this.letters = task.outputs.length;
    this.answers = new Answers(task.rows.length, this.letters);
    this.undoButton = node("button", { type: "button", class: "button quiet", onclick: () => this.undo() }, "Undo ", node("kbd", {}, "z"));
    this.tools = [this.undoButton];
    this.columns = task.rows.map((row, i) => row.outputs.map((text, column) => this.#column(i, column, text)));
    this.sources = [];
    this.element = node("div", { class: `document has-${this.letters}` },
      ...this.#context(task.before), ...task.rows.map((row, i) => this.#row(row, i)), ...this.#context(task.after));
    // what the frame asks of cards: to be drawn again when hidden characters are to be seen
    this.cards = { texts: [], all: [], chosen: null, draw: (view) => this.#redraw(view) };
    this.draw();
  }

  get question() {
    const what = this.letters > 1 ? "translations" : "translation";
    if (!this.plan.spans.severities.length) return `Give every segment of the ${what} a score.`;
    return this.hasScores ? `Mark the errors in the ${what}, then give every segment a score.` : `Mark the errors in the ${what}.`;
  }

  get hint() {
    const severities = this.plan.spans.severities.map((name, place) => `${place + 1} ${name}`).join(", ");
    const marking = severities ? `In a text: arrows choose a word, with Shift more; ${severities}; Delete removes. ` : "";
    const scoring = this.hasScores ? "On a line: arrows, or type a number. " : "";
    return `Keys: ${this.letters > 1 ? "a letter chooses a column, " : ""}n the next segment, Shift+N the one before. ${marking}${scoring}z undoes.`;
  }

  #column(row, column, text) {
    return new Column({
      row,
      column,
      text,
      plan: this.plan,
      changed: (changes, kind) => this.#change(row, column, changes, kind),
      taken: () => this.#take(row, column),
    });
  }

  #row({ reference }, row) {
    const number = node("h3", { class: "segment-number", id: `segment-${row}` }, node("span", { class: "visually-hidden" }, "Segment "), String(row + 1));
    const source = node("bdi", { class: "text" });
    this.sources.push(source);
    const given = reference === null ? null : node("bdi", { class: "text context" });
    if (given) fill(given, reference, { language: this.plan.target_language, isPaired: false });
    const left = node("div", { class: "segment-source" }, number, source, given);
    return node("section", { class: "segment", "aria-labelledby": `segment-${row}` },
      left, ...this.columns[row].map(({ element }) => element));
  }

  #context(texts) {
    return texts.map((text) => {
      const body = node("bdi", { class: "text context" });
      fill(body, text, { language: this.plan.source_language, isPaired: false });
      return body;
    });
  }

  #redraw({ showHidden = false } = {}) {
    const { source_language: language } = this.plan;
    this.task.rows.forEach(({ source }, row) => fill(this.sources[row], source, { language, showHidden, isPaired: false }));
    for (const { text } of this.columns.flat()) text.showHidden(showHidden);
  }

  // ---- what changes
  #change(row, column, changes, kind = null) {
    this.answers.set(row, column, changes, kind);
    this.draw();
    this.changed();
  }

  // One text at a time is worked on; what was begun in another ends.
  #take(row, column) {
    if (this.at?.row === row && this.at.column === column) return;
    if (this.at) this.columns[this.at.row][this.at.column].release();
    this.at = { row, column };
  }

  undo() {
    const [first] = this.answers.undo();
    if (!first) return false;
    const [row, column] = first;
    this.columns[row][column].release();
    this.draw();
    this.changed();
    announce("Undone");
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

  #isOpen({ spans, score, isClean }) {
    if (spans.some((span) => this.columns[0][0].isHalf(span))) return true;
    return this.hasScores ? score === null : !spans.length && !isClean;
  }

  get summary() {
    const all = this.answers.rows * this.letters;
    return `${all - this.answers.open((cell) => this.#isOpen(cell)).length} of ${all}`;
  }

  get missing() {
    const open = this.answers.open((cell) => this.#isOpen(cell));
    if (!open.length) return null;
    const [[row, column]] = open;
    const lacks = this.answers.get(row, column).spans.some((span) => this.columns[0][0].isHalf(span));
    const what = this.hasScores ? "a score" : "its errors marked, or “No errors”";
    const first = `${this.letters > 1 ? `output ${letter(column)} of ` : ""}segment ${row + 1}`;
    const left = count(open.length, "text is", "texts are");
    return {
      sentence: lacks
        ? `Say what is wrong with the error in ${first}; ${left} not finished.`
        : `${left} not finished: next, ${first} needs ${what}.`,
      focus: () => this.columns[row][column].focusMissing(),
    };
  }

  get answer() {
    return { segments: this.answers.cells.map((row) => row.map(({ spans, score }) => (this.hasScores ? { spans, score } : { spans }))) };
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
