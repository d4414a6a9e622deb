// A session that ended while somebody works: they sign in again in place, and nothing is lost.

import * as dialogs from "./dialogs.js";
import { byId } from "./dom.js";
import * as frame from "./frame.js";
import { t } from "./words.js";

export class Session {
  /** @type {import("./api.js").Api} */ api;
  /** @type {() => Promise<void>} */ resumed;
  /** @type {(error: Error) => void} */ failed;

  isOver = false;

  // *resumed* is called once somebody is signed in again; *failed* gets what went wrong.
  constructor({ api, resumed, failed }) {
    Object.assign(this, { api, resumed, failed });
    document.addEventListener("visibilitychange", () => this.#returned());
    addEventListener("focus", () => this.#returned());
  }

  end() {
    this.isOver = true;
    const tryLink = (link) => this.#tried(this.api.signIn(link));
    const check = () => this.#tried(this.api.isSignedIn());
    const ask = () => dialogs.signIn({ tryLink, check });
    frame.banner("session", t("Your session has ended. Everything you did is kept in this browser; sign in to send it."), {
      actions: [[t("Sign in"), ask]],
    });
    ask();
  }

  // The link may have been opened in another window.
  async #returned() {
    if (this.isOver && document.visibilityState === "visible") await this.#tried(this.api.isSignedIn());
  }

  async #tried(attempt) {
    const worked = await attempt.catch((error) => (this.failed(error), false));
    if (worked) this.#resume();
    return worked;
  }

  async #resume() {
    if (!this.isOver) return;
    this.isOver = false;
    frame.banner("session", "");
    byId("sign-in").close();
    await this.resumed();
  }
}
