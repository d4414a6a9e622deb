// The outputs as cards, one of which is chosen: letters and arrows choose, focus follows.

import { node } from "./dom.js";
import { cardFor } from "./keys.js";
import { letter } from "./state.js";
import { fill } from "./text.js";
import { isRightToLeft, t } from "./words.js";

const FORWARD = isRightToLeft ? -1 : 1; // the next card is where reading goes on
const STEPS = { ArrowDown: 1, ArrowRight: FORWARD, ArrowUp: -1, ArrowLeft: -FORWARD };

export function card(place) {
  const body = node("bdi", { class: "text" });
  const title = node("h3", { id: `card-${place}`, class: "output-title" },
    node("span", { class: "visually-hidden" }, `${t("Output")} `),
    node("span", { class: "letter" }, letter(place)),
  );
  const head = node("div", { class: "output-head" }, title);
  const element = node(
    "article",
    { class: "output", tabindex: "-1", "aria-labelledby": `card-${place}`, "data-place": place },
    head,
    body,
  );
  return { element, body };
}

export class Cards {
  /** @type {string[]} */ texts;
  /** @type {string} */ language;
  /** @type {number | null} */ chosen;
  /** @type {{ showHidden?: boolean }} */ view;

  constructor(texts, { language }) {
    Object.assign(this, { texts, language, chosen: null, view: {} });
    this.all = texts.map((_, place) => card(place));
    this.all.forEach(({ element }, place) => {
      element.addEventListener("focusin", () => this.#mark(place));
      element.addEventListener("pointerdown", () => this.#mark(place));
    });
    this.draw();
  }

  // *marks* by place are those of a comparison.
  draw({ showHidden = this.view.showHidden, marks = {} } = {}) {
    this.view = { showHidden };
    this.all.forEach(({ body }, place) =>
      fill(body, this.texts[place], { language: this.language, showHidden, marks: marks[place] ?? null }),
    );
  }

  choose(place, { focus = true } = {}) {
    this.#mark(place);
    const { element } = this.all[place];
    if (focus) element.focus({ preventScroll: true });
    if (focus) element.scrollIntoView({ block: "nearest" });
  }

  #mark(place) {
    this.chosen = place;
    this.all.forEach(({ element }, other) => element.classList.toggle("is-chosen", other === place));
  }

  // Letters always; arrows unless a control on the card wants them.
  key(event) {
    const place = cardFor(event, this.all.length);
    if (place !== null) this.choose(place);
    if (place !== null) return true;
    const step = STEPS[event.key];
    if (step === undefined || event.shiftKey || event.target.closest?.("input, [role=slider]")) return false;
    const from = this.chosen ?? (step > 0 ? -1 : this.all.length);
    this.choose(Math.min(this.all.length - 1, Math.max(0, from + step)));
    return true;
  }
}

// A row of radio buttons that look like chips: [{ value, text, words, title }].
export function chips({ name, label, choices, picked }) {
  const group = node("div", { class: "chips", role: "radiogroup", "aria-label": label });
  for (const { value, text, words = null, title = null } of choices) {
    const input = node("input", { type: "radio", name, value, onchange: () => picked(value) });
    group.append(
      node("label", { class: words ? "chip has-words" : "chip", title },
        input,
        node("span", { class: "chip-face" },
          node("span", { class: "chip-number" }, text),
          words ? node("span", { class: "chip-words" }, words) : null,
        ),
      ),
    );
  }
  return group;
}

export function setChip(group, value) {
  for (const input of group.querySelectorAll("input")) input.checked = input.value === String(value);
}
