// Differences on demand: one output is the measure, and the words of the others that differ from it
// are marked. The server compares; every use is counted, because it may lead a judge.

import { announce, node } from "./dom.js";
import { letter } from "./state.js";

export class Differences {
  #cache = new Map();
  #base = null;
  uses = 0;

  constructor({ api, token, cards, used, failed }) {
    Object.assign(this, { api, token, cards, used, failed });
    this.size = cards.texts.length;
    this.picker = node("span", { class: "difference-picker", role: "group", "aria-label": "Compare with" });
    this.picker.hidden = true;
  }

  get isOn() {
    return this.#base !== null;
  }

  async toggle() {
    if (this.isOn) return this.hide();
    return this.compareWith(this.cards.chosen ?? 0);
  }

  hide() {
    this.#base = null;
    this.picker.hidden = true;
    this.cards.draw();
    announce("Differences are hidden");
  }

  async compareWith(base) {
    const marks = await this.#marks(base).catch((error) => this.failed(error));
    if (!marks) return;
    this.#base = base;
    this.uses += 1;
    this.cards.draw({ marks });
    this.#drawPicker();
    this.used();
    announce(`Differences from output ${letter(base)} are marked`);
  }

  // Each text against the base; with two texts both are marked.
  async #marks(base) {
    const others = [...Array(this.size).keys()].filter((place) => place !== base);
    const found = await Promise.all(others.map((place) => this.#compare(base, place)));
    const marks = Object.fromEntries(others.map((place, i) => [place, found[i].right]));
    if (this.size === 2) marks[base] = found[0].left;
    return marks;
  }

  async #compare(left, right) {
    const key = `${left}-${right}`;
    const path = `/judge/tasks/${this.token}/differences?left=${left}&right=${right}`;
    if (!this.#cache.has(key)) this.#cache.set(key, await this.api.send("GET", path));
    return this.#cache.get(key);
  }

  #drawPicker() {
    this.picker.hidden = this.size < 3;
    const pick = (place) =>
      node("button", {
        type: "button",
        class: "button quiet",
        "aria-pressed": String(place === this.#base),
        onclick: () => this.compareWith(place),
      }, letter(place));
    this.picker.replaceChildren("from ", ...[...Array(this.size).keys()].map(pick));
  }
}
