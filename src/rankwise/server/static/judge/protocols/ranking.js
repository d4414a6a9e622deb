// Ranking with ties: keys, chips and shelves are three ways to the same state.

import { Cards, chips, setChip } from "../cards.js";
import { announce, node } from "../dom.js";
import { rankFor } from "../keys.js";
import * as state from "../state.js";
import { t } from "../words.js";

const ALL_EQUAL = "0";

class Ranking {
  /** @type {() => void} */ changed;
  /** @type {() => Likings} */ view;
  /** @type {RankingState} */ state;
  /** @type {number | null} */ dragged;

  constructor({ task, plan, changed, view }) {
    Object.assign(this, { changed, view });
    this.size = task.outputs.length;
    this.letters = this.size;
    this.state = state.emptyRanking(this.size);
    this.dragged = null;
    this.cards = new Cards(task.outputs, { language: plan.target_language });
    this.groups = this.cards.all.map((card, place) => this.#controls(card, place));
    this.element = node("div", { class: this.size > 6 ? "outputs ranking" : "outputs ranking has-few" });
    this.tools = [this.#allEqualButton()];
    this.canShelve = true;
    this.arrange();
  }

  question = t("Rank the translations from best to worst. Ties are allowed.");

  hint = t("Keys: a letter chooses a card, a number ranks it, = ties it with the one before, 0 makes all equal.");

  // ---- building
  #controls(card, place) {
    const group = chips({
      name: `rank-${place}`,
      label: t("Rank of output {letter}, 1 is best", { letter: state.letter(place) }),
      choices: Array.from({ length: this.size }, (_, i) => ({ value: i + 1, text: String(i + 1), title: rankTitle(i + 1, this.size) })),
      picked: (rank) => this.rank(place, rank),
    });
    const row = node("div", { class: "rank-row" },
      node("span", { class: "rank-end", "aria-hidden": "true" }, t("best")),
      group,
      node("span", { class: "rank-end is-worst", "aria-hidden": "true" }, t("worst")),
      this.#moves(place),
    );
    card.element.append(row);
    this.#draggable(card.element, place);
    return group;
  }

  #moves(place) {
    const output = { letter: state.letter(place) };
    const button = (step, sign, label) =>
      node("button", {
        type: "button",
        class: "move",
        "aria-label": label,
        onclick: () => this.move(place, step),
      }, sign);
    return node("span", { class: "moves" }, button(-1, "▲", t("Move output {letter} up", output)), button(1, "▼", t("Move output {letter} down", output)));
  }

