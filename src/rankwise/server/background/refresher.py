"""The work behind the pages: leases that ran out, standings, the queue of screens, backups.

One thread per process, one process at a time (on PostgreSQL an advisory lock decides which). No
request waits for it: a judgment is stored whether or not the leaderboard can be computed. What goes
wrong is logged and kept as the standing ``refresher`` of the campaign, where the floor shows it.
"""

import logging
import threading
import time
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from rankwise.errors import StoreError
from rankwise.server.background.health import Health
from rankwise.server.background.hourly_backups import back_up
from rankwise.server.background.model_process import ModelProcess, ModelsEnded, standings_of
from rankwise.server.campaign.standings.contents import Standings
from rankwise.server.settings import Settings
from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.store.campaigns.campaigns import Campaign
from rankwise.server.store.campaigns.events import STOP_RULE
from rankwise.server.store.database.store_errors import NotAllowed

log = logging.getLogger("rankwise.server")

#: A campaign whose standings took t seconds rests for REST · t, so that judges keep the machine.
REST = 4.0
#: Seconds that a campaign rests whose models were killed twice: then twice as long each time.
FIRST_BACK_OFF, LONGEST_BACK_OFF = 15.0, 900.0
#: Seconds between looks at whether a backup is due, and at the store while it is well.
BACKUP_CHECK, HEALTH_CHECK = 60.0, 15.0
#: How long whoever stops the server waits for what is being written.
STOP_SECONDS = 3.0


class Refresher:
    """A thread that calls ``refresh`` every few seconds until it is stopped."""

    def __init__(
        self,
        store: CampaignStore,
        settings: Settings,
        health: Health,
        models: ModelProcess | None = None,
    ) -> None:
        """Take what it works on; without *models*, standings are computed in this process."""
        self.store, self.settings, self.health = store, settings, health
        self.models = models
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="refresher", daemon=True)
        self._next_backup = 0.0
        self._marks: dict[int, Any] = {}
        self._rest_until: dict[int, float] = {}
        self._ended: dict[int, tuple[int, float]] = {}

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End; models that are being fitted are given up, for they can be fitted again."""
        self._stopped.set()
        if self.models is not None:
            self.models.close()
        if self._thread.is_alive():
            self._thread.join(timeout=STOP_SECONDS)

    def _run(self) -> None:
        while not self._stopped.is_set():
            try:
                self.refresh()
            except Exception as error:  # the thread must outlive whatever happens to one round
                if not self._stopped.is_set():
                    _log_failure("the background work", error)
            self._stopped.wait(self.settings.refresh_seconds)

    def refresh(self) -> None:
        """One round over all campaigns, if this process is the one that does it."""
        if self.health.check(self.store, within=HEALTH_CHECK) is not None:
            return
        with self.store.database.try_lock("refresher") as is_mine:
            if not is_mine:
                return
            self._back_up()
            self.store.judging.release_expired()
            for campaign in self.store.campaigns.all():
                if self._stopped.is_set():
                    return
                self.refresh_campaign(campaign)

    def _back_up(self) -> None:
        folder = self.settings.backups
        if folder is None or time.monotonic() < self._next_backup:
            return
        self._next_backup = time.monotonic() + BACKUP_CHECK
        try:
            made = back_up(self.store.database, folder, datetime.now(UTC))
        except Exception as error:  # judges go on working without a backup; the floor says so
            log.error("the backup failed: %s", error)
            self.health.add_error("backup", f"The backup failed: {error}")
        else:
            if made is not None:
                log.info("backup: %s", made)

    def refresh_campaign(self, campaign: Campaign) -> None:
        """Screens for those who ask next, and new standings if there are new judgments."""
        if campaign.state == "draft" or self._backs_off(campaign):
            return
        started = time.monotonic()
        error = None
        changed = False
        try:
            if campaign.state == "open":
                self._top_up(campaign)
            changed = self._renew_standings(campaign)
            if changed:
                self._ended.pop(campaign.id, None)
        except Exception as problem:  # one campaign's trouble is not another's
            if self._stopped.is_set():
                return
            if not self._is_said(campaign, problem):
                _log_failure(f"the standings of {campaign.slug}", problem)
            error = f"{type(problem).__name__}: {problem}"
        if changed or error:
            with suppress(StoreError):  # of a store that is gone, the log has said so
                self._report(campaign, error, time.monotonic() - started)

    def _backs_off(self, campaign: Campaign) -> bool:
        """Whether its models were killed a short while ago; screens are then chosen when asked."""
        return time.monotonic() < self._ended.get(campaign.id, (0, 0.0))[1]

    def _is_said(self, campaign: Campaign, problem: Exception) -> bool:
        """Whether the log has it that the models were killed; they rest longer from time to time.

        After the first time they are tried again at once.
        """
        if not isinstance(problem, ModelsEnded):
            return False
        times = self._ended.get(campaign.id, (0, 0.0))[0]
        rest = min(LONGEST_BACK_OFF, FIRST_BACK_OFF * 2.0 ** (times - 1)) if times else 0.0
        self._ended[campaign.id] = (times + 1, time.monotonic() + rest)
        return times > 0

    def _top_up(self, campaign: Campaign) -> None:
        choose = None if self.models is None else self.models.choose
        self.store.queue.top_up(campaign.id, choose=choose)

    def _renew_standings(self, campaign: Campaign) -> bool:
        """Compute the standings unless the campaign rests; whether anything changed."""
        started = time.monotonic()
        if started < self._rest_until.get(campaign.id, 0):
            return False
        try:
            return self._put_standings(campaign)
        finally:
            now = time.monotonic()
            self._rest_until[campaign.id] = now + REST * (now - started)

    def _put_standings(self, campaign: Campaign) -> bool:
        """Compute and keep what changed; whether anything did."""
        mark = self.store.log.mark(campaign.id)
        if self._marks.get(campaign.id) == mark:
            return False
        if self.models is None:
            count, found = standings_of(self.store, campaign.id)
        else:
            count, found = self.models.standings(campaign.id)
        self.store.standings.put_all(campaign.id, count, found.contents())
        self._marks[campaign.id] = mark
        if campaign.state == "open" and is_enough(found):
            self._pause(campaign)
        return True

    def _pause(self, campaign: Campaign) -> None:
        """Stop as the plan says, once: whoever opens the campaign again has decided otherwise."""
        if self.store.events.did(STOP_RULE, "campaign.state", campaign.id):
            return
        try:
            self.store.campaigns.set_state(campaign.slug, "paused", actor=STOP_RULE)
        except NotAllowed:  # somebody paused or closed it while the standings were computed
            return
        log.info("%s is paused: its stop rule is met", campaign.slug)

    def _report(self, campaign: Campaign, error: str | None, seconds: float) -> None:
        content = {
            "ok": error is None,
            "error": error,
            "seconds": round(seconds, 3),
            "at": time.time_ns() // 1_000_000,
        }
        self.store.standings.put(campaign.id, "refresher", 0, content)


def _log_failure(what: str, error: Exception) -> None:
    """One line about a store that cannot be used; a trace where our own code may be at fault."""
    trace = None if isinstance(error, StoreError) else error
    log.error("%s failed: %s", what, error, exc_info=trace)


def is_enough(found: Standings) -> bool:
    """Whether the plan's stop rule is met by these standings.

    >>> is_enough(Standings({}))
    False
    """
    return found.done is not None and found.done["stop"]["is_met"]
