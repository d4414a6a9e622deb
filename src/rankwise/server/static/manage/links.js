// Copies all links at once, as lines of name, address and link, for a spreadsheet.
const button = /** @type {HTMLButtonElement} */ (document.querySelector("[data-copy-all]"));
const status = /** @type {HTMLElement} */ (document.querySelector("[data-copied]"));

button.hidden = false;
button.addEventListener("click", async () => {
  const cells = ["[data-who]", "[data-email]", "[data-link]"];
  const rows = [...document.querySelectorAll("tbody tr")];
  const lines = rows.map((row) => cells.map((cell) => row.querySelector(cell)?.textContent ?? "").join("\t"));
  const isDone = await window.rankwiseCopied(lines.join("\n"));
  status.textContent = isDone ? `${lines.length} copied.` : "This browser copies nothing by itself: mark the links and copy them.";
  button.focus();
});
