// The judge's page for the organiser: a few screens to look at and go through. Nothing can be
// answered and nothing is sent, except that differences are asked for where the preview is.

import { Api } from "./api.js";
import * as dialogs from "./dialogs.js";
import { byId, setText, show } from "./dom.js";
import * as frame from "./frame.js";
import * as keys from "./keys.js";
import * as page from "./page.js";
import { Screen } from "./screen.js";
import { Settings } from "./settings.js";
import { isForPlayer } from "./source_asset.js";
import { isRightToLeft, t } from "./words.js";

byId("not-started").remove();
const { here, plan, screens } = JSON.parse(byId("boot").textContent);
const KINDS = {
  tutorial: (values) => t("{place} of {size}, practice.", values),
  control: (values) => t("{place} of {size}, a control.", values),
  work: (values) => t("{place} of {size}.", values),
};
const STEPS = isRightToLeft ? { ArrowLeft: 1, ArrowRight: -1 } : { ArrowLeft: -1, ArrowRight: 1 };
/** @type {PageId[]} */
const ANSWERING = ["outputs", "tools", "submit", "skip-button", "comment-button", "back-button", "pause-button"];

class Looking extends Api {
  async send(method, path) {
    return method === "GET" ? super.send(method, path.replace("/judge/tasks", here)) : null;
  }
}

const api = new Looking({});
const settings = new Settings({}, { api, changed: (changes) => screen?.resettled(changes) });
let place = 0;
/** @type {Screen} the one that is open; open(0) below makes the first */
let screen;

const failed = (error) => frame.banner("refused", error.message, { kind: "error" });

function open(number) {
  const { kind, feedback, task } = screens[number];
  place = number;
  if (kind === "tutorial") frame.beside(t("Practice"));
  else frame.progress({ done: screens.slice(0, number).filter((one) => one.kind !== "tutorial").length, of: plan.sitting });
  frame.showTask();
  screen = new Screen({ task, plan, settings, api, failed, changed: () => {} });
  setText(byId("feedback-text"), feedback ?? "");
  show(byId("feedback"), Boolean(feedback));
  draw();
  scrollTo(0, 0);
}

function draw() {
  setText(byId("preview-place"), KINDS[screens[place].kind]({ place: place + 1, size: screens.length }));
  byId("preview-before").disabled = place === 0 && !screen.protocol.steps?.back;
  byId("preview-after").disabled = place === screens.length - 1 && !screen.protocol.steps?.next;
}

// Fluency and adequacy are two steps of one screen.
function go(step) {
  const { steps } = screen.protocol;
  const isInside = step > 0 ? steps?.next : steps?.back;
  if (isInside) screen.protocol.go?.(step > 0 ? "adequacy" : "fluency");
  else if (screens[place + step]) return open(place + step);
  return draw();
}

/** @type {Record<string, () => any>} */
const ACTIONS = {
  differences: () => screen.toggleDifferences(),
  context: () => screen.toggleContext(),
  guidelines: () => dialogs.open("guidelines"),
  larger: () => settings.resize(1),
  smaller: () => settings.resize(-1),
  help: () => dialogs.help({ settings, letters: screen.protocol.letters, hint: screen.protocol.hint }),
};
const layout = () =>
  settings.set({ layout: settings.values.layout === "shelves" ? "cards" : "shelves" });
const BUTTONS = {
  ...ACTIONS,
  guidelines: null,
  help: null,
  layout,
  "guidelines-button": ACTIONS.guidelines,
  "help-button": ACTIONS.help,
  "preview-before": () => go(-1),
  "preview-after": () => go(1),
  "step-back": () => go(-1),
};

dialogs.wire();
page.wire();
for (const [id, run] of Object.entries(BUTTONS)) if (run) byId(/** @type {PageId} */ (id)).addEventListener("click", run);
byId("show-hidden").addEventListener("change", () => settings.set({ hidden: byId("show-hidden").checked }));
byId("feedback-go").hidden = true;
for (const id of ANSWERING) byId(id).inert = true; // it looks as it will
keys.listen({ settings: () => settings.values, protocol: () => null, run: (action) => ACTIONS[action]?.() });
document.addEventListener("keydown", (event) => {
  const step = STEPS[event.key];
  if (!step || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
  if (isForPlayer(event) || document.querySelector("dialog[open]")) return;
  event.preventDefault();
  go(step);
});
open(0);
