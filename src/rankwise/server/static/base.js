// The theme: as the system, light or dark; kept in this browser. Loaded before the page is painted.
(() => {
  const KEY = "rankwise-theme";
  const THEMES = [
    ["auto", "◐", "Theme: as the system"],
    ["light", "☀", "Theme: light"],
    ["dark", "☾", "Theme: dark"],
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
    const [, sign, name] = THEMES.find(([key]) => key === theme) ?? THEMES[0];
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

  const copy = async (button) => {
    const from = document.getElementById(button.dataset.copy);
    await navigator.clipboard.writeText(from.textContent.trim());
    button.textContent = "Copied";
  };

  apply();
  document.addEventListener("DOMContentLoaded", () => {
    for (const button of document.querySelectorAll("[data-theme-switch]")) {
      button.hidden = false;
      label(button);
      button.addEventListener("click", () => next(button));
    }
    for (const button of document.querySelectorAll("[data-copy]")) {
      button.hidden = !navigator.clipboard;
      button.addEventListener("click", () => copy(button));
    }
  });
})();
