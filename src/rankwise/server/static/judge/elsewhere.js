// One screen in two windows or on two devices: which answer is right is for the person to say.

import * as frame from "./frame.js";
import { t } from "./words.js";

const DONE = t("This screen was submitted in another window");

export class Elsewhere {
  constructor(work) {
    this.work = work;
  }

  // What another screen leaves behind.
  clear() {
    for (const reason of ["done", "elsewhere"]) frame.banner(reason, "");
  }

  // The answer was sent there, and it was another one.
  answered({ receipt, kind, body }, goOn) {
    frame.notice({
      title: DONE,
      text: t("What you sent here is another answer, and is not stored: the one from the other window is."),
      actions: [[t("Change the stored answer"), () => this.work.revise(receipt, mine(kind, body)), true], [t("Go on"), goOn]],
    });
  }

  // The same for an answer that waited in this browser since an earlier visit.
  answeredBefore({ receipt, kind, body }) {
    const end = () => frame.banner("before", "");
    const change = () => (end(), this.work.revise(receipt, mine(kind, body)));
    frame.banner("before", t("This screen was submitted in another window, with another answer than the one that waited here."), {
      actions: [[t("Change the stored answer"), change], [t("Leave it"), end]],
    });
  }

  // The draft has another version there; without a network the question stays.
  drafted() {
    const { work } = this;
    const { token } = work.screen.task;
    const settled = (how) => async () => {
      try {
        const found = await work.api.send("GET", `/judge/tasks/${token}`);
        frame.banner("elsewhere", "");
        await how(found);
      } catch (error) {
        work.failed(error);
      }
    };
    const theirs = settled((found) => (work.autosave.forget(token), work.show(found)));
    const ours = settled(({ task }) => work.autosave.overrule(task.draft_version));
    frame.banner("elsewhere", t("This screen was changed in another window or on another device."), {
      actions: [[t("Show that version"), theirs], [t("Keep this one"), ours]],
    });
  }

  // A task that is done gives its receipt to whoever sends it again, and stays as it is.
  done() {
    const { work } = this;
    const { token } = work.screen.task;
    const end = () => (work.autosave.stop(), work.autosave.forget(token), frame.banner("done", ""));
    const change = async () => {
      const ours = work.screen.content(work.clock.active);
      const body = { answer: ours.answer, active_ms: ours.active_ms };
      try {
        const { receipt } = await work.api.send("POST", `/judge/tasks/${token}/answer`, body);
        end();
        await work.revise(receipt, ours);
      } catch (error) {
        work.failed(error);
      }
    };
    frame.banner("done", t("This screen was submitted in another window. What you change here is not stored."), {
      actions: [[t("Change the stored answer"), change], [t("Go on"), () => (end(), work.next())]],
    });
  }
}

// A skip is nothing to begin with.
const mine = (kind, body) => (kind === "answer" ? body : null);
