// The theme: as the system, light or dark; kept in this browser. Loaded before the page is painted.
(() => {
  const KEY = "rankwise-theme";
  const THEMES = [
    ["auto", "◐"],
    ["light", "☀"],
    ["dark", "☾"],
  ];
  const stored = () => {
    try {
      return localStorage.getItem(KEY) ?? "auto";
    } catch {
      return "auto"; // storage may be switched off; the theme then lasts as long as the page
    }
  };
  let theme = stored();

  const apply = () => {
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  };

  const label = (button) => {
    const place = Math.max(0, THEMES.findIndex(([key]) => key === theme));
    const [, sign] = THEMES[place];
    const name = button.dataset.themeSwitch.split("|")[place]; // in the language of the page
    button.querySelector("[data-theme-sign]").textContent = sign;
    button.querySelector("[data-theme-name]").textContent = name;
    button.title = name;
  };

  const next = (button) => {
    const place = THEMES.findIndex(([key]) => key === theme);
    theme = THEMES[(place + 1) % THEMES.length][0];
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // see above
    }
    apply();
    label(button);
  };

  // True if the text is on the clipboard. Without HTTPS a page has no clipboard of its own, and the
  // browser copies what is marked.
  const copied = async (text) => {
    if (navigator.clipboard) return navigator.clipboard.writeText(text).then(() => true, () => false);
    const field = document.createElement("textarea");
    field.value = text;
    document.body.append(field);
    field.select();
    const isDone = document.execCommand("copy");
    field.remove();
    return isDone;
  };
  window.rankwiseCopied = copied;

  const copy = async (button) => {
    const from = document.getElementById(button.dataset.copy);
    const isDone = await copied(from?.textContent.trim() ?? "");
    button.textContent = isDone ? "Copied" : "Mark and copy it by hand";
    button.focus();
  };

  /** @type {(selector: string) => NodeListOf<HTMLButtonElement>} */
  const buttons = (selector) => document.querySelectorAll(selector);

  apply();
  document.addEventListener("DOMContentLoaded", () => {
    for (const button of buttons("[data-theme-switch]")) {
      button.hidden = false;
      label(button);
      button.addEventListener("click", () => next(button));
    }
    for (const button of buttons("[data-copy]")) {
      button.hidden = false;
      button.addEventListener("click", () => copy(button));
    }
  });
})();
