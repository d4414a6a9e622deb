// Answers on their way to the server. Each is kept in this browser until its receipt is here, and
// is sent again with the same token as often as needed: the server stores it once.

import { Refused, SessionEnded } from "./api.js";
import { Retry } from "./retry.js";

export class Outbox {
  /** @type {import("./api.js").Api} */ api;
  /** @type {import("./storage.js").Kept} */ kept;
  /** @type {(news: string, token?: string | null, what?: any) => void} */ told;

  #sending = false;
  #entries = new Map();

  // *told*: "sent" (token, reply with the body that was sent), "waiting", "ended", "refused" (token, error).
  constructor({ api, kept, told }) {
    Object.assign(this, { api, kept, told });
    this.retry = new Retry(() => this.flush());
  }

  get isEmpty() {
    return this.#all().size === 0;
  }

  // Whether closing the page would lose an answer: only where the browser keeps nothing.
  get isFragile() {
    return [...this.#entries.keys()].some((token) => this.kept.get(token) === null);
  }

  add(token, kind, body) {
    this.#entries.set(token, { kind, body });
    this.kept.set(token, { kind, body });
    return this.flush();
  }

  // What was left by an earlier visit comes first.
  async flush() {
    if (this.#sending) return;
    this.#sending = true;
    try {
      for (let [first] = this.#all(); first; [first] = this.#all()) await this.#send(...first);
      this.retry.done();
    } catch (error) {
      this.#failed(error);
    } finally {
      this.#sending = false;
    }
  }

  /** @returns {Map<string, { kind: string, body: object }>} */
  #all() {
    const kept = this.kept.keys().map((token) => /** @type {[string, any]} */ ([token, this.kept.get(token)]));
    return new Map([...kept, ...this.#entries].filter(([, entry]) => entry));
  }

  async #send(token, { kind, body }) {
    try {
      const reply = await this.api.send("POST", `/judge/tasks/${token}/${kind}`, body);
      this.#forget(token);
      this.told("sent", token, { ...reply, body });
    } catch (error) {
      if (!(error instanceof Refused) || error.code === "other-judge") throw error;
      this.#forget(token);
      this.told("refused", token, error);
    }
  }

  #forget(token) {
    this.#entries.delete(token);
    this.kept.remove(token);
  }

  #failed(error) {
    if (error instanceof SessionEnded) return this.told("ended");
    this.told("waiting", null, error);
    return this.retry.later();
  }
}
