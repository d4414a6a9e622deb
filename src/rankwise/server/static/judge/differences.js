// Differences on demand: one output is the measure, and the words of the others that differ from it
// are marked. The server compares; every use is counted, because it may lead a judge.

import { announce, node } from "./dom.js";
import { banner } from "./frame.js";
import { letter } from "./state.js";
import { t } from "./words.js";

const COARSE = t("Some of these texts differ so much that only their common beginning and end are left unmarked.");

export class Differences {
  /** @type {import("./api.js").Api} */ api;
  /** @type {string} */ token;
  /** @type {Shown} */ cards;
  /** @type {() => void} */ used;
  /** @type {(error: Error) => void} */ failed;

  #cache = new Map();
  /** @type {number | null} */ #base = null;
  uses = 0;

  constructor({ api, token, cards, used, failed }) {
    Object.assign(this, { api, token, cards, used, failed });
    this.size = cards.texts.length;
    this.picker = node("span", { class: "difference-picker", role: "group", "aria-label": t("Compare with") });
    this.picker.hidden = true;
    banner("differences", "");
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
    banner("differences", "");
    announce(t("Differences are hidden"));
  }

  async compareWith(base) {
    const found = await this.#compareAll(base).catch((error) => this.failed(error));
    if (!found) return;
    this.#base = base;
    this.uses += 1;
    this.cards.draw({ marks: this.#marks(base, found) });
    const isCoarse = [...found.values()].some(({ coarse }) => coarse);
    banner("differences", isCoarse ? COARSE : "", { kind: "info" });
    this.#drawPicker();
    this.used();
    announce(t("Differences from output {letter} are marked", { letter: letter(base) }));
  }

  async #compareAll(base) {
    const others = [...Array(this.size).keys()].filter((place) => place !== base);
    const found = await Promise.all(others.map((place) => this.#compare(base, place)));
    return new Map(others.map((place, i) => [place, found[i]]));
  }

  // Each text against the base; with two texts both are marked.
  #marks(base, found) {
    const marks = Object.fromEntries([...found].map(([place, { right }]) => [place, right]));
    if (this.size === 2) marks[base] = found.get(1 - base).left;
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
    this.picker.replaceChildren(t("from"), " ", ...[...Array(this.size).keys()].map(pick));
  }
}
