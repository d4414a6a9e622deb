// Renews the part of the page that changes while judges work, as long as somebody looks at it.
const EVERY = 5000;
const place = /** @type {HTMLElement} */ (document.getElementById("live"));
const address = /** @type {string} */ (place.dataset.live);

const isBusy = () => {
  const { activeElement } = document;
  return place.contains(activeElement) && Boolean(activeElement?.matches("input, textarea, select"));
};

const openDetails = (root) => [...root.querySelectorAll("details")].map((one) => one.open);

const renew = async () => {
  if (document.hidden || isBusy()) return;
  const response = await fetch(address, { headers: { Accept: "text/html" } });
  if (!response.ok || response.redirected) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const fresh = page.getElementById("live") ?? page.body;
  const opened = openDetails(place);
  [...fresh.querySelectorAll("details")].forEach((one, number) => { one.open = opened[number] ?? one.open; });
  const scrolled = [...place.querySelectorAll(".scroll")].map((one) => one.scrollLeft);
  const focused = document.activeElement?.getAttribute("href");
  place.replaceChildren(...fresh.childNodes);
  place.querySelectorAll(".scroll").forEach((one, number) => { one.scrollLeft = scrolled[number] ?? 0; });
  if (focused) /** @type {HTMLElement | null} */ (place.querySelector(`a[href="${CSS.escape(focused)}"]`))?.focus();
};

setInterval(() => renew().catch(() => {}), EVERY); // offline: the next round tries again
