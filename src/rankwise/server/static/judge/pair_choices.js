// What can be said about two outputs: which is better, or are they equal, or both bad.

import { isRightToLeft, t } from "./words.js";

// The arrow that points to A, and the one that points to B: where one reads from right to left, A stands at the right.
export const SIDES = isRightToLeft ? ["→", "←"] : ["←", "→"];
const KEYS = { "←": "ArrowLeft", "→": "ArrowRight" };

export const CHOICES = [
  { value: "left", text: SIDES[0], words: t("A is better"), key: KEYS[SIDES[0]] },
  { value: "equal", text: "e", words: t("Equally good"), key: "e" },
  { value: "both_bad", text: "b", words: t("Both bad"), key: "b" },
  { value: "right", text: SIDES[1], words: t("B is better"), key: KEYS[SIDES[1]] },
];
