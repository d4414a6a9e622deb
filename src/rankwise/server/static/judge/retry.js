// Tries again after 1, 2, 4, ... seconds, half a minute at most, and at once when the network is back.

const LONGEST = 30_000;

export class Retry {
  /** @type {number | undefined} */ #timer;
  #failures = 0;

  constructor(attempt) {
    this.attempt = attempt;
    addEventListener("online", () => this.#failures && this.now());
  }

  later() {
    clearTimeout(this.#timer);
    const wait = Math.min(LONGEST, 1000 * 2 ** this.#failures);
    this.#failures += 1;
    this.#timer = setTimeout(() => this.attempt(), wait);
  }

  now() {
    this.done();
    this.attempt();
  }

  done() {
    clearTimeout(this.#timer);
    this.#failures = 0;
  }
}
