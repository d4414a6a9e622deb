// Copies all links at once, as lines of name and link.
const button = document.querySelector("[data-copy-all]");
const status = document.querySelector("[data-copied]");

if (navigator.clipboard) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const rows = [...document.querySelectorAll("tbody tr")];
    const lines = rows.map((row) => `${row.cells[0].textContent.trim()}\t${row.querySelector("[data-link]").textContent}`);
    await navigator.clipboard.writeText(lines.join("\n"));
    status.textContent = `${lines.length} copied.`;
  });
}
