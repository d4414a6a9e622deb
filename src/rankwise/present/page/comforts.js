// What every page does when scripts run: tables sort and take keys, segments are found and sorted.
"use strict";
(() => {
  /** @param {HTMLTableCellElement} cell */
  const number = (cell) => {
    const found = /-?[0-9]+(\.[0-9]+)?/.exec(cell.textContent.replace(/\u2212/g, "-"));
    return found ? parseFloat(found[0]) : NaN;
  };
  const compare = (column, numeric) => (a, b) => {
    const [one, two] = [a.cells[column], b.cells[column]];
    if (!numeric) return one.textContent.localeCompare(two.textContent);
    const [x, y] = [number(one), number(two)];
    return Number(isNaN(x)) - Number(isNaN(y)) || x - y;
  };
  const sortTable = (table, head, column) => {
    const falling = head.getAttribute("aria-sort") === "ascending";
    const body = table.tBodies[0];
    const rows = Array.from(body.rows);
    const numeric = head.classList.contains("right");
    rows.sort(compare(column, numeric));
    if (falling) rows.reverse();
    for (const row of rows) { row.classList.remove("rule"); body.append(row); }
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", falling ? "descending" : "ascending");
  };
  /** @type {NodeListOf<HTMLTableElement>} */
  const tables = document.querySelectorAll("table.sortable");
  for (const table of tables) {
    if (!table.tHead) continue;
    Array.from(table.tHead.rows[0].cells).forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      button.addEventListener("click", () => sortTable(table, head, column));
      head.append(button);
    });
  }
  /** @type {NodeListOf<HTMLElement>} */
  const boxes = document.querySelectorAll(".scroll");
  for (const box of boxes) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;  // so that arrow keys scroll it
  }
  /** @type {HTMLElement | null} */
  const tools = document.querySelector(".tools");
  const list = document.querySelector(".segments");
  if (!tools || !list) return;
  /** @type {HTMLElement[]} */
  const cards = Array.from(list.querySelectorAll(".segment"));
  const search = /** @type {HTMLInputElement} */ (tools.querySelector(".search"));
  const order = /** @type {HTMLSelectElement} */ (tools.querySelector(".order"));
  const count = /** @type {HTMLElement} */ (tools.querySelector(".count"));
  const texts = new Map(cards.map((card) => [card, card.textContent.toLowerCase()]));
  const find = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter((word) => word);
    let shown = 0;
    for (const card of cards) {
      const text = texts.get(card) ?? "";
      card.hidden = !words.every((word) => text.includes(word));
      if (!card.hidden) shown += 1;
    }
    count.textContent = shown + " of " + cards.length + " segments";
  };
  const sort = () => {
    const key = order.value;
    /** @param {HTMLElement} card */
    const value = (card) => parseFloat(card.getAttribute("data-" + key) ?? "");
    const sign = key === "place" ? 1 : -1;
    cards.sort((a, b) => Number(isNaN(value(a))) - Number(isNaN(value(b))) || sign * (value(a) - value(b)));
    list.append(...cards);
  };
  search.addEventListener("input", find);
  order.addEventListener("change", sort);
  tools.hidden = false;
  find();
})();
