// How this judge likes the page: size of texts, layout, keys. Kept by the server, so that another
// device has them too; the theme stays with the browser, as on every other page.

import { byId } from "./dom.js";
import { ACTIONS } from "./keys.js";

const SIZES = [0.875, 1, 1.125, 1.25, 1.5, 1.75, 2];
const USUAL = 2;

export class Settings {
  /** @type {Pick<import("./api.js").Api, "send">} */ api;
  /** @type {(changes: Partial<Likings>) => void} */ changed;

  /** @type {Likings} */ #values;
  /** @type {number | undefined} */ #timer;
  #sent = Promise.resolve();

  constructor(stored, { api, changed }) {
    this.#values = { size: USUAL, layout: "cards", keys: true, keymap: {}, hidden: false, ...stored };
    Object.assign(this, { api, changed });
    this.#apply();
  }

  get values() {
    return this.#values;
  }

  set(changes) {
    this.#values = { ...this.#values, ...changes };
    this.#apply();
    this.changed(changes);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#send(), 600);
  }

  // One after the other, so that older settings never overwrite newer ones. Not worth a banner when
  // it fails: the setting holds here, and the next change sends it again.
  #send() {
    const put = () => this.api.send("PUT", "/judge/settings", this.#values).catch(() => {});
    this.#sent = this.#sent.then(put);
  }

  resize(step) {
    this.set({ size: Math.min(SIZES.length - 1, Math.max(0, this.#values.size + step)) });
  }

  setKey(name, key) {
    const [, usual] = ACTIONS.find(([action]) => action === name) ?? [];
    const others = { ...this.#values.keymap };
    delete others[name];
    this.set({ keymap: !key || key === usual ? others : { ...others, [name]: key } });
  }

  #apply() {
    const { size } = this.#values;
    document.documentElement.style.setProperty("--text-size", `${SIZES[size] ?? SIZES[USUAL]}rem`);
    byId("smaller").disabled = size <= 0;
    byId("larger").disabled = size >= SIZES.length - 1;
  }
}
