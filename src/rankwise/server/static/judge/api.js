// Requests to the server, with the three ways in which one can fail told apart.

import { language, t } from "./words.js";

export class Unreachable extends Error {} // no network, or the server cannot save now: try again
export class SessionEnded extends Error {} // sign in again; nothing is lost
export class Refused extends Error {
  /** @type {number} */ status;
  /** @type {string} */ code;
  /** @type {string | null} */ request;

  constructor(status, { code = "error", message, request = null }) {
    super(message);
    Object.assign(this, { status, code, request });
  }
}

const PATIENCE = 20_000;

// An answer without our code is not the server's: a proxy or a hotel's page stands in between.
async function failure(response) {
  const body = await response.json().catch(() => null);
  const error = body?.error;
  if (!error?.code) return new Unreachable(t("The server cannot be reached (something answered {status}).", { status: response.status }));
  if (response.status === 401) return new SessionEnded(error.message);
  if (response.status >= 500 || response.status === 429) return new Unreachable(error.message);
  return new Refused(response.status, error);
}

async function content(response) {
  try {
    return await response.json();
  } catch {
    throw new Unreachable(t("The server cannot be reached (something else answered)."));
  }
}

// A browser without AbortSignal.any gives up later, or not at all; then nothing calls it back.
function within(time, signal) {
  const patience = AbortSignal.timeout(time);
  return signal ? (AbortSignal.any?.([patience, signal]) ?? patience) : patience;
}

export class Api {
  /** @param {{ csrf?: string, judge?: string }} boot */
  constructor({ csrf = "", judge = "" }) {
    this.csrf = csrf;
    this.judge = judge;
  }

  async #request(method, path, body, { keepalive = false, signal = null } = {}) {
    /** @type {RequestInit & { headers: Record<string, string> }} */
    const options = { method, keepalive, headers: { "X-CSRF-Token": this.csrf, "X-Page-Language": language }, redirect: "error" };
    if (body !== undefined) {
      options.headers["Content-Type"] = "application/json";
      options.body = JSON.stringify(body);
    }
    if (!keepalive) options.signal = within(PATIENCE, signal);
    try {
      return await fetch(path, options);
    } catch {
      throw new Unreachable(t("The server cannot be reached."));
    }
  }

  // *options*: "keepalive" outlives the page, "signal" calls the request back.
  async send(method, path, body, options = {}) {
    let response = await this.#request(method, path, body, options);
    if (response.status === 403 && method !== "GET" && (await this.#hasNewToken()))
      response = await this.#request(method, path, body, options);
    if (!response.ok) throw await failure(response);
    return response.status === 204 ? null : content(response);
  }

  // Another window may have signed in anew: true if there is another token now.
  async #hasNewToken() {
    const response = await this.#request("GET", "/judge/session");
    if (response.status === 401) throw await failure(response);
    return response.ok && this.#adopt(response);
  }

  // Signs in with a pasted link, without leaving the page.
  async signIn(link) {
    const token = /\/j\/([\w-]{16,})/.exec(link)?.[1] ?? /^[\w-]{16,}$/.exec(link.trim())?.[0];
    if (!token) return false;
    try {
      await fetch(`/j/${token}`, { method: "POST", redirect: "manual" });
    } catch {
      throw new Unreachable(t("The server cannot be reached."));
    }
    return this.isSignedIn();
  }

  async isSignedIn() {
    const response = await this.#request("GET", "/judge/session");
    if (!response.ok) return false;
    await this.#adopt(response);
    return true;
  }

  async #adopt(response) {
    const { csrf, judge } = await content(response);
    if (judge !== this.judge)
      throw new Refused(409, {
        code: "other-judge",
        message: t("Another judge is signed in in this browser now. Open your own link to go on."),
      });
    const isNew = csrf !== this.csrf;
    this.csrf = csrf;
    return isNew;
  }
}
