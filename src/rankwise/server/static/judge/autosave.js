// Drafts: kept in this browser at once, sent to the server a moment later. Versions only grow, so
// that a late request never overwrites newer work.

import { Refused, SessionEnded } from "./api.js";
import { Retry } from "./retry.js";

const MOMENT = 700;
const KEPT_FOR = 14 * 86_400_000;

export class Autosave {
  /** @type {import("./api.js").Api} */ api;
  /** @type {import("./storage.js").Kept} */ kept;
  /** @type {(state: string, what?: any) => void} */ told;

  /** @type {number | undefined} */ #timer;
  /** @type {Promise<void> | null} */ #sending = null; // the request on its way
  /** @type {AbortController | null} */ #callBack = null; // what stops it
  #again = false;
  /** @type {Draft | null} */ #stopped = null; // the task whose answer is on its way
  /** @type {Draft | null} */ #task = null; // { token, version, content, saved }

  // *told*: one of "saved" (with the time, unless it was before), "saving", "retrying", "ended", "elsewhere", "done".
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
    this.#tidy();
    const local = this.kept.get(token);
    const isNewer = local !== null && local.version > version;
    const newest = isNewer ? local : { version, content: draft };
    this.#task = { token, version: newest.version, content: newest.content, saved: version };
    if (isNewer) this.#soon();
    else if (version > 0) this.told("saved");
    return this.#task.content;
  }

  // A field that loses its focus while the next screen comes says once more that it changed.
  changed(content) {
    if (!this.#task) return;
    const { token, version, saved } = this.#task;
    this.#task = { token, version: version + 1, content, saved };
    this.#keep(this.#task);
    this.told("saving");
    this.#soon();
  }

  // The answer is on its way: nothing more is sent, and no draft may arrive after it; the copy
  // stays until there is a receipt.
  stop() {
    clearTimeout(this.#timer);
    this.retry.done();
    this.#stopped = this.#task;
    this.#task = null;
    this.#callBack?.abort();
  }

  // The answer was not taken yet: its draft goes on.
  resume(content) {
    this.#task = this.#stopped;
    this.changed(content);
  }

  forget(token) {
    this.kept.remove(token);
  }

  // After another device saved more: this page's work wins because its person says so.
  async overrule(version) {
    if (!this.#task) return undefined;
    this.#task.version = version + 1;
    this.#keep(this.#task);
    return this.send();
  }

  /** @param {Draft} task */
  #keep({ token, version, content }) {
    this.kept.set(token, { version, content, at: Date.now() });
  }

  // Drafts of tasks that never came back.
  #tidy() {
    for (const token of this.kept.keys())
      if (!(Date.now() - this.kept.get(token)?.at < KEPT_FOR)) this.kept.remove(token);
  }

  // Somebody leaves a machine that others use: what the server has need not stay here.
  async leave() {
    await this.send();
    if (this.#task && this.#task.version > this.#task.saved) return;
    for (const token of this.kept.keys()) this.kept.remove(token);
  }

  #soon() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.send(), MOMENT);
  }

  // One request at a time, so that an older draft cannot arrive after a newer one; whoever waits for
  // this waits until the newest went too. A page that is being hidden cannot wait.
  async send({ keepalive = false } = {}) {
    clearTimeout(this.#timer);
    const task = this.#task;
    if (!task || task.version <= task.saved) return;
    if (keepalive) return void this.#put(task, { keepalive });
    this.#again = true;
    this.#sending ??= this.#sendAll();
    await this.#sending;
  }

  async #sendAll() {
    try {
      while (this.#again) {
        this.#again = false;
        const task = this.#task;
        if (task && task.version > task.saved) await this.#put(task, { keepalive: false });
      }
    } finally {
      this.#sending = null;
    }
  }

  async #put({ token, version, content }, { keepalive }) {
    this.#callBack = new AbortController();
    const { signal } = this.#callBack;
    try {
      const path = `/judge/tasks/${token}/draft`;
      const { saved_at: at } = await this.api.send("PUT", path, { version, content }, { keepalive, signal });
      if (this.#task && this.#task.token === token) this.#saved(this.#task, version, at);
    } catch (error) {
      const isOutdated = error instanceof Refused && this.#task?.version !== version;
      if (this.#task?.token === token && !isOutdated) this.#failed(error);
    }
  }

  /** @param {Draft} task */
  #saved(task, version, at) {
    task.saved = Math.max(task.saved, version);
    this.retry.done();
    if (task.version === task.saved) this.told("saved", at);
  }

  #failed(error) {
    if (error instanceof SessionEnded) return this.told("ended");
    if (error.code === "already_done") return this.told("done", error);
    const isElsewhere = error.status === 409 && error.code !== "other-judge";
    if (error instanceof Refused) return this.told(isElsewhere ? "elsewhere" : "refused", error);
    this.told("retrying", error);
    return this.retry.later();
  }
}
