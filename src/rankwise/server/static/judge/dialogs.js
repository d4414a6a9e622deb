// The windows of the page: native <dialog>s that the template holds, so that Escape, focus and the
// screen reader work by themselves. Each returns a promise of what the judge decided.

import { byId, node } from "./dom.js";
import { ACTIONS, keymap, label } from "./keys.js";
import { summary } from "./state.js";
import { languageName, t, timeOfDay, tn } from "./words.js";

export function open(id, { modal = true } = {}) {
  const dialog = byId(id);
  if (dialog.open) return dialog;
  if (modal) dialog.showModal();
  else dialog.show();
  return dialog;
}

const closed = (dialog) =>
  new Promise((done) => {
    dialog.addEventListener("close", () => done(dialog.returnValue), { once: true });
  });

// A form of method "dialog": its button's value is the answer, Escape is "".
async function ask(id) {
  const dialog = byId(id);
  dialog.returnValue = "";
  open(id);
  return closed(dialog);
}

export async function askReason() {
  const form = byId("skip-form");
  form.reset();
  const answer = await ask("skip");
  const reason = new FormData(form).get("reason");
  return answer === "skip" && reason ? reason : null;
}

export async function askComment(text) {
  byId("comment-text").value = text;
  const answer = await ask("comment");
  return answer === "keep" ? byId("comment-text").value : null;
}

export const pause = () => ask("pause");

// The keys in use, each with a field to change it.
export async function help({ settings, letters, hint }) {
  const keys = keymap(settings.values.keymap);
  byId("help-hint").textContent = hint;
  byId("keys-on").checked = settings.values.keys;
  byId("show-hidden").checked = settings.values.hidden;
  byId("key-rows").replaceChildren(
    ...ACTIONS.map(([name, , words]) => keyRow(name, words, keys.get(name), letters, settings)),
  );
  return ask("help");
}

function keyRow(name, words, key, letters, settings) {
  const shown = node("kbd", {}, label(key, letters));
  const field = node("input", { type: "text", maxlength: 1, size: 2, value: key, "aria-label": t("Key: {words}", { words }) });
  field.addEventListener("change", () => {
    settings.setKey(name, field.value.trim().toLowerCase());
    const now = keymap(settings.values.keymap).get(name);
    field.value = now;
    shown.textContent = label(now, letters);
  });
  const own = name === "submit" ? null : field;
  return node("tr", {}, node("th", { scope: "row" }, words), node("td", {}, shown), node("td", {}, own));
}

// The last answers; the receipt of the one to change, or null.
export async function pickFromHistory(entries) {
  const dialog = byId("history");
  const rows = byId("history-rows");
  byId("history-empty").hidden = entries.length > 0;
  rows.replaceChildren(...entries.map((entry) => historyRow(entry, dialog)));
  const answer = await ask("history");
  return answer.startsWith("change:") ? answer.slice(7) : null;
}

function historyRow(entry, dialog) {
  const change = () => dialog.close(`change:${entry.receipt}`);
  const source = node("bdi", { class: "history-source", dir: "auto" }, entry.source);
  const said = node("span", { class: "history-said" }, `${timeOfDay(entry.received_at)} · ${spoken(entry)}`);
  const button = node("button", { type: "button", class: "button", onclick: change }, t("Change"));
  const closedNote = node("span", { class: "soft" }, t("closed"));
  return node("li", {}, node("div", {}, source, said), entry.can_revise ? button : closedNote);
}

// As the window that asks for it says it.
const reasonWords = (reason) =>
  document.querySelector(`#skip input[value="${reason}"]`)?.parentElement?.textContent.trim() ?? reason;

function spoken({ kind, answer }) {
  if (kind === "skip") return t("skipped ({reason})", { reason: reasonWords(answer.reason) });
  if (answer.ranks) return summary(answer.ranks);
  if (answer.choice) return { left: "A > B", right: "B > A", equal: "A = B", both_bad: t("both bad") }[answer.choice];
  if (answer.scores) return answer.scores.join(", ");
  if (answer.segments) return marked(answer.segments.flat());
  return t("fluency {fluency}; adequacy {adequacy}", { fluency: answer.fluency.join(", "), adequacy: answer.adequacy.join(", ") });
}

function marked(texts) {
  const errors = texts.reduce((sum, { spans }) => sum + spans.length, 0);
  const scores = texts.flatMap(({ score }) => (score === undefined ? [] : [score]));
  const inTexts = tn(texts.length, "in {n} text", "in {n} texts");
  const words = `${tn(errors, "{n} error", "{n} errors")} ${inTexts}`;
  return scores.length ? `${words}; ${scores.join(", ")}` : words;
}

// Signs in without leaving the page; *tryLink* gets what was pasted, and says whether it worked.
export function signIn({ tryLink, check }) {
  const dialog = byId("sign-in");
  if (dialog.open) return;
  const form = byId("sign-in-form");
  const wrong = byId("sign-in-wrong");
  wrong.hidden = true;
  form.onsubmit = async (event) => {
    event.preventDefault();
    const link = byId("sign-in-link").value;
    const worked = link.trim() ? await tryLink(link) : await check();
    wrong.hidden = worked;
    byId("sign-in-link").setAttribute("aria-invalid", String(!worked));
    if (worked) byId("sign-in-link").value = "";
    if (worked) dialog.close();
  };
  byId("sign-in-later").onclick = () => dialog.close();
  dialog.showModal();
}

// Buttons that only open or close a window.
export function wire() {
  for (const button of document.querySelectorAll("[data-close]"))
    button.addEventListener("click", () => button.closest("dialog")?.close());
  /** @type {NodeListOf<HTMLElement>} */
  const languages = document.querySelectorAll("[data-language]");
  for (const element of languages) element.textContent = languageName(element.dataset.language);
}
