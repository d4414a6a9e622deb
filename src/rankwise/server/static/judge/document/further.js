// What else is asked about one text: sliders of the organiser's own, a comment, a correction.

import { node, show } from "../dom.js";
import { languageCode } from "../text.js";
import { ScoreLine } from "./score_line.js";

const scaleOf = ({ low, high, step, anchors }) => {
  const words = anchors.map(({ at, words: said }) => [at, said]);
  return { low, high, step, anchors: words.length ? words : [[low, ""], [high, ""]] };
};

export class Further {
  // *changed(changes, kind)* keeps changes of this text; *name* says which one it is.
  constructor({ plan, name, id, text, changed }) {
    Object.assign(this, { plan, name, id, text, changed, cell: null });
    this.lines = (plan.sliders ?? []).map((slider) => [slider.name, this.#slider(slider)]);
    this.element = node("div", { class: "further" },
      ...this.lines.map(([title, line]) => node("div", { class: "slider" }, node("p", { class: "slider-name", "aria-hidden": "true" }, title), line.element)),
      ...(plan.comments ? this.#commenting() : []), ...(plan.edits ? this.#correcting() : []));
  }

  #slider(slider) {
    const { name } = slider;
    return new ScoreLine({
      label: `${name} of ${this.name}`,
      showsValue: true,
      scale: scaleOf(slider),
      beside: null,
      scored: (value) => this.changed({ sliders: { ...this.cell.sliders, [name]: value } }, `slider-${name}`),
    });
  }

  #commenting() {
    this.comment = node("textarea", {
      rows: 2,
      maxlength: this.plan.comments,
      dir: "auto",
      "aria-label": `Comment on ${this.name}`,
      oninput: () => this.changed({ comment: this.comment.value }, "comment"),
    });
    this.opener = node("button", { type: "button", class: "button small quiet", "aria-label": `Add a comment on ${this.name}`, onclick: () => this.#open() }, "+ Comment");
    this.commentRow = node("div", { class: "further-text", hidden: true }, node("p", { class: "slider-name", "aria-hidden": "true" }, "Comment"), this.comment);
    return [this.opener, this.commentRow];
  }

  #open() {
    show(this.opener, false);
    show(this.commentRow);
    this.comment.focus();
  }

  #correcting() {
    this.edit = node("textarea", {
      class: "text",
      rows: Math.min(6, 1 + Math.ceil(this.text.length / 40)),
      maxlength: this.plan.edits,
      dir: "auto",
      lang: languageCode(this.plan.target_language),
      "aria-label": `Correction of ${this.name}`,
      oninput: () => this.changed({ edit: this.edit.value === this.text ? null : this.edit.value }, "edit"),
    });
    this.reset = node("button", { type: "button", class: "button small quiet", "aria-label": `As it was: ${this.name}`, onclick: () => this.#startOver() }, "As it was");
    const head = node("div", { class: "further-head" }, node("p", { class: "slider-name", "aria-hidden": "true" }, "Correction"), this.reset);
    return [node("div", { class: "further-text" }, head, this.edit)];
  }

  #startOver() {
    this.changed({ edit: null });
    this.edit.focus();
  }

  // The name of the first slider without a value, or undefined.
  lacks({ sliders }) {
    return this.lines.find(([name]) => typeof sliders[name] !== "number")?.[0];
  }

  focusMissing() {
    const lacking = this.lacks(this.cell);
    const [, line] = this.lines.find(([name]) => name === lacking) ?? [];
    line?.track.focus({ preventScroll: true });
    return line !== undefined;
  }

  draw(cell) {
    this.cell = cell;
    for (const [name, line] of this.lines) line.draw(cell.sliders[name] ?? null);
    this.#drawComment(cell.comment);
    if (!this.edit) return;
    const text = cell.edit ?? this.text;
    if (this.edit.value !== text) this.edit.value = text;
    show(this.reset, cell.edit !== null);
  }

  #drawComment(comment) {
    if (!this.comment) return;
    if (this.comment.value !== comment) this.comment.value = comment;
    const isOpen = comment !== "" || document.activeElement === this.comment;
    show(this.opener, !isOpen);
    show(this.commentRow, isOpen);
  }
}
