// A task is reserved for a while. Activity renews the reservation; a countdown appears only near
// its end; and when it has ended the work can still be sent.

import { Refused } from "./api.js";
import { t } from "./words.js";

const NEAR = 120_000;

export class Lease {
  /** @type {import("./api.js").Api} */ api;
  /** @type {import("./clock.js").Clock} */ clock;
  /** @type {(words: string) => void} */ told;

  /** @type {{ token: string, ahead: number, expires: number, duration: number } | null} */ #task = null;
  #asking = false;
  #retryAt = 0;

  // *told* gets a sentence, or "" when there is nothing to say.
  constructor({ api, clock, told }) {
    Object.assign(this, { api, clock, told });
    setInterval(() => this.tick(), 1000);
  }

  // Times are the server's; *now* is its clock when it answered.
  open({ token, created_at: created, expires_at: expires, now }) {
    const ahead = now - Date.now();
    this.#task = { token, ahead, expires, duration: Math.max(1000, expires - created) };
    this.#retryAt = 0;
    this.tick();
  }

  close() {
    this.#task = null;
    this.told("");
  }

  tick() {
    if (!this.#task) return;
    const left = this.#task.expires - (Date.now() + this.#task.ahead);
    this.told(sentence(left, this.#task.duration));
    if (this.clock.isRunning && left < this.#task.duration / 2) this.#renew(this.#task);
  }

  async #renew(task) {
    if (this.#asking || Date.now() < this.#retryAt) return;
    this.#asking = true;
    try {
      const { expires_at: expires, now } = await this.api.send("POST", `/judge/tasks/${task.token}/renew`);
      Object.assign(task, { expires, ahead: now - Date.now() });
      task.duration = Math.max(1000, expires - now);
    } catch (error) {
      // refused: it has ended, and asking again would not help
      this.#retryAt = error instanceof Refused ? Infinity : Date.now() + 10_000;
    } finally {
      this.#asking = false;
    }
  }
}

function sentence(left, duration) {
  if (left <= 0) return t("The reservation of this screen has ended. Go on: your answer will be kept.");
  if (left > Math.min(NEAR, duration / 4)) return "";
  const whole = Math.ceil(left / 1000);
  const shown = `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
  return t("This screen is reserved for you for {time} more; any activity renews it.", { time: shown });
}
