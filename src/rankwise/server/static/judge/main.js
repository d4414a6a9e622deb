// The beginning: what the page was given, and which button or key does what.

import * as dialogs from "./dialogs.js";
import { byId } from "./dom.js";
import * as keys from "./keys.js";
import * as page from "./page.js";
import { Work } from "./work.js";

byId("not-started").remove();
const boot = JSON.parse(byId("boot").textContent);
const work = new Work(boot);
const { settings } = work;

const comment = async () => {
  if (!work.screen) return;
  const text = await dialogs.askComment(work.screen.comment);
  if (text !== null) work.screen.setComment(text);
};

const layout = () =>
  settings.set({ layout: settings.values.layout === "shelves" ? "cards" : "shelves" });

const help = () =>
  dialogs.help({
    settings,
    letters: work.screen?.protocol.letters ?? 0,
    hint: work.screen?.protocol.hint ?? "",
  });

/** @type {Record<string, () => any>} */
const ACTIONS = {
  submit: () => work.submit(),
  differences: () => work.screen?.toggleDifferences(),
  context: () => work.screen?.toggleContext(),
  undo: () => work.undo.use(),
  skip: () => work.skip(),
  comment,
  back: () => work.back(),
  guidelines: () => dialogs.open("guidelines"),
  pause: () => work.pause(),
  larger: () => settings.resize(1),
  smaller: () => settings.resize(-1),
  help,
};

/** @type {{ [Id in PageId]?: () => any }} */
const BUTTONS = {
  submit: ACTIONS.submit,
  differences: ACTIONS.differences,
  context: ACTIONS.context,
  "skip-button": ACTIONS.skip,
  "comment-button": comment,
  "back-button": ACTIONS.back,
  "guidelines-button": ACTIONS.guidelines,
  "pause-button": ACTIONS.pause,
  "help-button": help,
  "leave-revision": () => work.leaveRevision(),
  "step-back": () => work.screen?.protocol.go?.("fluency"),
  larger: ACTIONS.larger,
  smaller: ACTIONS.smaller,
  layout,
};

dialogs.wire();
for (const [id, run] of Object.entries(BUTTONS)) byId(/** @type {PageId} */ (id)).addEventListener("click", run);
byId("keys-on").addEventListener("change", () => settings.set({ keys: byId("keys-on").checked }));
byId("show-hidden").addEventListener("change", () => settings.set({ hidden: byId("show-hidden").checked }));
byId("sign-out").addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = byId("sign-out");
  await work.autosave.leave();
  /** @type {HTMLInputElement} */ (form.elements.namedItem("csrf")).value = work.api.csrf; // it changes with a new sign-in
  form.submit();
});
page.wire();
keys.listen({
  settings: () => settings.values,
  protocol: () => (work.isSending ? null : work.screen?.protocol),
  run: (action) => ACTIONS[action](),
});
addEventListener("beforeunload", (event) => work.outbox.isFragile && event.preventDefault());
work.start();
