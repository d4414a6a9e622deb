"""A real server on a free port of this machine, with campaigns made as a test wants them."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import uvicorn
from fastapi import FastAPI

from rankwise import example
from rankwise.server.campaign.plan.outputs.given_spans import GivenSpans
from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.campaign.plan.sources.media_files import NO_MEDIA, MediaFiles
from rankwise.server.settings import Settings
from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.store.database.database import Database
from rankwise.server.web.app import create_app
from rankwise.types import Segment, TestSet

PROTOCOLS = {
    "ranking": {"k": 5},
    "pairwise": {"k": 2},
    "adequacy-fluency": {"k": 3},
    "direct-assessment": {"k": 2},
    "esa": {"k": 3, "window": 3},
    "mqm": {"k": 1, "window": 3},
}

#: Names that no text holds, so that one in a response is a leak.
SYSTEMS = (
    "Quasar-77",
    "Nebula-x",
    "Pulsar-9",
    "Zenith-q",
    "Kestrel-5",
    "Obsidian",
    "Vermouth",
    "Tesseract",
)

ARABIC = (
    (
        "The train to Cairo leaves at 7:45 (platform 3).",
        "يغادر القطار إلى القاهرة في الساعة 7:45 (الرصيف 3).",
        "القطار إلى القاهرة يغادر الساعة 7:45 (رصيف 3).",
        "قطار القاهرة يترك في 7:45 (منصة 3).",
        "يغادر القطار من القاهرة في الساعة 7:45 (الرصيف 3).",
        "القطار القاهرة ذهب 7:45 (3 رصيف).",
    ),
    (
        "She read 12 books [in 2019] and wrote two.",
        "قرأت 12 كتابًا [في عام 2019] وكتبت اثنين.",
        "هي قرأت 12 كتابا [في 2019] وكتبت كتابين.",
        "قرأ 12 كتابًا [في عام 2019] وكتب اثنين.",
        "قرأت 12 كتب [2019] و كتابة اثنان.",
        "كتبت 12 كتابًا [في عام 2019] وقرأت اثنين.",
    ),
)


class CampaignServer:
    """The running server: its address, its store, and ways to fill it."""

    def __init__(self, folder: Path, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}"
        self.ahead = 0  # milliseconds by which the server's clock is set forward
        database = Database.open(f"sqlite:///{folder / 'rankwise.db'}")
        self.store = CampaignStore(database, clock=lambda: time.time_ns() // 1_000_000 + self.ahead)
        self.app: FastAPI
        self._number = 0

    def campaign(
        self,
        protocol: str,
        *,
        testset: TestSet | None = None,
        given: GivenSpans | None = None,
        media: MediaFiles = NO_MEDIA,
        **changes: Any,
    ) -> Any:
        """An open campaign of that protocol, without controls and repeats unless asked for."""
        self._number += 1
        testset = testset or blinded(_example())
        plan = Plan.from_json(
            {
                "name": "News, German to English",
                "slug": f"campaign-{self._number}",
                "source_language": testset.source_language,
                "target_language": testset.target_language,
                "protocol": protocol,
                "strategy": "uniform",
                "control_share": 0.0,
                "repeat_share": 0.0,
                **PROTOCOLS[protocol],
                **changes,
            }
        )
        add = self.store.campaigns.add
        campaign = add(plan, testset, given=given, media=media, actor="test")
        self.store.campaigns.set_state(campaign.slug, "open", actor="test")
        return self.store.campaigns.get(campaign.slug)

    def invite(self, campaign: Any) -> str:
        """The address of a new judge's personal link."""
        _, token = self.store.judges.invite(campaign.id, actor="test")
        return f"{self.url}/j/{token}"

    @contextmanager
    def later(self, milliseconds: int) -> Iterator[None]:
        """The server's clock is so far ahead within the block."""
        self.ahead += milliseconds
        try:
            yield
        finally:
            self.ahead -= milliseconds

    def stored(self, campaign: Any, **options: Any) -> list[Any]:
        """The judgments of a campaign."""
        return list(self.store.log.stored(campaign.id, **options))


@cache
def _example() -> TestSet:
    return example().testset


def blinded(testset: TestSet, systems: tuple[str, ...] = SYSTEMS) -> TestSet:
    """The test set with systems of those names."""
    outputs = dict(zip(systems, testset.outputs.values(), strict=False))
    return replace(testset, outputs=outputs)


def arabic() -> TestSet:
    """English to Arabic with digits and brackets; both segments again and again."""
    rows = ARABIC * 6
    segments = tuple(
        Segment(str(number), row[0], (row[1],), document="news")
        for number, row in enumerate(rows, 1)
    )
    outputs = {SYSTEMS[i]: tuple(row[i + 1] for row in rows) for i in range(5)}
    return TestSet(segments, outputs, "arabic", "en", "ar")


def texts_of(source: str, outputs: tuple[str, ...], *, count: int = 12) -> TestSet:
    """One segment, many times: texts a test chose."""
    segments = tuple(Segment(str(i), source, (), document="d") for i in range(1, count + 1))
    named = zip(SYSTEMS, outputs, strict=False)
    return TestSet(segments, {name: (text,) * count for name, text in named}, "own", "en", "en")


@contextmanager
def campaign_server(folder: Path, *, refresher: bool = False) -> Iterator[CampaignServer]:
    """Serve until the block ends."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = CampaignServer(folder, listening.getsockname()[1])
        settings = Settings(folder=folder, base_url=server.url, refresher=refresher)
        server.app = app = create_app(server.store, settings)
        # no connection is closed under the hands of a client that is slow
        config = uvicorn.Config(app, log_config=None, server_header=False, timeout_keep_alive=600)
        uvicorn_server = uvicorn.Server(config)
        thread = threading.Thread(target=uvicorn_server.run, args=([listening],))
        thread.start()
        try:
            _wait_for(lambda: uvicorn_server.started)
            yield server
        finally:
            uvicorn_server.should_exit = True
            thread.join(60)
            server.store.database.close()


def _wait_for(condition: Any, *, seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError("the server did not start")
        time.sleep(0.02)
