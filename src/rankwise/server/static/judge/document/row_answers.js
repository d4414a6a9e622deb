// What a judge said about every segment of a document, and the way back: every change can be undone.

export class RowAnswers {
  #past = [];
  #last = null; // what was changed last: a score that is being moved is one change

  // *empty()* is what was said about a segment before anything was; *isRow* knows what may be.
  constructor(count, { empty, isRow }) {
    this.isRow = isRow;
    this.rows = Array.from({ length: count }, () => empty());
  }

  set(row, said, kind = null) {
    const key = kind && `${kind}-${row}`;
    if (key === null || key !== this.#last) this.#past.push(this.rows);
    this.#last = key;
    this.rows = this.rows.with(row, said);
  }

  get canUndo() {
    return this.#past.length > 0;
  }

  // The segment that changed, or -1.
  undo() {
    const before = this.#past.pop();
    if (!before) return -1;
    const found = this.rows.findIndex((row, place) => row !== before[place]);
    this.rows = before;
    this.#last = null;
    return found;
  }

  // Half a draft, or another shape than this document's, changes nothing where it does not fit.
  restore(segments) {
    this.#past = [];
    this.#last = null;
    if (!Array.isArray(segments) || segments.length !== this.rows.length) return;
    this.rows = this.rows.map((row, place) => (this.isRow(segments[place]) ? { ...row, ...segments[place] } : row));
  }
}
