// Active time: it runs only while the page is visible and the person does something. After a
// minute without a sign of life it stands still, and the minute itself is not counted twice. Whoever
// hears or watches a source does something.

export const IDLE_AFTER = 60_000;
const SIGNS = ["pointerdown", "pointermove", "keydown", "wheel", "scroll", "touchstart", "timeupdate"];

export class Clock {
  #active = 0;
  #last; // up to when time was counted
  #sign; // when the person last did something
  #paused = false;
  #listeners = [];
  #wasIdle = false;

  constructor({ now = () => Date.now(), isVisible = () => document.visibilityState === "visible" } = {}) {
    this.now = now;
    this.isVisible = isVisible;
    this.#last = this.#sign = now();
  }

  // *changed* is told true when the clock stops for want of activity, and false when it goes on.
  /** @param {(idle: boolean) => void} changed */
  start(target = document, changed = () => {}) {
    this.#listeners.push(changed);
    for (const name of SIGNS)
      target.addEventListener(name, () => this.sign(), { passive: true, capture: true });
    target.addEventListener("visibilitychange", () => this.#turned());
    setInterval(() => this.tick(), 1000);
  }

  sign() {
    this.tick();
    this.#sign = this.now();
    this.#tell();
  }

  tick() {
    const now = this.now();
    const until = Math.min(now, this.#sign + IDLE_AFTER);
    if (!this.#paused && this.isVisible()) this.#active += Math.max(0, until - this.#last);
    this.#last = now;
    this.#tell();
  }

  // A new task begins at zero, a resumed one where it was left.
  reset(active = 0) {
    this.#active = active;
    this.#last = this.#sign = this.now();
    this.#tell();
  }

  pause(paused) {
    this.tick();
    this.#paused = paused;
    this.#sign = this.now();
  }

  get active() {
    this.tick();
    return Math.round(this.#active);
  }

  get isIdle() {
    return this.now() - this.#sign >= IDLE_AFTER;
  }

  get isRunning() {
    return !this.#paused && !this.isIdle && this.isVisible();
  }

  // Time before hiding was visible; time before showing was not.
  #turned() {
    const now = this.now();
    const until = Math.min(now, this.#sign + IDLE_AFTER);
    if (!this.#paused && !this.isVisible()) this.#active += Math.max(0, until - this.#last);
    this.#last = now;
    if (this.isVisible()) this.#sign = now;
    this.#tell();
  }

  #tell() {
    const idle = this.isIdle && !this.#paused;
    if (idle === this.#wasIdle) return;
    this.#wasIdle = idle;
    for (const listener of this.#listeners) listener(idle);
  }
}
