// Differences on demand: one output is the measure, and the words of the others that differ from it
// are marked. The server compares; every use is counted, because it may lead a judge.

import { announce, node } from "./dom.js";
import { banner } from "./frame.js";
import { letter } from "./state.js";
import { t } from "./words.js";

const COARSE = t("Some of these texts differ so much that only their common beginning and end are left unmarked.");

// How many characters a text has but for spaces, which the two texts of a comparison need not share.
const size = (text) => text.replace(/\s/gu, "").length;

// A text cut after some of its characters, spaces not counted, and the spaces behind them.
function cutAfter(text, count) {
  let end = 0;
  for (let left = count; end < text.length && (left > 0 || /\s/u.test(text[end])); end += 1)
    if (!/\s/u.test(text[end])) left -= 1;
  return [text.slice(0, end), text.slice(end)];
}

// What a text has that the other lacks, by how much of what both have comes before it.
/** @param {Mark[]} parts */
function own(parts) {
  /** @type {Map<number, string>} */
  const found = new Map();
  let shared = 0;
  for (const { text, changed } of parts) {
    if (changed) found.set(shared, found.has(shared) ? `${found.get(shared)} ${text}` : text);
    else shared += size(text);
  }
  return found;
}

// The parts of a text, and between them the words of the base that it lacks, where it has no others instead.
/** @type {(base: Mark[], parts: Mark[]) => Mark[]} */
export function withMissing(base, parts) {
  const instead = own(parts);
  const missing = [...own(base)].filter(([place, words]) => !instead.has(place) && words.trim());
  /** @type {Mark[]} */
  const found = [];
  let shared = 0;
  for (const part of parts) {
    let { text } = part;
    const end = shared + size(text);
    for (; !part.changed && missing.length && missing[0][0] < end; missing.shift()) {
      const [place, words] = missing[0];
      const [before, after] = cutAfter(text, place - shared);
      if (before) found.push({ text: before, changed: false });
      found.push({ text: "", changed: true, missing: words.trim() });
      [shared, text] = [place, after];
    }
    found.push({ ...part, text });
    if (!part.changed) shared = end;
  }
  return [...found, ...missing.map(([, words]) => ({ text: "", changed: true, missing: words.trim() }))];
}

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

  // Each text against the base; with two texts both are marked, with more the base's own words in the others.
  #marks(base, found) {
    if (this.size === 2) return { [base]: found.get(1 - base).left, [1 - base]: found.get(1 - base).right };
    return Object.fromEntries([...found].map(([place, { left, right }]) => [place, withMissing(left, right)]));
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
