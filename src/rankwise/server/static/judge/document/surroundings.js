// What stands around the outputs of a document: its sources, what comes before and after, and what is
// to be known about documents of its domain.

import { node } from "../dom.js";
import { assetElement } from "../source_asset.js";
import { fill, languageCode, revealed } from "../text.js";
import { t } from "../words.js";
import { cut } from "./units.js";

// What is to be known about documents of this domain; the page has it in a template.
export function told(number) {
  const words = /** @type {HTMLTemplateElement | null} */ (document.querySelector(`template[data-told="${number}"]`));
  if (!words) return null;
  return node("aside", { class: "told", dir: "auto", "aria-label": t("About this document") }, words.content.cloneNode(true));
}

export function context(texts, plan) {
  return texts.map((text) => {
    const body = node("bdi", { class: "text context" });
    fill(body, text, { language: plan.source_language, isPaired: false });
    return body;
  });
}

// A source in the same parts as the outputs, so that places in it can light up. One that is a picture,
// a sound or a video need not have a text.
export class Source {
  /** @param {DocumentRow} row @param {number} number @param {Plan} plan */
  constructor({ source: text, asset }, number, plan) {
    this.asset = assetElement(asset, plan.assets);
    this.units = cut(text, plan.source_unit);
    this.parts = this.units.map((one, place) => node("span", { class: "unit", "data-unit": place }, one.text));
    const shown = text === "" ? [node("span", { class: "no-text" }, t("(empty)"))] : this.parts;
    this.element = node("bdi", {
      class: "text source-text",
      dir: "auto",
      lang: languageCode(plan.source_language),
      role: "group",
      "aria-label": t("Source of segment {number}", { number: number + 1 }),
      hidden: text === "" && this.asset !== null,
    }, ...shown);
  }

  showHidden(isOn) {
    this.parts.forEach((part, place) => part.replaceChildren(...(isOn ? revealed(this.units[place].text) : [this.units[place].text])));
  }
}

// The number of a segment, its source, and the reference where it is shown.
export function leftOf(row, number, source, plan) {
  const heading = node("h3", { class: "segment-number", id: `segment-${number}` },
    node("span", { class: "visually-hidden" }, `${t("Segment")} `), String(number + 1));
  const given = row.reference === null ? null : node("bdi", { class: "text context" });
  if (given) fill(given, row.reference, { language: plan.target_language, isPaired: false });
  const body = node("div", { class: "source-body" }, source.asset, source.element);
  return node("div", { class: "segment-source" }, heading, body, given);
}
