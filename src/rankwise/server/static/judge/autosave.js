// Drafts: kept in this browser at once, sent to the server a moment later. Versions only grow, so
// that a late request never overwrites newer work.

import { Refused, SessionEnded } from "./api.js";
import { Retry } from "./retry.js";

const MOMENT = 700;

export class Autosave {
  #timer = null;
  #sending = null;
  #task = null; // { token, version, content, saved }

  // *told*: one of "saved" (with the time), "saving", "retrying", "ended", "elsewhere".
  constructor({ api, kept, told }) {
    Object.assign(this, { api, kept, told });
    this.retry = new Retry(() => this.send());
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "hidden") this.send({ keepalive: true });
    });
    addEventListener("pagehide", () => this.send({ keepalive: true }));
  }

  // Begins a task and gives the newest draft there is: the server's, or what this browser kept.
  open({ token, draft, draft_version: version }) {
    clearTimeout(this.#timer);
    this.retry.done();
    const local = this.kept.get(token);
    const isNewer = local !== null && local.version > version;
    this.#task = { token, version, content: draft, saved: version };
    if (isNewer) this.#task = { token, ...local, saved: version };
    if (isNewer) this.#soon();
    return this.#task.content;
  }

  changed(content) {
    const { token, version, saved } = this.#task;
    this.#task = { token, version: version + 1, content, saved };
    this.kept.set(token, { version: version + 1, content });
    this.told("saving");
    this.#soon();
  }

  // The answer is on its way: nothing more is sent, the copy stays until there is a receipt.
  stop() {
    clearTimeout(this.#timer);
    this.retry.done();
    this.#task = null;
  }

  forget(token) {
    this.kept.remove(token);
  }

  // After another device saved more: this page's work wins because its person says so.
  overrule(version) {
    this.#task.version = version + 1;
    this.kept.set(this.#task.token, { version: version + 1, content: this.#task.content });
    return this.send();
  }

  #soon() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.send(), MOMENT);
  }

  async send({ keepalive = false } = {}) {
    clearTimeout(this.#timer);
    const task = this.#task;
    if (!task || task.version <= task.saved || (this.#sending === task.version && !keepalive)) return;
    this.#sending = task.version;
    const { token, version, content } = task;
    try {
      const path = `/judge/tasks/${token}/draft`;
      const { saved_at: at } = await this.api.send("PUT", path, { version, content }, { keepalive });
      if (this.#task?.token === token) this.#saved(version, at);
    } catch (error) {
      if (this.#task?.token === token) this.#failed(error);
    } finally {
      if (this.#sending === version) this.#sending = null;
    }
  }

  #saved(version, at) {
    this.#task.saved = Math.max(this.#task.saved, version);
    this.retry.done();
    if (this.#task.version === this.#task.saved) this.told("saved", at);
  }

  #failed(error) {
    if (error instanceof SessionEnded) return this.told("ended");
    if (error instanceof Refused) return this.told(error.status === 409 ? "elsewhere" : "refused", error);
    this.told("retrying", error);
    return this.retry.later();
  }
}
