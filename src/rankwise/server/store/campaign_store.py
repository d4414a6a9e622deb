"""The store: one object whose parts are what the server keeps."""

import time
from collections.abc import Callable

from rankwise.server.store.access.accounts import Accounts
from rankwise.server.store.access.campaign_events import CampaignEvents
from rankwise.server.store.access.event_mails import PersonMails
from rankwise.server.store.access.judges import Judges
from rankwise.server.store.access.link_mails import JudgeMails
from rankwise.server.store.access.open_links import OpenLinks
from rankwise.server.store.access.questionnaires import Questionnaires
from rankwise.server.store.access.sessions import Sessions
from rankwise.server.store.access.tries import Tries
from rankwise.server.store.access.tutorials import Tutorials
from rankwise.server.store.campaigns.additions import Additions
from rankwise.server.store.campaigns.attached_scores import AttachedScores
from rankwise.server.store.campaigns.campaign_assets import CampaignAssets
from rankwise.server.store.campaigns.campaign_changes import CampaignChanges
from rankwise.server.store.campaigns.campaigns import Campaigns
from rankwise.server.store.campaigns.events import Events
from rankwise.server.store.campaigns.judgment_log import JudgmentLog
from rankwise.server.store.campaigns.kept_standings import KeptStandings
from rankwise.server.store.database.database import Database
from rankwise.server.store.judging.judging import Judging
from rankwise.server.store.judging.queue import Queue


def now_ms() -> int:
    """The server's clock: milliseconds since 1970 in UTC."""
    return time.time_ns() // 1_000_000


class CampaignStore:
    """Everything a campaign needs to be kept, over one database."""

    def __init__(self, database: Database, *, clock: Callable[[], int] = now_ms) -> None:
        self.database, self.clock = database, clock
        self.events = Events(database, clock)
        self.campaigns = Campaigns(database, clock, self.events)
        self.assets = CampaignAssets(database)
        self.changes = CampaignChanges(database, clock, self.campaigns, self.events)
        self.additions = Additions(database, clock, self.campaigns, self.events)
        self.judges = Judges(database, clock, self.events)
        self.groups = CampaignEvents(database, clock, self.campaigns, self.judges, self.events)
        self.mails = JudgeMails(database, clock, self.campaigns, self.judges, self.events)
        self.event_mails = PersonMails(database, clock, self.groups, self.events)
        self.questionnaires = Questionnaires(database, clock)
        self.open_links = OpenLinks(database, clock, self.judges, self.events)
        self.accounts = Accounts(database, clock, self.events)
        self.sessions = Sessions(database, clock)
        self.tries = Tries(database, clock)
        self.tutorials = Tutorials(database, clock, self.campaigns, self.events)
        self.log = JudgmentLog(database, clock)
        self.standings = KeptStandings(database, clock)
        self.scores = AttachedScores(database, clock, self.events)
        self.queue = Queue(database, clock, self.campaigns, self.log)
        self.judging = Judging(database, clock, self.campaigns, self.queue, self.events)
