// The course of the work: get a task, show it, send the answer, go on; and what to do when the
// network or the server is not there. The order of things is here, the rest in modules of its own.

import { Api, Refused, SessionEnded } from "./api.js";
import { Autosave } from "./autosave.js";
import { Clock } from "./clock.js";
import * as dialogs from "./dialogs.js";
import { announce, byId } from "./dom.js";
import { Elsewhere } from "./elsewhere.js";
import * as frame from "./frame.js";
import { Lease } from "./lease.js";
import { Outbox } from "./outbox.js";
import { Retry } from "./retry.js";
import { Screen } from "./screen.js";
import { Session } from "./session.js";
import { Settings } from "./settings.js";
import { pauseAll } from "./source_asset.js";
import { Kept } from "./storage.js";
import { Undo } from "./undo.js";
import { t, tn } from "./words.js";

const ENDS = {
  "sitting-done": t("This sitting is done"),
  "all-done": t("Nothing more for you now"),
  paused: t("The campaign is paused"),
  closed: t("The campaign is closed"),
  revoked: t("Your link has ended"),
  "tutorial-failed": t("The practice is over"),
  "quota-done": t("You are done"),
};

// What comes before work, on a page of its own.
const FIRST_STEPS = new Set(["consent", "questions", "instructions"]);

export class Work {
  /** @type {Screen | null} */ screen = null;
  /** @type {string | null} */ #sending = null; // the token whose answer is on its way
  #total = 0; // active time of this visit
  #isReminded = false;

