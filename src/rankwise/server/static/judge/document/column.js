// One text of a document: errors are marked in it, listed below it, and it gets its score.

import { announce, node, setText, show } from "../dom.js";
import { letter } from "../state.js";
import { Further } from "./further.js";
import { MarkedText } from "./marked_text.js";
import { ScoreLine } from "./score_line.js";
import { inOrder, isAsGiven, level, overlap, penalty, wordsOf } from "./spans.js";
import { own, t } from "../words.js";

const SHORT = 40;

const shortened = (words) => ([...words].length > SHORT ? `${[...words].slice(0, SHORT).join("")}…` : words);

// How a score stands beside the others of its segment.
const RELATIVE = { equal: t("equal"), highest: t("highest"), lowest: t("lowest"), between: t("between") };

// A category as "Fluency/Spelling", part by part.
const kindName = (category) => category && category.split("/").map(own).join("/");

const button = (words, run, more = {}) => node("button", { type: "button", class: "button small", onclick: run, ...more }, words);

export class Column {
  /** @type {number} */ row;
  /** @type {number} */ column;
  /** @type {(changes: Partial<Cell>, kind?: string) => void} */ changed;
  /** @type {() => void} */ taken;
  /** @type {Span[]} */ given;
  /** @type {(unit: number) => void} */ pointed;
  /** @type {SpanRules} */ rules;
  /** @type {Cell} */ cell;

  /** @type {number | null} */ #chosen = null; // the number of the error that is being changed

  // *changed(changes, kind)* keeps changes of this text, *taken()* says that it is worked on.
  // *given* are errors that a machine marked, *pointed* is told which unit of the text is meant.
  /** @param {{ row: number, column: number, text: string, plan: Plan, given?: Span[], changed: (changes: Partial<Cell>, kind?: string) => void, taken: () => void, pointed?: (unit: number) => void }} options */
  constructor({ row, column, text, plan, changed, taken, given = [], pointed = () => {} }) {
    Object.assign(this, { row, column, changed, taken, given, pointed, rules: plan.spans });
    const place = { letter: letter(column), number: row + 1 };
    this.name = t("output {letter} of segment {number}", place);
    this.text = new MarkedText({
      text,
      rules: this.rules,
      language: plan.target_language,
      label: t("Text of {name}", { name: this.name }),
      picked: () => this.#picked(),
      hit: (span) => this.#choose(span),
    });
    this.further = new Further({ plan, name: this.name, text, changed });
    this.bar = node("div", { class: "marking", role: "group", hidden: true });
    this.list = node("ul", { class: "errors", "aria-label": t("Errors in {name}", { name: this.name }) });
    this.relative = node("span", { class: "relative" });
    this.note = node("p", { class: "marking-note", role: "status" });
    this.element = node("article", { class: "column", "aria-label": t("Output {letter} of segment {number}", place) },
      node("div", { class: "column-head" }, node("span", { class: "letter", "aria-hidden": "true" }, letter(column))),
      this.text.element, this.bar, this.note, this.list, this.#foot(plan), this.further.element);
    show(this.further.element, this.further.element.childElementCount > 0);
    this.element.addEventListener("focusin", () => this.taken());
  }

  #foot(plan) {
    const marks = this.rules.severities.length ? this.rules.marks : [];
    const buttons = marks.map((mark) =>
      button(`+ ${own(mark)}`, () => this.addMark(mark), { class: "button small quiet", "aria-label": t("Add {mark} to {name}", { mark: own(mark), name: this.name }) }));
    if (plan.protocol === "mqm") {
      this.clean = button(t("No errors"), () => this.#toggleClean(), { "aria-pressed": "false", "aria-label": t("No errors in {name}", { name: this.name }) });
      this.sum = node("span", { class: "penalty", hidden: !plan.show_value });
      return node("div", { class: "column-foot" }, node("div", { class: "mark-row" }, ...buttons, this.clean), this.sum);
    }
    const label = t("Score of {name}", { name: this.name });
    this.line = new ScoreLine({ label, beside: this.relative, showsValue: plan.show_value, scored: (score) => this.changed({ score }, "score") });
    return node("div", { class: "column-foot" }, node("div", { class: "mark-row" }, ...buttons), this.line.element);
  }

  // ---- errors
  get #spans() {
    return this.cell.spans;
  }

