"""What the page does when scripts run: tables sort and take keys, segments are found and sorted.

Without scripts everything is there to read; only these comforts are missing. The page names the
hash of this script in its policy, so that a browser runs no other.
"""

import base64
import hashlib
from pathlib import Path

_COMFORTS = """
"use strict";
(() => {
  const number = (cell) => {
    const found = /-?[0-9]+(\\.[0-9]+)?/.exec(cell.textContent.replace(/\\u2212/g, "-"));
    return found ? parseFloat(found[0]) : NaN;
  };
  const compare = (column, numeric) => (a, b) => {
    const [one, two] = [a.cells[column], b.cells[column]];
    if (!numeric) return one.textContent.localeCompare(two.textContent);
    const [x, y] = [number(one), number(two)];
    return isNaN(x) - isNaN(y) || x - y;
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
  for (const table of document.querySelectorAll("table.sortable")) {
    Array.from(table.tHead.rows[0].cells).forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      button.addEventListener("click", () => sortTable(table, head, column));
      head.append(button);
    });
  }
  for (const box of document.querySelectorAll(".scroll")) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;  // so that arrow keys scroll it
  }
  const tools = document.querySelector(".tools");
  if (!tools) return;
  const list = document.querySelector(".segments");
  const cards = Array.from(list.querySelectorAll(".segment"));
  const [search, order, count] = ["search", "order", "count"].map(
    (name) => tools.querySelector("." + name));
  const texts = new Map(cards.map((card) => [card, card.textContent.toLowerCase()]));
  const find = () => {
    const words = search.value.toLowerCase().split(/\\s+/).filter((word) => word);
    let shown = 0;
    for (const card of cards) {
      card.hidden = !words.every((word) => texts.get(card).includes(word));
      shown += !card.hidden;
    }
    count.textContent = shown + " of " + cards.length + " segments";
  };
  const sort = () => {
    const key = order.value;
    const value = (card) => parseFloat(card.getAttribute("data-" + key));
    const sign = key === "place" ? 1 : -1;
    cards.sort((a, b) => isNaN(value(a)) - isNaN(value(b)) || sign * (value(a) - value(b)));
    list.append(...cards);
  };
  search.addEventListener("input", find);
  order.addEventListener("change", sort);
  tools.hidden = false;
  find();
})();
"""

#: The whole script of a page; that of pairs of systems is a file of its own.
SCRIPT = _COMFORTS + Path(__file__).with_name("pair_view.js").read_text(encoding="utf-8")


def policy() -> str:
    """The content security policy: no network at all, this script and no other."""
    digest = base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