  #allEqualButton() {
    return node("button", { type: "button", class: "button quiet", id: "all-equal", onclick: () => this.allEqual() },
      `${t("All equal")} `, node("kbd", {}, ALL_EQUAL));
  }

  // Which card is on its way is kept here: what a drop carries may be a file, or a text from elsewhere.
  #draggable(element, place) {
    element.addEventListener("dragstart", (event) => {
      this.dragged = place;
      event.dataTransfer.setData("text/plain", state.letter(place));
      event.dataTransfer.effectAllowed = "move";
    });
    element.addEventListener("dragend", () => {
      this.dragged = null;
    });
  }

  // ---- what a judge does
  rank(place, rank) {
    this.#become(state.withRank(this.state, place, rank), place);
  }

  move(place, step) {
    this.#become(state.moved(this.state, place, step), place);
    this.cards.choose(place);
  }

  allEqual() {
    this.#become(state.withAllEqual(this.state), null);
    announce(t("All outputs are equal"));
  }

  #become(next, place) {
    this.state = next;
    this.draw();
    this.changed();
    if (place !== null) announce(state.sentence(next.ranks, place));
  }

  key(event) {
    const place = this.cards.chosen;
    const rank = rankFor(event, this.size);
    if (event.key === ALL_EQUAL) this.allEqual();
    else if (rank !== null) this.#byKey(place ?? 0, (now) => state.withRank(now, place ?? 0, rank));
    else if (event.key === "=" && place !== null) this.#byKey(place, (now) => state.withTie(now, place));
    else if (["Delete", "Backspace"].includes(event.key) && place !== null) this.rank(place, null);
    else return this.cards.key(event);
    return true;
  }

  // The next card without a rank is chosen, so that a number per card is enough.
  #byKey(place, step) {
    const next = step(this.state);
    if (next === this.state) return announce(t("There is no card before to tie with"));
    this.#become(next, place);
    const after = [...next.ranks.keys()].map((i) => (place + i) % this.size);
    const empty = after.find((other) => next.ranks[other] === null);
    return this.cards.choose(empty ?? place);
  }

  // ---- showing it
  draw() {
    const { ranks } = this.state;
    this.groups.forEach((group, place) => setChip(group, ranks[place]));
    this.cards.all.forEach(({ element }, place) =>
      element.classList.toggle("is-ranked", ranks[place] !== null),
    );
    if (this.view().layout === "shelves") this.arrange();
  }

  // Cards in a list, or each on the shelf of its rank.
  arrange() {
    const focused = document.activeElement;
    const isShelves = this.view().layout === "shelves";
    this.element.classList.toggle("shelves", isShelves);
    for (const { element } of this.cards.all) element.draggable = isShelves;
    const cards = this.cards.all.map(({ element }) => element);
    this.element.replaceChildren(...(isShelves ? this.#shelves() : cards));
    if (focused instanceof HTMLElement && this.element.contains(focused)) focused.focus({ preventScroll: true });
  }

  #shelves() {
    const shelf = (rank, name) => {
      const held = this.cards.all.filter((_, place) => this.state.ranks[place] === rank);
      const made = node("section", { class: held.length ? "shelf" : "shelf is-empty", "aria-label": name },
        node("h3", { class: "shelf-name" }, name),
        node("div", { class: "shelf-cards" }, ...held.map(({ element }) => element)));
      this.#droppable(made, rank);
      return made;
    };
    const ranks = Array.from({ length: this.size }, (_, i) => i + 1);
    const shelves = ranks.map((rank) => shelf(rank, rankTitle(rank, this.size)));
    const open = this.state.ranks.includes(null) ? [shelf(null, t("Not ranked yet"))] : [];
    return [...shelves, ...open];
  }

  #droppable(element, rank) {
    element.addEventListener("dragover", (event) => event.preventDefault());
    element.addEventListener("drop", (event) => {
      event.preventDefault();
      const place = this.dragged;
      this.dragged = null;
      if (place !== null) this.rank(place, rank);
    });
  }

  // ---- for the frame
  get summary() {
    return state.summary(this.state.ranks);
  }

  get missing() {
    const open = this.state.ranks.flatMap((rank, place) => (rank === null ? [place] : []));
    if (!open.length) return null;
    const isNone = open.length === this.size;
    const sentence = isNone ? t("Give every output a rank to submit.") : t("Give {outputs} a rank to submit.", { outputs: state.outputs(open) });
    return { sentence, focus: () => this.cards.choose(state.firstMissing(this.state.ranks)) };
  }

  get answer() {
    return { ranks: state.dense(this.state.ranks) };
  }

  get details() {
    return this.state.allEqual ? { all_equal: true } : {};
  }

  get content() {
    return { ranks: this.state.ranks, all_equal: this.state.allEqual };
  }

  restore({ ranks, all_equal: allEqual = false }) {
    if (Array.isArray(ranks) && ranks.length === this.size)
      this.state = { ranks: ranks.slice(), last: null, allEqual };
    this.draw();
  }
}

function rankTitle(rank, size) {
  if (rank === 1) return t("{rank} · best", { rank });
  return rank === size ? t("{rank} · worst", { rank }) : String(rank);
}

export const create = (options) => new Ranking(options);