  #picked() {
    this.#chosen = null;
    this.taken();
    if (this.text.place) this.pointed(this.text.place.focus);
    this.#drawBar();
  }

  #choose(place) {
    this.text.clear();
    this.#chosen = place;
    this.taken();
    this.#draw();
  }

  // Nothing is chosen any more.
  release() {
    this.text.clear();
    if (this.#chosen === null && this.bar.hidden) return;
    this.#chosen = null;
    this.#draw();
  }

  addMark(mark) {
    const span = { mark, severity: null };
    this.#keep([...this.#spans, this.#whole(span)], this.#spans.length);
    announce(t("{mark} added; say how severe it is", { mark: own(mark) }));
    this.bar.querySelector("button")?.focus();
  }

  // A new error has no category yet, and a mark no severity: the judge says them.
  #whole(span) {
    return this.rules.categories.length ? { ...span, category: null } : span;
  }

  // Gives the error that is chosen, or the place that is, a severity.
  mark(severity) {
    if (this.#chosen !== null) return this.#change({ severity });
    const range = this.text.range;
    if (!range) return this.#say(t("Choose the words first: drag over them, tap the first and the last, or use arrows and Shift."));
    const span = this.#whole({ ...range, severity });
    if (!this.rules.overlap && this.#spans.some((other) => overlap(span, other)))
      return this.#say(t("Errors may not overlap here. Change or remove the one that is there."));
    const spans = inOrder([...this.#spans, span]);
    const needsMore = this.rules.categories.length > 0;
    const words = shortened(wordsOf(span, this.text.text));
    this.text.clear();
    this.#keep(spans, needsMore ? spans.indexOf(span) : null);
    announce(`${own(severity)}: ${words}`);
    if (needsMore) this.bar.querySelector("select")?.focus();
    return undefined;
  }

  /** @param {Partial<Span>} changes */
  #change(changes) {
    if (this.#chosen === null) return;
    const span = { ...this.#spans[this.#chosen], ...changes };
    const isDone = "severity" in changes && !this.rules.categories.length;
    this.#keep(this.#spans.with(this.#chosen, span), isDone ? null : this.#chosen);
    announce(`${own(span.severity ?? "")} ${kindName(span.category ?? "")}: ${shortened(wordsOf(span, this.text.text))}`);
    if (isDone) this.text.element.focus({ preventScroll: true });
  }

  // The error that is chosen, or the one at the place that is; whether there was one.
  remove(place = this.#chosen ?? this.#here()) {
    if (place === null || place < 0) return false;
    const words = shortened(wordsOf(this.#spans[place], this.text.text));
    this.#keep(this.#spans.filter((_, other) => other !== place), null);
    announce(t("Removed: {words}", { words }));
    this.text.element.focus({ preventScroll: true });
    return true;
  }

  #here() {
    const range = this.text.range;
    return range ? this.#spans.findIndex((span) => overlap(span, range)) : null;
  }

  #keep(spans, chosen) {
    this.#chosen = chosen;
    this.#say("");
    this.changed({ spans, isClean: false });
  }

  #toggleClean() {
    this.changed({ isClean: !this.cell.isClean });
  }

  #say(sentence) {
    setText(this.note, sentence);
  }

  // Keys in the text: severities by number, Delete, Escape, and what moves the place.
  key(event) {
    const number = /^[1-9]$/.test(event.key) ? Number(event.key) - 1 : -1;
    if (this.rules.severities[number] !== undefined) return this.mark(this.rules.severities[number]) ?? true;
    if (event.key === "Delete" || event.key === "Backspace") return this.remove();
    if (event.key === "Escape") {
      this.release();
      return true;
    }
    return event.target === this.text.element && this.text.key(event);
  }

  get isActive() {
    return this.#chosen !== null || this.text.place !== null;
  }

  focus() {
    this.text.element.focus({ preventScroll: true });
    this.element.scrollIntoView({ block: "nearest" });
  }

  // Where something is missing: the error that lacks a word, or the score.
  focusMissing() {
    const place = this.#spans.findIndex((span) => this.isHalf(span));
    if (place >= 0) this.#choose(place);
    const isScored = this.line ? this.cell.score !== null : this.cell.spans.length > 0 || this.cell.isClean;
    /** @type {HTMLElement | null | undefined} */
    const found = place >= 0 ? this.bar.querySelector("select, button") : (this.line?.track ?? this.clean);
    if (place >= 0 || !isScored || !this.further.focusMissing()) found?.focus({ preventScroll: true });
    this.element.scrollIntoView({ block: "center" });
  }

  isHalf(span) {
    return span.severity === null || (this.rules.categories.length > 0 && !span.category);
  }

  // ---- showing it
  draw(cell, relative) {
    this.cell = cell;
    if (this.#chosen !== null && this.#chosen >= cell.spans.length) this.#chosen = null;
    this.line?.draw(cell.score);
    this.further.draw(cell);
    this.clean?.setAttribute("aria-pressed", String(cell.isClean));
    if (this.clean) show(this.clean, cell.spans.length === 0);
    if (this.sum) setText(this.sum, t("Sum of weights: {sum}", { sum: penalty(cell.spans, this.rules.weights) }));
    setText(this.relative, RELATIVE[relative] ?? "");
    this.element.dataset.relative = relative;
    this.#draw();
  }

  #draw() {
    this.text.draw(this.#spans, this.#chosen);
    this.#drawList();
    this.#drawBar();
  }

  #drawList() {
    this.list.replaceChildren(
      ...this.#spans.map((span, place) => {
        const words = shortened(wordsOf(span, this.text.text));
        const kind = [own(span.severity ?? t("how severe?")), kindName(span.category) ?? (this.isHalf(span) ? t("which kind?") : null)];
        const isGiven = isAsGiven(span, this.given);
        if (isGiven !== null) kind.push(isGiven ? t("by machine") : t("by machine, changed"));
        const said = kind.filter(Boolean).join(", ");
        const classes = `error-item level-${span.severity === null ? 0 : level(span.severity, this.rules)}`;
        return node("li", { class: `${classes}${this.isHalf(span) ? " is-half" : ""}${isGiven ? " is-given" : ""}` },
          node("button", { type: "button", class: "error-words", "aria-pressed": String(place === this.#chosen), onclick: () => this.#choose(place) },
            node("b", {}, said), " ", node("bdi", { lang: this.text.element.lang || null, dir: "auto" }, words)),
          node("button", { type: "button", class: "error-remove", "aria-label": t("Remove {said}: {words}", { said, words }), onclick: () => this.remove(place) }, "×"));
      }),
    );
    show(this.list, this.#spans.length > 0);
  }

  #drawBar() {
    const span = this.#chosen === null ? null : this.#spans[this.#chosen];
    const range = this.text.range;
    const isShown = span !== null || range !== null;
    show(this.bar, isShown);
    if (!isShown) return this.bar.replaceChildren();
    const words = shortened(wordsOf(span ?? range, this.text.text));
    this.bar.setAttribute("aria-label", t("Mark {words} as", { words }));
    const severities = this.rules.severities.map((severity) =>
      button("", () => this.mark(severity), {
        class: `button small severity level-${level(severity, this.rules)}`,
        "aria-pressed": String(span?.severity === severity),
      }));
    severities.forEach((made, place) =>
      made.append(own(this.rules.severities[place]), " ", node("kbd", {}, String(place + 1))));
    const rest = span
      ? [button(t("Remove"), () => this.remove(this.#chosen)), button(t("Done"), () => this.#done())]
      : [button(t("Cancel"), () => this.#done())];
    this.bar.replaceChildren(...severities, ...this.#categories(span), ...rest);
    return undefined;
  }

  #done() {
    this.release();
    this.text.element.focus({ preventScroll: true });
  }

  #categories(span) {
    if (!span || !this.rules.categories.length) return [];
    const option = (value, words) => node("option", { value, selected: span.category === value }, words);
    const groups = this.rules.categories.map(([name, inner]) =>
      inner.length
        ? node("optgroup", { label: own(name) }, ...inner.map((one) => option(`${name}/${one}`, `${own(name)}: ${own(one)}`)))
        : option(name, own(name)));
    const select = node("select", {
      "aria-label": t("Kind of error"),
      onchange: (event) => this.#change({ category: event.target.value || null }),
    }, node("option", { value: "" }, t("Which kind?")), ...groups);
    return [select];
  }
}
