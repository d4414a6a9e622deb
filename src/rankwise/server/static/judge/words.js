// The page in the judge's language. The English sentence is the key; the module of a language
// (words/de.js and so on, which runs before all others) brings the same sentences in that language.
// Numbers stay in Latin digits, as the keys and fields for them are.

const { documentElement: page } = document;
const read = (id) => JSON.parse(document.getElementById(id)?.textContent ?? "{}");

export const language = page.lang || "en";
export const isRightToLeft = page.dir === "rtl";

// Where Intl is asked: English as in Great Britain, with 24 hours.
const locale = language === "en" ? "en-GB" : `${language}-u-nu-latn`;
const plurals = new Intl.PluralRules(language);
const numbers = new Intl.NumberFormat(locale, { useGrouping: false });
const lists = new Intl.ListFormat(locale, { type: "conjunction" });

let catalogue = {};
const { own: translated = {} } = read("boot"); // the organiser's own texts

export const learn = (sentences) => {
  catalogue = sentences;
};

export const number = (value) => numbers.format(value);

// "A", "A and B", "A, B and C"
export const list = (words) => lists.format(words);

export const timeOfDay = (ms) =>
  new Date(ms).toLocaleTimeString(locale, { hour: "2-digit", minute: "2-digit", second: "2-digit" });

const filled = (sentence, values) =>
  sentence.replace(/\{(\w+)\}/g, (_, name) => {
    const value = values[name];
    return typeof value === "number" ? number(value) : value;
  });

// t("Saved {time}", { time }): a sentence with what stands in its places.
export const t = (sentence, values = {}) => filled(catalogue[sentence] ?? sentence, values);

// tn(3, "One more try.", "{n} more tries."): a sentence about n things; the last one is its key.
export function tn(n, one, many, values = {}) {
  const forms = catalogue[many] ?? { one, other: many };
  return filled(forms[plurals.select(n)] ?? forms.other, { n, ...values });
}

// What the organiser wrote, or a usual name such as that of a severity.
export const own = (text) => translated[text] ?? catalogue[text] ?? text;

export function languageName(code) {
  try {
    return new Intl.DisplayNames([language], { type: "language" }).of(code.replaceAll("_", "-")) ?? code;
  } catch {
    return code; // not a code that the browser knows: shown as the organiser wrote it
  }
}