  constructor(boot) {
    const kept = (name) => new Kept(`${boot.campaign}:${boot.judge}:${name}`);
    this.plan = boot.plan;
    this.api = new Api(boot);
    const { api } = this;
    this.clock = new Clock();
    this.settings = new Settings(boot.settings, { api, changed: (changes) => this.screen?.resettled(changes) });
    this.autosave = new Autosave({ api, kept: kept("draft"), told: (...news) => this.#onDraft(...news) });
    this.outbox = new Outbox({ api, kept: kept("answer"), told: (...news) => this.#onAnswer(...news) });
    this.lease = new Lease({ api, clock: this.clock, told: (words) => frame.banner("lease", words) });
    this.undo = new Undo((receipt) => this.revise(receipt));
    this.retry = new Retry(() => this.next(this.asked));
    this.failed = (error) => this.#failed(error);
    this.elsewhere = new Elsewhere(this);
    this.session = new Session({ api, failed: this.failed, resumed: () => this.#catchUp() });
  }

  async start() {
    this.clock.start(document, (idle) => this.#onIdle(idle));
    await this.#catchUp();
  }

  // An answer that waited, even since an earlier visit, goes first: until it is stored, the server
  // would hand out the screen that it belongs to again.
  async #catchUp() {
    if (!this.outbox.isEmpty) return this.outbox.flush();
    await this.autosave.send();
    return this.screen ? undefined : this.next();
  }

  // ---- getting a task
  async next(asked = {}) {
    this.asked = asked;
    try {
      const reply = await this.api.send("POST", "/judge/next", asked);
      this.retry.done();
      this.show(reply);
    } catch (error) {
      this.#failed(error, () => this.next(asked));
    }
  }

  show(reply) {
    frame.banner("network", "");
    this.asked = {};
    if (reply.pace) frame.pace(reply.pace);
    if (reply.nothing) return this.#end(reply.nothing);
    return this.#open(reply.task, reply.sitting);
  }

  #open(task, sitting) {
    const { plan, settings, api } = this;
    this.#sending = null;
    this.screen = null;
    this.#endDraftBanners();
    frame.busy(false);
    frame.showTask();
    if (task.role === "tutorial") frame.beside(t("Practice"));
    else if (task.supersedes !== null) frame.beside(t("Changing an answer"));
    else if (sitting) frame.progress(sitting);
    frame.saved("none");
    this.screen = new Screen({ task, plan, settings, api, failed: this.failed, changed: () => this.#changed(task) });
    this.clock.reset(this.screen.restore(this.autosave.open(task)));
    this.lease.open(task);
    scrollTo(0, 0);
    byId("question").focus({ preventScroll: true });
    announce(`${byId("progress-text").textContent}. ${this.screen.protocol.question}`);
  }

  #end({ reason, message, go }) {
    this.screen = null;
    this.lease.close();
    if (reason === "sitting-done") frame.sittingDone(this.plan.sitting);
    const again = [t("Look again"), () => this.next()];
    const more = [t("Continue"), () => this.next({ new_sitting: true }), true];
    const actions = { "sitting-done": [more], closed: [], revoked: [], "tutorial-failed": [], "quota-done": [] }[reason] ?? [again];
    if (go) actions.push([t("Finish"), () => location.assign(go), true]);
    const back = reason === "revoked" ? [] : [[t("Look back"), () => this.back()]];
    frame.saved("none");
    frame.notice({ title: ENDS[reason] ?? t("Nothing here now"), text: message, actions: [...actions, ...back] });
  }

  // ---- working on it
  get isSending() {
    return this.#sending !== null;
  }

  // A field that loses the focus says so even when its task is answered and gone.
  #changed(task) {
    if (this.screen && this.screen.task === task && !this.isSending) this.autosave.changed(this.screen.content(this.clock.active));
  }

  async submit() {
    if (!this.screen || this.#sending) return undefined;
    const { protocol } = this.screen;
    const { missing } = protocol;
    if (missing) {
      missing.focus();
      return announce(missing.sentence);
    }
    if (protocol.steps?.next) return this.#continue(this.screen);
    return this.#send("answer", { answer: protocol.answer });
  }

  // The server gives the source away when it has the fluency of every output.
  /** @param {Screen} screen */
  async #continue(screen) {
    if (screen.task.source === null && !(await this.#reveal(screen))) return;
    screen.protocol.go?.("adequacy");
  }

  async #reveal(screen) {
    const { token } = screen.task;
    this.#sending = token;
    try {
      await this.autosave.send();
      const { task } = await this.api.send("GET", `/judge/tasks/${token}`);
      screen.reveal(task);
    } catch (error) {
      this.#failed(error);
    } finally {
      if (this.#sending === token) this.#sending = null;
    }
    return this.screen === screen && screen.task.source !== null;
  }

  async skip() {
    if (!this.screen || this.#sending) return;
    const reason = await dialogs.askReason();
    if (reason) await this.#send("skip", { answer: { reason } });
  }

  async #send(kind, answer) {
    if (!this.screen) return;
    const { task, comment, details } = this.screen;
    const active = this.clock.active;
    this.#sending = task.token;
    this.#total += active;
    frame.busy(true);
    this.#endDraftBanners(); // what becomes of the answer is asked once
    this.autosave.stop();
    this.undo.clear();
    await this.outbox.add(task.token, kind, { ...answer, active_ms: active, comment: comment || null, details });
  }

  // ---- what became of it
  #onAnswer(news, token, what) {
    if (news === "sent") this.#sent(token, what);
    else if (news === "refused") this.#refused(token, what);
    else if (news === "ended") this.session.end();
    else this.#waiting(what);
  }

  #sent(token, reply) {
    if (reply.kind === "retry") return this.#tryAgain(token, reply);
    frame.banner("hint", "");
    this.autosave.forget(token);
    frame.banner("network", "");
    const { receipt, feedback, next, kind, replay } = reply;
    const goOn = () => (next ? this.show(next) : this.next());
    if (token !== this.#sending) return this.#sentBefore(reply, goOn);
    this.#sending = null;
    frame.saved("none");
    if (feedback) return this.#feedback(feedback, goOn);
    if (reply.differs) return this.#answeredElsewhere(reply, goOn);
    goOn();
    if (!replay) this.undo.offer(receipt, kind === "skip" ? t("Skipped.") : t("Saved."));
    if (!this.#isReminded) this.#isReminded = frame.breakHint(this.#total);
    return undefined;
  }

  // Not right yet: the answer stays on the page, to be changed.
  #tryAgain(token, { hints, left }) {
    const { screen } = this;
    if (token !== this.#sending || !screen) return screen ? undefined : this.next();
    this.#sending = null;
    frame.busy(false);
    frame.saved("none");
    const more = tn(left, "One more try.", "{n} more tries.");
    frame.banner("hint", more, { kind: "info", quoted: hints });
    this.autosave.resume(screen.content(this.clock.active));
    byId("question").focus({ preventScroll: true });
    scrollTo(0, 0);
    return undefined;
  }

  // It was of an earlier visit, and perhaps all that this one waited for.
  #sentBefore(reply, goOn) {
    if (reply.differs) this.elsewhere.answeredBefore(reply);
    return this.screen || !this.outbox.isEmpty ? undefined : goOn();
  }

  #answeredElsewhere(reply, goOn) {
    this.screen = null;
    this.lease.close();
    frame.busy(false);
    this.elsewhere.answered(reply, goOn);
  }

  // The item stays in view, so that the judge can compare.
  #feedback(feedback, goOn) {
    this.screen = null;
    this.lease.close();
    frame.feedback(feedback, goOn);
  }

  #refused(token, error) {
    if (token === this.#sending) this.#sending = null;
    frame.busy(false);
    const note = error.request ? t("Number of the request: {number}", { number: error.request }) : "";
    /** @type {Action[]} */
    const actions = [[t("Go on"), () => this.next(), true]];
    frame.notice({ title: t("This answer could not be stored"), text: error.message, note, actions });
  }

  #waiting(error) {
    /** @type {Action[]} */
    const actions = [[t("Try now"), () => this.outbox.retry.now()]];
    frame.banner("network", `${error.message} ${t("Your answer is kept in this browser and will be sent by itself.")}`, { actions });
    frame.notice({
      title: t("Waiting for the connection"),
      text: t("Your answer is safe in this browser. The next screen comes as soon as the server can be reached."),
    });
  }

  #onDraft(state, what) {
    frame.saved(state, what);
    if (state === "ended") this.session.end();
    if (state === "retrying")
      frame.banner("network", `${what.message} ${t("You can go on: your work is kept in this browser and will be sent by itself.")}`);
    if (state === "saved") frame.banner("network", "");
    if (state === "elsewhere") this.elsewhere.drafted();
    if (state === "done") this.elsewhere.done();
    if (state === "refused") frame.banner("draft", what.message, { actions: [[t("Next screen"), () => this.#leave()]] });
  }

  #endDraftBanners() {
    this.elsewhere.clear();
    frame.banner("draft", "");
  }

  #leave() {
    frame.banner("draft", "");
    this.next();
  }

  // ---- looking back
  async back() {
    try {
      const { history } = await this.api.send("GET", "/judge/history");
      const receipt = await dialogs.pickFromHistory(history);
      if (receipt) await this.revise(receipt);
    } catch (error) {
      this.#failed(error);
    }
  }

  // *mine*: what to begin with in place of the answer as it stands.
  async revise(receipt, mine = null) {
    this.undo.clear();
    await this.autosave.send();
    try {
      this.show(await this.api.send("POST", `/judge/history/${receipt}/revise`));
      if (!mine || !this.screen) return;
      this.screen.restore(mine);
      this.#changed(this.screen.task);
    } catch (error) {
      this.#failed(error);
    }
  }

  // The change is given up, and its screen is not reserved any more.
  async leaveRevision() {
    if (!this.screen) return undefined;
    const { token } = this.screen.task;
    await this.autosave.send(); // a draft that came later would reserve it again
    try {
      await this.api.send("POST", `/judge/tasks/${token}/leave`);
    } catch (error) {
      return this.#failed(error);
    }
    this.autosave.forget(token);
    return this.next();
  }

  // ---- being away
  async pause() {
    this.clock.pause(true);
    pauseAll();
    this.autosave.send();
    document.body.classList.add("is-paused");
    await dialogs.pause();
    document.body.classList.remove("is-paused");
    this.clock.pause(false);
  }

  #onIdle(idle) {
    const words = t("Your clock stands still: nothing happened for a minute. It goes on when you do.");
    frame.banner("idle", idle && this.screen ? words : "", { kind: "info" });
  }

  /** @param {any} error @param {() => void} [again] */
  #failed(error, again) {
    if (error instanceof SessionEnded) return this.session.end();
    if (error instanceof Refused && FIRST_STEPS.has(error.code)) return location.reload();
    if (error instanceof Refused)
      return frame.banner("refused", error.message, { kind: "error", actions: [[t("Close"), () => frame.banner("refused", "")]] });
    if (!again) return frame.banner("network", `${error.message} ${t("Try again in a moment.")}`);
    frame.banner("network", error.message, { actions: [[t("Try now"), () => this.retry.now()]] });
    if (!this.screen) frame.notice({ title: t("Waiting for the connection"), text: t("The next screen comes as soon as the server can be reached.") });
    return this.retry.later();
  }
}
