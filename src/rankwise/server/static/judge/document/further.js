// What else is asked about one text: sliders of the organiser's own, a comment, a correction.

import { node, show } from "../dom.js";
import { languageCode } from "../text.js";
import { ScoreLine } from "./score_line.js";
import { own, t } from "../words.js";

const scaleOf = ({ low, high, step, anchors }) => {
  const words = anchors.map(({ at, words: said }) => [at, own(said)]);
  return { low, high, step, anchors: words.length ? words : [[low, ""], [high, ""]] };
};

export class Further {
  /** @type {Plan} */ plan;
  /** @type {string} */ name;
  /** @type {string} */ text;
  /** @type {(changes: Partial<Cell>, kind?: string) => void} */ changed;
  /** @type {Cell} */ cell;
  /** @type {{ field: HTMLTextAreaElement, opener: HTMLElement, row: HTMLElement } | null} */ commenting = null;
  /** @type {{ field: HTMLTextAreaElement, reset: HTMLElement } | null} */ correcting = null;

  // *changed(changes, kind)* keeps changes of this text; *name* says which one it is.
  constructor({ plan, name, text, changed }) {
    Object.assign(this, { plan, name, text, changed });
    this.lines = (plan.sliders ?? []).map((slider) => [slider.name, this.#slider(slider)]);
    this.element = node("div", { class: "further" },
      ...this.lines.map(([title, line]) => node("div", { class: "slider" }, node("p", { class: "slider-name", "aria-hidden": "true" }, own(title)), line.element)),
      ...(plan.comments ? this.#commenting() : []), ...(plan.edits ? this.#correcting() : []));
  }

  #slider(slider) {
    const { name } = slider;
    return new ScoreLine({
      label: t("{slider} of {name}", { slider: own(name), name: this.name }),
      showsValue: true,
      scale: scaleOf(slider),
      beside: null,
      scored: (value) => this.changed({ sliders: { ...this.cell.sliders, [name]: value } }, `slider-${name}`),
    });
  }

  #commenting() {
    const field = node("textarea", {
      rows: 2,
      maxlength: this.plan.comments,
      dir: "auto",
      "aria-label": t("Comment on {name}", { name: this.name }),
      oninput: () => this.changed({ comment: field.value }, "comment"),
    });
    const opener = node("button", { type: "button", class: "button small quiet", "aria-label": t("Add a comment on {name}", { name: this.name }), onclick: () => this.#open() }, `+ ${t("Comment")}`);
    const row = node("div", { class: "further-text", hidden: true }, node("p", { class: "slider-name", "aria-hidden": "true" }, t("Comment")), field);
    this.commenting = { field, opener, row };
    return [opener, row];
  }

  #open() {
    if (!this.commenting) return;
    const { field, opener, row } = this.commenting;
    show(opener, false);
    show(row);
    field.focus();
  }

  #correcting() {
    const field = node("textarea", {
      class: "text",
      rows: Math.min(6, 1 + Math.ceil(this.text.length / 40)),
      maxlength: this.plan.edits,
      dir: "auto",
      lang: languageCode(this.plan.target_language),
      "aria-label": t("Correction of {name}", { name: this.name }),
      oninput: () => this.changed({ edit: field.value === this.text ? null : field.value }, "edit"),
    });
    const reset = node("button", { type: "button", class: "button small quiet", "aria-label": t("As it was: {name}", { name: this.name }), onclick: () => this.#startOver() }, t("As it was"));
    const head = node("div", { class: "further-head" }, node("p", { class: "slider-name", "aria-hidden": "true" }, t("Correction")), reset);
    this.correcting = { field, reset };
    return [node("div", { class: "further-text" }, head, field)];
  }

  #startOver() {
    this.changed({ edit: null });
    this.correcting?.field.focus();
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
    if (!this.correcting) return;
    const { field, reset } = this.correcting;
    const text = cell.edit ?? this.text;
    if (field.value !== text) field.value = text;
    show(reset, cell.edit !== null);
  }

  #drawComment(comment) {
    if (!this.commenting) return;
    const { field, opener, row } = this.commenting;
    if (field.value !== comment) field.value = comment;
    const isOpen = comment !== "" || document.activeElement === field;
    show(opener, !isOpen);
    show(row, isOpen);
  }
}
