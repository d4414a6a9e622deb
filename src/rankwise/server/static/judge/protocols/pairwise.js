// Two outputs: which is better, or are they equal, or both bad.

import { Cards, chips, setChip } from "../cards.js";
import { announce, node } from "../dom.js";
import { CHOICES, SIDES } from "../pair_choices.js";
import { t } from "../words.js";

// One line of text, as the browser itself scrolls.
const SCROLLS = { ArrowDown: 40, ArrowUp: -40 };
const SUMMARY = { left: "A > B", right: "B > A", equal: "A = B", both_bad: `A = B, ${t("both bad")}` };
const SPOKEN = { left: t("A is better"), right: t("B is better"), equal: t("Equally good"), both_bad: t("Both bad") };

class Pairwise {
  /** @type {keyof typeof SUMMARY | null} */ choice = null;

  letters = 0;
  question = t("Which translation is better?");
  hint = t("Keys: {first} A is better, {second} B is better, e equally good, b both bad.", { first: SIDES[0], second: SIDES[1] });
  tools = [];

  constructor({ task, plan, changed }) {
    this.changed = changed;
    this.cards = new Cards(task.outputs, { language: plan.target_language });
    this.group = chips({
      name: "choice",
      label: this.question,
      choices: CHOICES,
      picked: (value) => this.choose(value),
    });
    this.group.classList.add("verdict");
    this.element = node("div", { class: "pair" }, ...this.cards.all.map(({ element }) => element), this.group);
  }

  choose(value) {
    this.choice = value;
    this.draw();
    this.changed();
    announce(SPOKEN[value]);
  }

  key(event) {
    if (event.key in SCROLLS) return this.#scroll(event);
    const found = CHOICES.find(({ key }) => key === event.key);
    if (!found || event.shiftKey) return false;
    this.choose(found.value);
    this.#inputs.find(({ value }) => value === found.value)?.focus({ preventScroll: true });
    return true;
  }

  get #inputs() {
    return [...this.group.querySelectorAll("input")];
  }

  // These keys move the page; of themselves they would move the answer on, once a button has the focus.
  #scroll({ key, target }) {
    if (!this.group.contains(target)) return false;
    scrollBy(0, SCROLLS[key]);
    return true;
  }

  draw() {
    setChip(this.group, this.choice);
    const better = { left: [0], right: [1] }[this.choice] ?? [];
    this.cards.all.forEach(({ element }, place) => element.classList.toggle("is-better", better.includes(place)));
  }

  get summary() {
    return SUMMARY[this.choice] ?? "";
  }

  get missing() {
    if (this.choice !== null) return null;
    const focus = () => this.#inputs[0].focus();
    return { sentence: t("Choose one of the four answers to submit."), focus };
  }

  get answer() {
    return { choice: this.choice };
  }

  get details() {
    return {};
  }

  get content() {
    return { choice: this.choice };
  }

  /** @param {{ choice?: keyof typeof SUMMARY | null }} content */
  restore({ choice = null }) {
    this.choice = choice !== null && choice in SUMMARY ? choice : null;
    this.draw();
  }
}

export const create = (options) => new Pairwise(options);
