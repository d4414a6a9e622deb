// What a judge said about every text of a document, and the way back: every change can be undone.

const empty = () => ({ spans: [], score: null, isClean: false, sliders: {}, comment: "", edit: null });

const isScore = (score) => Number.isInteger(score) && score >= 0 && score <= 100;

export class Answers {
  /** @type {number} */ rows;
  /** @type {number} */ columns;
  /** @type {Cell[][]} */ cells;

  #past = [];
  /** @type {string | null} */
  #last = null; // what was changed last: a score that is being moved is one change

  // *given(row, column)* are the errors that a text begins with.
  /** @param {(row: number, column: number) => Span[]} given */
  constructor(rows, columns, given = () => []) {
    Object.assign(this, { rows, columns });
    this.cells = Array.from({ length: rows }, (_, row) =>
      Array.from({ length: columns }, (_unused, column) => ({ ...empty(), spans: given(row, column) })));
  }

  get(row, column) {
    return this.cells[row][column];
  }

  // *changes* of one text; those of one *kind* in a row are undone together.
  /** @param {Partial<Cell>} changes @param {string} [kind] */
  set(row, column, changes, kind) {
    const key = kind ? `${kind}-${row}-${column}` : null;
    if (key === null || key !== this.#last) this.#past.push(this.cells);
    this.#last = key;
    const cell = { ...this.get(row, column), ...changes };
    this.cells = this.cells.with(row, this.cells[row].with(column, cell));
  }

  get canUndo() {
    return this.#past.length > 0;
  }

  // The texts that changed, as [row, column].
  undo() {
    const before = this.#past.pop();
    if (!before) return [];
    const found = this.#places().filter(([row, column]) => before[row][column] !== this.get(row, column));
    this.cells = before;
    this.#last = null;
    return found;
  }

  #places() {
    return this.cells.flatMap((row, i) => row.map((_, column) => [i, column]));
  }

  // The first text of which *isOpen* says so, reading from the top, and how many there are.
  open(isOpen) {
    return this.#places().filter(([row, column]) => isOpen(this.get(row, column)));
  }

  // Half a draft, or another shape than this document's, changes nothing where it does not fit.
  restore(segments) {
    this.#past = [];
    this.#last = null;
    if (!Array.isArray(segments) || segments.length !== this.rows) return;
    this.cells = this.cells.map((row, i) =>
      row.map((cell, column) => {
        const { spans, score, isClean, sliders, comment, edit } = segments[i]?.[column] ?? {};
        return {
          spans: Array.isArray(spans) ? spans : cell.spans,
          score: isScore(score) ? score : null,
          isClean: Boolean(isClean),
          sliders: typeof sliders === "object" && sliders !== null ? sliders : {},
          comment: typeof comment === "string" ? comment : "",
          edit: typeof edit === "string" ? edit : null,
        };
      }),
    );
  }
}
