// What is kept in this browser, so that nothing is lost when the network or the session is gone.
// A browser may refuse to keep anything; then the server's copy is all there is.

export class Kept {
  constructor(name, storage = globalThis.localStorage) {
    this.prefix = `rankwise:${name}:`;
    this.storage = storage;
  }

  get(key) {
    try {
      return JSON.parse(this.storage.getItem(this.prefix + key) ?? "null");
    } catch {
      return null;
    }
  }

  set(key, value) {
    try {
      this.storage.setItem(this.prefix + key, JSON.stringify(value));
      return true;
    } catch {
      return false;
    }
  }

  remove(key) {
    try {
      this.storage.removeItem(this.prefix + key);
    } catch {
      // nothing was kept
    }
  }

  keys() {
    try {
      return Object.keys(this.storage)
        .filter((key) => key.startsWith(this.prefix))
        .map((key) => key.slice(this.prefix.length));
    } catch {
      return [];
    }
  }
}
