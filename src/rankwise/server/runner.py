"""Running the server: one process on SQLite, several on PostgreSQL; what the first start does."""

import asyncio
import errno
import logging
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from types import FrameType
from typing import cast

import uvicorn
from fastapi import FastAPI

from rankwise.errors import StoreError
from rankwise.server.campaign.plan.plan_files import example_campaign
from rankwise.server.connections import Door, GuardedConnection
from rankwise.server.log_lines import LogLines
from rankwise.server.settings import Settings
from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.store.database.database import Database
from rankwise.server.store.database.store_errors import DatabaseGone
from rankwise.server.web.app import create_app
from rankwise.server.workers import run_workers

#: Requests under way are finished for so long; after the second number the process ends.
DRAIN_SECONDS, LAST_SECONDS = 10, 15
#: A worker that finds no database looks again after so long.
WAIT_SECONDS = 2.0
ACTOR = "rankwise serve"
log = logging.getLogger("rankwise.server")


@dataclass(frozen=True, slots=True)
class FirstSteps:
    """The links that are printed once: how to set the owner's password, how to try judging."""

    setup: str | None = None
    demo: str | None = None


def bind(settings: Settings) -> socket.socket:
    """A socket that listens, so that a port in use is found before anything is printed."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    opened = socket.socket(family)
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        opened.bind((settings.host, settings.port))
    except OSError as error:
        opened.close()
        where = f"{settings.host}:{settings.port}"
        if error.errno == errno.EADDRINUSE:
            message = f"the address {where} is in use; stop what uses it or choose another --port"
        else:
            message = f"cannot listen on {where}: {error.strerror or error}"
        raise StoreError(message) from error
    opened.set_inheritable(True)
    return opened


def at_port(settings: Settings, listening: socket.socket, base_url: str | None) -> Settings:
    """*settings* with the port that was found and the address that people type."""
    port = listening.getsockname()[1]
    host = "127.0.0.1" if settings.host in ("0.0.0.0", "::") else settings.host
    shown = f"[{host}]" if ":" in host else host
    return replace(settings, port=port, base_url=base_url or f"http://{shown}:{port}")


def first_steps(store: CampaignStore, settings: Settings, *, example: bool) -> FirstSteps:
    """Make an owner and, in an empty store, the bundled example as a campaign to try."""
    is_new = store.accounts.count() == 0
    demo = _add_example(store) if example and is_new and not store.campaigns.all() else None
    setup = _setup_token(store)
    return FirstSteps(
        settings.link(f"/setup/{setup}") if setup else None,
        settings.link(f"/j/{demo}") if demo else None,
    )


def _setup_token(store: CampaignStore) -> str | None:
    """The token of a set-up link as long as nobody has set the owner's password."""
    owners = [account for account in store.accounts.all() if account.role == "owner"]
    if any(owner.is_set_up for owner in owners):
        return None
    if owners:
        return store.accounts.new_setup(owners[0].id, ACTOR)
    return store.accounts.create("owner", "owner", ACTOR)[1]


def _add_example(store: CampaignStore) -> str:
    plan, testset = example_campaign()
    campaign = store.campaigns.add(plan, testset, actor=ACTOR)
    store.campaigns.set_state(campaign.slug, "open", actor=ACTOR)
    _, token = store.judges.invite(campaign.id, name="Demo judge", actor=ACTOR)
    return token


def run(store: CampaignStore, settings: Settings, listening: socket.socket) -> None:
    """Serve until somebody stops it; requests under way are finished first."""
    with logging_to_stderr():
        if settings.workers > 1:
            store.database.close()  # every worker opens the database for itself
            run_workers(settings.workers, work, (settings,), listening)
        else:
            _serve(store, settings, listening)


def work(settings: Settings, listening: socket.socket) -> None:
    """What one of several worker processes does."""
    with (
        logging_to_stderr(),
        closing(opened_at_last(settings.url)) as database,
        suppress(KeyboardInterrupt),  # it ends as it was asked to
    ):
        _serve(CampaignStore(database), settings, listening)


def opened_at_last(url: str) -> Database:
    """The database, waited for while it cannot be reached: it was there when the server began."""
    while True:
        try:
            return Database.open(url, migrate=False)
        except DatabaseGone as error:
            log.error("a worker begins as soon as it can: %s", error)
            time.sleep(WAIT_SECONDS)


def _serve(store: CampaignStore, settings: Settings, listening: socket.socket) -> None:
    # uvicorn hands the signal on when it is done: as an interrupt it lets the caller clean up
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    server_of(create_app(store, settings), settings).run(sockets=[listening])


def server_of(app: FastAPI, settings: Settings) -> uvicorn.Server:
    """The server of *app*, with the limits that *settings* name."""
    config = uvicorn.Config(
        app,
        http=cast(type[asyncio.Protocol], partial(GuardedConnection, door=Door(settings))),
        ws="none",
        log_config=None,
        access_log=False,  # ours leaves the secrets out
        server_header=False,
        proxy_headers=False,  # ours counts trusted proxies only
        timeout_keep_alive=settings.idle_seconds,
        timeout_graceful_shutdown=DRAIN_SECONDS,
    )
    return BoundedServer(config)


class BoundedServer(uvicorn.Server):
    """A server that ends after a while, whatever still runs."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to stop."""
        if not self.should_exit:
            threading.Thread(target=_end_at_last, daemon=True).start()
        super().handle_exit(sig, frame)


def _end_at_last() -> None:
    """End this process: what was acknowledged is stored, and what was not can be sent again."""
    time.sleep(LAST_SECONDS)
    _finish_log()
    print("Stopped; what was still under way was broken off.", file=sys.stderr, flush=True)
    os._exit(0)


@contextmanager
def logging_to_stderr() -> Iterator[None]:
    """Log requests and errors to standard error, no texts and no secrets; nobody waits for it."""
    out = os.open(os.devnull, os.O_WRONLY) if sys.stderr is None else sys.stderr.fileno()
    handler = LogLines(out)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    for name, level in _levels():
        logger = logging.getLogger(name)
        logger.handlers[:] = [handler]
        logger.setLevel(level)
        logger.propagate = False
    try:
        yield
    finally:
        _finish_log()


def _finish_log() -> None:
    for handler in log.handlers:
        if isinstance(handler, LogLines):
            handler.finish()


def _levels() -> Iterator[tuple[str, int]]:
    yield "rankwise.access", logging.INFO
    yield "rankwise.server", logging.INFO
    yield "uvicorn", logging.WARNING
