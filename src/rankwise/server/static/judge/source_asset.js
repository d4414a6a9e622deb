// A picture, sound or video that is the source or part of it. Nothing plays by itself, and what is to
// be seen or heard can be read as well.

import { node, show } from "./dom.js";
import { t } from "./words.js";

const NAMES = {
  image: t("Picture of the source"),
  audio: t("Sound of the source"),
  video: t("Video of the source"),
};

let count = 0; // descriptions have ids of their own

// A player has these keys while it has the focus; letters and digits stay keys of the page.
const OF_PLAYERS = /^(Arrow\w+|Page\w+|Home|End|Enter| )$/;

export const isForPlayer = ({ key, target }) => OF_PLAYERS.test(key) && Boolean(target.closest?.("audio, video"));

export function pauseAll() {
  for (const one of document.querySelectorAll("audio, video")) /** @type {HTMLMediaElement} */ (one).pause();
}

// The element for an asset, whose file is below the address *folder*; null where there is none.
/** @param {Asset | null | undefined} asset @param {string} folder */
export function assetElement(asset, folder) {
  if (!asset) return null;
  const address = `${folder}/${encodeURIComponent(asset.key)}`;
  const made = asset.kind === "image" ? picture(asset, address) : player(asset, address);
  return node("figure", { class: `asset is-${asset.kind}` }, ...made);
}

function picture({ words }, address) {
  const shown = node("img", { src: address, alt: words || NAMES.image, decoding: "async" });
  const link = node("a", { class: "asset-link", href: address, target: "_blank", rel: "noopener" }, t("Open the picture in full size"));
  return [shown, link, failed(shown, () => (shown.src = address))];
}

function player({ kind, words }, address) {
  const described = words ? `asset-words-${(count += 1)}` : null;
  const shown = node(kind, {
    src: address,
    controls: true,
    preload: "metadata",
    playsinline: kind === "video",
    "aria-label": NAMES[kind],
    "aria-describedby": described,
  });
  const told = described && node("details", { class: "asset-words" },
    node("summary", {}, t("Description")), node("p", { id: described, dir: "auto" }, words));
  return [shown, told, failed(shown, () => shown.load())];
}

// Nobody judges against a source that did not come: it is said, and asked for again.
function failed(shown, again) {
  const said = node("p", { class: "asset-failed", role: "alert", hidden: true },
    node("span", {}, t("This file could not be loaded.")), " ",
    node("button", { type: "button", class: "button small", onclick: again }, t("Try again")));
  shown.addEventListener("error", () => show(said));
  for (const name of ["load", "loadedmetadata"]) shown.addEventListener(name, () => show(said, false));
  return said;
}
