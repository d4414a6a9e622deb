// What the page does by itself, whatever is on it: the menu of a phone, what sticks, what lights up.

import { byId } from "./dom.js";
import { pairSentences } from "./text.js";

// On a phone the buttons on top are behind one.
function toggleMenu(open) {
  byId("menu-button").setAttribute("aria-expanded", String(open));
  byId("judge-tools").classList.toggle("is-open", open);
}

function wireMenu() {
  const button = byId("menu-button");
  button.addEventListener("click", () => toggleMenu(button.getAttribute("aria-expanded") !== "true"));
  document.addEventListener("click", (event) => {
    const { target } = event;
    if (!(target instanceof Element && target.closest("#judge-tools, #menu-button"))) toggleMenu(false);
  });
  document.addEventListener("keydown", (event) => event.key === "Escape" && toggleMenu(false));
}

// What sticks below the bar needs to know how high it is.
function measureBar() {
  const bar = /** @type {HTMLElement} */ (document.querySelector(".judge-bar"));
  new ResizeObserver(() =>
    document.documentElement.style.setProperty("--bar", `${bar.offsetHeight}px`),
  ).observe(bar);
}

export function wire() {
  wireMenu();
  // A mouse leaves no focus on a tool, so that Enter still submits.
  /** @type {NodeListOf<HTMLElement>} */
  const tools = document.querySelectorAll(".output-tools, .judge-tools, .source-panel");
  for (const some of tools)
    some.addEventListener("click", ({ detail, target }) => detail > 0 && target instanceof Element && target.closest("button")?.blur());
  measureBar();
  pairSentences(byId("task"));
}
