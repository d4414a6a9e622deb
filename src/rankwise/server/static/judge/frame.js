// The frame around a task: progress and pace, what is saved, banners, the source, the footer.

import { byId, node, seconds, setText, show } from "./dom.js";
import { assetElement } from "./source_asset.js";
import { fill } from "./text.js";
import { t, timeOfDay, tn } from "./words.js";

const BREAK_AFTER = 35 * 60_000;

export function progress({ done, of }) {
  byId("progress-bar").max = of;
  byId("progress-bar").value = Math.min(done, of);
  setText(byId("progress-text"), t("{done} of {all}", { done: Math.min(done + 1, of), all: of }));
}

export function sittingDone(of) {
  byId("progress-bar").value = of;
  setText(byId("progress-text"), t("{done} of {all}", { done: of, all: of }));
}

// Practice, or a change of an earlier answer: neither counts in the sitting.
export function beside(words) {
  byId("progress-bar").removeAttribute("value");
  setText(byId("progress-text"), words);
}

export function pace({ screens, active_ms: active }) {
  const each = screens ? t("{time} per screen", { time: seconds(active / screens) }) : "";
  setText(byId("pace"), each);
  const total = tn(screens, "{n} screen in {time}", "{n} screens in {time}", { time: seconds(active) });
  byId("pace").title = screens ? t("Your own pace: {total}", { total }) : "";
  setText(byId("pause-total"), screens ? t("So far you have judged {total} of active time.", { total }) : "");
}

export function saved(state, at) {
  const words = {
    saved: () => (at ? t("Saved {time}", { time: timeOfDay(at) }) : t("Saved")),
    saving: () => t("Saving…"),
    retrying: () => t("Not saved, retrying"),
    ended: () => t("Not saved, signed out"),
    elsewhere: () => t("Changed elsewhere"),
    done: () => t("Submitted elsewhere"),
    refused: () => t("Not saved"),
    none: () => "",
  }[state]();
  setText(byId("saved"), words);
  byId("saved").dataset.state = state;
}

// One banner per reason, so that one that is over does not hide another. *actions*: [label, run]. *quoted* comes
// before the sentence: the organiser's words, which may run in another direction than the page.
/** @type {(reason: string, sentence: string, more?: { kind?: string, actions?: Action[], quoted?: string[] }) => void} */
export function banner(reason, sentence, { kind = "warning", actions = [], quoted = [] } = {}) {
  const all = byId("banners");
  const old = all.querySelector(`[data-reason="${reason}"]`);
  if (old && old.firstChild?.textContent === [...quoted, sentence].join(" ")) return; // or it would be read out again
  old?.remove();
  if (!sentence) return;
  const buttons = actions.map(([words, run]) =>
    node("button", { type: "button", class: "button", onclick: run }, words),
  );
  all.append(
    node("div", { class: `banner ${kind}`, role: "status", "data-reason": reason },
      node("span", {}, ...quoted.flatMap((one) => [node("bdi", {}, one), " "]), sentence), ...buttons),
  );
}

/** @param {Task} task */
export function source(task, { plan, settings, isHidden }) {
  const options = { language: plan.source_language, showHidden: settings.hidden };
  show(byId("source-panel"), !isHidden);
  byId("task").classList.toggle("without-source", Boolean(isHidden));
  fill(byId("source"), task.source ?? "", options); // it comes after the fluency
  asset(isHidden ? null : task.asset, task, plan);
  context(task, options);
  show(byId("reference-block"), task.reference !== null);
  if (task.reference !== null)
    fill(byId("reference"), task.reference, { ...options, language: plan.target_language });
}

// It stays as it is when the rest is drawn again, or what plays would stop.
/** @param {Asset | null} shown @param {Task} task @param {Plan} plan */
function asset(shown, task, plan) {
  const place = byId("source-asset");
  const name = shown ? `${task.token} ${shown.key}` : "";
  show(byId("source"), !shown || Boolean(task.source));
  if (place.dataset.of === name) return;
  place.dataset.of = name;
  place.replaceChildren(assetElement(shown, plan.assets) ?? "");
}

/** @param {Task} task */
function context(task, options) {
  const paragraph = (text) => {
    const body = node("bdi", { class: "text context" });
    fill(body, text, { ...options, isPaired: false });
    return body;
  };
  byId("before").replaceChildren(...task.before.map(paragraph));
  byId("after").replaceChildren(...task.after.map(paragraph));
  show(byId("context"), task.before.length + task.after.length > 0);
  showContext(false);
}

export function showContext(visible) {
  show(byId("before"), visible);
  show(byId("after"), visible);
  byId("context").setAttribute("aria-expanded", String(visible));
  setText(byId("context-words"), visible ? t("Hide context") : t("Show context"));
}

export const isContextShown = () => !byId("before").hidden;

// The sentence about what is missing belongs to the button, which stays in the tab order.
export function footer({ summary, missing, words }) {
  setText(byId("summary"), summary);
  setText(byId("missing"), missing?.sentence ?? "");
  setText(byId("submit-words"), words);
  byId("submit").setAttribute("aria-disabled", String(Boolean(missing)));
}

export function busy(isBusy) {
  byId("submit").classList.toggle("is-busy", isBusy);
}

export function commented(text) {
  byId("comment-button").classList.toggle("has-comment", Boolean(text));
  setText(byId("comment-words"), text ? t("Comment ✓") : t("Comment"));
}

// A page in place of the task: { title, text, note, actions: [[label, run, isPrimary]] }.
/** @param {{ title: string, text: string, note?: string, actions?: Action[] }} what */
export function notice({ title, text, note = "", actions = [] }) {
  show(byId("task"), false);
  show(byId("bottom"), false);
  setText(byId("notice-title"), title);
  setText(byId("notice-text"), text);
  setText(byId("notice-note"), note);
  byId("notice-actions").replaceChildren(
    ...actions.map(([words, run, isPrimary = false]) =>
      node("button", { type: "button", class: isPrimary ? "button primary large" : "button large", onclick: run }, words),
    ),
  );
  show(byId("notice"));
  byId("notice-title").focus();
}

export function showTask() {
  show(byId("notice"), false);
  show(byId("task"));
  show(byId("bottom"));
}

export function feedback(text, goOn) {
  const end = () => {
    show(byId("feedback"), false);
    byId("outputs").inert = false;
    goOn();
  };
  setText(byId("feedback-text"), text);
  byId("feedback-go").onclick = end;
  byId("outputs").inert = true;
  show(byId("bottom"), false);
  show(byId("feedback"));
  byId("feedback-go").focus();
}

export function breakHint(active) {
  if (active < BREAK_AFTER) return false;
  banner("break", t("You have worked for {time}. A short break helps the next answers.", { time: seconds(active) }), {
    kind: "good",
    actions: [[t("Thanks"), () => banner("break", "")]],
  });
  return true;
}
