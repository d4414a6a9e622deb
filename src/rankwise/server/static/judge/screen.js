// One task on the page: its protocol, its comment, and what goes with the answer.

import { byId, show } from "./dom.js";
import { Differences } from "./differences.js";
import * as frame from "./frame.js";
import * as document_ from "./protocols/document.js";
import * as pairwise from "./protocols/pairwise.js";
import * as ranking from "./protocols/ranking.js";
import * as ratings from "./protocols/ratings.js";
import * as scores from "./protocols/scores.js";
import { t } from "./words.js";
import * as segments from "./protocols/segments.js";

const PROTOCOLS = {
  ranking,
  pairwise,
  "adequacy-fluency": ratings,
  "direct-assessment": scores,
  esa: document_,
  mqm: document_,
};

function deviceClass() {
  if (!matchMedia("(pointer: coarse)").matches) return "desktop";
  return Math.min(screen.width, screen.height) < 600 ? "phone" : "tablet";
}

export class Screen {
  /** @type {Task} */ task;
  /** @type {Plan} */ plan;
  /** @type {import("./settings.js").Settings} */ settings;
  /** @type {() => void} */ changed;
  /** @type {Protocol} */ protocol;

  comment = "";
  contextUses = 0;

  constructor({ task, plan, settings, api, changed, failed }) {
    Object.assign(this, { task, plan, settings, changed });
    const kind = plan.by_document ? segments : PROTOCOLS[plan.protocol];
    this.protocol = kind.create({
      task,
      plan,
      changed: () => this.#changed(),
      view: () => settings.values,
    });
    const { cards } = this.protocol;
    this.differences = new Differences({ api, token: task.token, cards, used: () => this.#changed(), failed });
    this.#redraw();
    this.#build();
  }

  #build() {
    const compare = this.#compares;
    byId("outputs").replaceChildren(this.protocol.element);
    byId("task").classList.toggle("is-document", Boolean(this.protocol.isDocument));
    byId("tools").replaceChildren(...this.protocol.tools);
    show(byId("differences"), compare);
    byId("differences-picker").replaceChildren(this.differences.picker);
    show(byId("layout"), Boolean(this.protocol.canShelve));
    byId("hint").textContent = this.protocol.hint;
    show(byId("revision-note"), this.task.supersedes !== null);
    this.draw();
  }

  get #compares() {
    return this.task.outputs.length > 1 && !this.protocol.isDocument;
  }

  #changed() {
    this.draw();
    this.changed();
  }

  #redraw() {
    this.protocol.cards.draw({ showHidden: this.settings.values.hidden });
    this.#drawSource();
  }

  // Only what a change of settings concerns is drawn again.
  resettled(changes) {
    if ("hidden" in changes) {
      if (this.differences.isOn) this.differences.hide();
      this.#redraw();
    }
    if ("layout" in changes) this.protocol.arrange?.();
    this.draw();
  }

  #drawSource() {
    const { plan, settings, protocol } = this;
    this.sourceHidden = Boolean(protocol.hidesSource);
    frame.source(this.task, { plan, settings: settings.values, isHidden: this.sourceHidden });
  }

  draw() {
    const { protocol } = this;
    if (this.sourceHidden !== Boolean(protocol.hidesSource)) this.#drawSource();
    byId("question").textContent = protocol.question;
    byId("differences").setAttribute("aria-pressed", String(this.differences.isOn));
    byId("layout").setAttribute("aria-pressed", String(this.settings.values.layout === "shelves"));
    show(byId("step-back"), Boolean(protocol.steps?.back));
    if (protocol.steps?.back) byId("step-back").textContent = protocol.steps.back;
    const words = protocol.steps?.next ?? (this.task.supersedes === null ? t("Submit") : t("Submit the change"));
    frame.footer({ summary: protocol.summary, missing: protocol.missing, words });
    frame.commented(this.comment);
  }

  // What came only after the fluency was rated; the next drawing shows it.
  reveal({ source, asset, reference, before, after }) {
    Object.assign(this.task, { source, asset, reference, before, after });
  }

  toggleContext() {
    const visible = !frame.isContextShown();
    if (visible) this.contextUses += 1;
    frame.showContext(visible);
  }

  async toggleDifferences() {
    if (!this.#compares) return;
    await this.differences.toggle();
    this.draw();
  }

  setComment(text) {
    // half a character or a NUL cannot be stored
    this.comment = (text.toWellFormed?.() ?? text).replaceAll("\u0000", "");
    this.#changed();
  }

  get details() {
    /** @type {Record<string, any>} */
    const found = { device: deviceClass(), ...this.protocol.details };
    if (this.differences.uses) found.differences = this.differences.uses;
    if (this.contextUses) found.context = this.contextUses;
    return found;
  }

  content(active) {
    return {
      answer: this.protocol.content,
      comment: this.comment,
      active_ms: active,
      differences: this.differences.uses,
      context: this.contextUses,
    };
  }

  // What was saved, here or on another device; an earlier answer has no "answer" of its own.
  restore(content) {
    if (!content) return 0;
    this.protocol.restore(content.answer ?? content);
    this.comment = content.comment ?? "";
    this.differences.uses = content.differences ?? 0;
    this.contextUses = content.context ?? 0;
    this.draw();
    return content.active_ms ?? 0;
  }
}
