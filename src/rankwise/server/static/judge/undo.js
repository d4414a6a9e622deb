// "Undo" for ten seconds after an answer.

import { byId, setText, show } from "./dom.js";

const LASTS = 10_000;

export class Undo {
  /** @type {number | undefined} */ #timer;
  /** @type {string | null} */ #receipt = null;

  constructor(run) {
    byId("undo").addEventListener("click", () => this.use());
    this.run = run;
  }

  offer(receipt, sentence) {
    clearTimeout(this.#timer);
    this.#receipt = receipt;
    setText(byId("undo-said"), sentence);
    show(byId("undo-bar"));
    this.#timer = setTimeout(() => this.clear(), LASTS);
  }

  use() {
    const receipt = this.#receipt;
    this.clear();
    if (receipt) this.run(receipt);
  }

  clear() {
    clearTimeout(this.#timer);
    this.#receipt = null;
    show(byId("undo-bar"), false);
  }
}
