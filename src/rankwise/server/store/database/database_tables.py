"""The tables of the store, for SQLite and PostgreSQL alike.

Times are integers, milliseconds since 1970 in UTC by the server's clock. Secrets (links, sessions,
tokens) are kept as SHA-256 only. A judgment is never changed or deleted: a revision is a new row
that names the one it replaces. Who somebody is stands in ``identities`` alone, which may be erased.
"""

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)

from rankwise.server.store.database.any_text import AnyText

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def _key() -> Column[int]:
    # SQLite numbers rows by itself only for INTEGER; 2^63 fits there too
    return Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True)


def _of(table: str, *, name: str | None = None, nullable: bool = False) -> Column[int]:
    kind = BigInteger().with_variant(Integer, "sqlite")
    column = name or table.rstrip("s")
    return Column(column, kind, ForeignKey(f"{table}.id"), nullable=nullable)


def _time(name: str, *, nullable: bool = False) -> Column[int]:
    return Column(name, BigInteger, nullable=nullable)


#: ``plan`` is the whole plan as JSON (``campaign.plan.Plan``); state: draft, open, paused, closed.
campaigns = Table(
    "campaigns",
    metadata,
    _key(),
    Column("slug", Text, nullable=False, unique=True),
    Column("name", AnyText, nullable=False),
    Column("plan", JSON, nullable=False),
    Column("state", Text, nullable=False),
    _time("created_at"),
    _time("opened_at", nullable=True),
    _time("closed_at", nullable=True),
    CheckConstraint("state IN ('draft', 'open', 'paused', 'closed')", name="state"),
)

#: ``position`` is the place in the test set, so that neighbours are the context.
segments = Table(
    "segments",
    metadata,
    _key(),
    _of("campaigns"),
    Column("position", Integer, nullable=False),
    Column("name", AnyText, nullable=False),
    Column("source", AnyText, nullable=False),
    Column("refs", JSON, nullable=False),
    Column("document", AnyText),
    Column("domain", AnyText),
    UniqueConstraint("campaign", "name"),
    UniqueConstraint("campaign", "position"),
)

#: A picture, sound or video that is the source of segments, or part of it. ``key`` is all that an
#: address has of it; ``kind`` is the type that its content says, ``name`` the organiser's.
assets = Table(
    "assets",
    metadata,
    _key(),
    _of("campaigns"),
    Column("key", Text, nullable=False, unique=True),
    Column("name", AnyText, nullable=False),
    Column("kind", Text, nullable=False),
    Column("size", BigInteger, nullable=False),
    Index("ix_assets_campaign", "campaign"),
)

#: The bytes of an asset, piece by piece: all of one size but the last.
asset_blocks = Table(
    "asset_blocks",
    metadata,
    Column("asset", ForeignKey("assets.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("content", LargeBinary, nullable=False),
)

#: Which asset a segment has; ``words`` say what is to be seen or heard.
segment_assets = Table(
    "segment_assets",
    metadata,
    Column("segment", ForeignKey("segments.id"), primary_key=True),
    _of("assets"),
    Column("words", AnyText, nullable=False),
    Index("ix_segment_assets_asset", "asset"),
)

systems = Table(
    "systems",
    metadata,
    _key(),
    _of("campaigns"),
    Column("position", Integer, nullable=False),
    Column("name", AnyText, nullable=False),
    UniqueConstraint("campaign", "name"),
)

#: ``spans`` are errors that a machine marked, for judges to correct.
outputs = Table(
    "outputs",
    metadata,
    _of("systems"),
    _of("segments"),
    Column("text", AnyText, nullable=False),
    Column("spans", JSON(none_as_null=True)),
    UniqueConstraint("system", "segment"),
    Index("ix_outputs_segment", "segment"),
)

#: A judge belongs to one campaign and is known by a random pseudonym there. ``settings``: font
#: size, theme, keys, as the judge left them. ``sitting_from`` is the last judgment before this
#: sitting: a number, not a time, so that a clock set back cannot lengthen it.
#: ``instructions_version`` are those read and accepted last; ``open_link`` is how a judge came who
#: was not invited. Items of the tutorial count from the lease after ``tutorial_from`` on. kind:
#: person, machine.
judges = Table(
    "judges",
    metadata,
    _key(),
    _of("campaigns"),
    Column("pseudonym", Text, nullable=False),
    Column("link_hash", Text, nullable=False, unique=True),
    Column("link_prefix", Text, nullable=False),
    _time("created_at"),
    _time("link_expires_at", nullable=True),
    _time("revoked_at", nullable=True),
    _time("consented_at", nullable=True),
    Column("consent_version", Text),
    _time("tutorial_done_at", nullable=True),
    _time("last_seen_at", nullable=True),
    _time("excluded_at", nullable=True),
    Column("excluded_reason", AnyText),
    Column("settings", JSON, nullable=False),
    Column("sitting_from", BigInteger, nullable=False, server_default="0"),
    Column("instructions_version", Text),
    _time("tutorial_failed_at", nullable=True),
    Column("open_link", BigInteger().with_variant(Integer, "sqlite")),
    Column("tutorial_from", BigInteger, nullable=False, server_default="0"),
    Column("kind", Text, nullable=False, server_default="person"),
    UniqueConstraint("campaign", "pseudonym"),
)

#: Who a judge is: apart from everything else, and erasable without touching a judgment.
#: ``parameters`` are those of the address by which somebody came (a crowd platform's number).
identities = Table(
    "identities",
    metadata,
    Column("judge", ForeignKey("judges.id"), primary_key=True),
    Column("name", AnyText),
    Column("email", AnyText),
    Column("note", AnyText),
    Column("parameters", JSON(none_as_null=True)),
)

#: What a judge answered to the questions before work; erased with the identity.
questionnaires = Table(
    "questionnaires",
    metadata,
    Column("judge", ForeignKey("judges.id"), primary_key=True),
    Column("answers", JSON, nullable=False),
    _time("answered_at"),
)

#: Links that anybody may open who is sent there; each visitor becomes a judge.
open_links = Table(
    "open_links",
    metadata,
    _key(),
    _of("campaigns"),
    Column("hash", Text, nullable=False, unique=True),
    Column("prefix", Text, nullable=False),
    _time("created_at"),
    _time("revoked_at", nullable=True),
)

#: A question that may be put to ``redundancy`` judges. ``slots`` is a list of
#: {"systems": [...], "role": "TGT" | "REF" | "BAD", "text": override or null}, one per distinct
#: text. ``remaining`` is how many more judges may get it: leases take one, expiry gives it back.
#: role: work, control, repeat, tutorial. A screen that nobody got may be withdrawn. A skipped
#: screen goes to somebody else, until ``skips`` says that it is the screen's fault.
screens = Table(
    "screens",
    metadata,
    _key(),
    _of("campaigns"),
    _of("segments", nullable=True),
    Column("slots", JSON, nullable=False),
    Column("role", Text, nullable=False),
    Column("repeats", BigInteger().with_variant(Integer, "sqlite"), ForeignKey("screens.id")),
    Column("for_judge", BigInteger().with_variant(Integer, "sqlite"), ForeignKey("judges.id")),
    Column("remaining", Integer, nullable=False),
    Column("redundancy", Integer, nullable=False),
    Column("skips", Integer, nullable=False, server_default="0"),
    Column("probability", Float),
    Column("strategy", Text, nullable=False),
    Column("seed", BigInteger, nullable=False),
    Column("payload", JSON(none_as_null=True)),
    _time("created_at"),
    _time("withdrawn_at", nullable=True),
    CheckConstraint("remaining >= 0 AND remaining <= redundancy", name="remaining"),
    Index("ix_screens_open", "campaign", "role", "remaining"),
    Index("ix_screens_repeats", "for_judge", "repeats"),
    Index("ix_screens_segment", "segment"),
)

#: A screen in the hands of a judge. ``token`` is the idempotency key of the submission; ``shown``
#: is the order of the slots on the page. state: open, done, expired, released. A lease with
#: ``supersedes`` is a revision of that judgment. ``replicate`` counts a judge's looks at a screen.
leases = Table(
    "leases",
    metadata,
    _key(),
    Column("token", Text, nullable=False, unique=True),
    _of("screens"),
    _of("judges"),
    Column("replicate", Integer, nullable=False),
    Column("shown", JSON, nullable=False),
    Column("state", Text, nullable=False),
    Column("supersedes", BigInteger().with_variant(Integer, "sqlite"), nullable=True),
    _time("created_at"),
    _time("expires_at"),
    _time("ended_at", nullable=True),
    CheckConstraint("state IN ('open', 'done', 'expired', 'released')", name="state"),
    UniqueConstraint("screen", "judge", "replicate"),
    Index("ix_leases_open", "state", "expires_at"),
    Index("ix_leases_judge", "judge", "state"),
)

drafts = Table(
    "drafts",
    metadata,
    Column("lease", ForeignKey("leases.id"), primary_key=True),
    Column("version", Integer, nullable=False),
    Column("content", JSON, nullable=False),
    _time("saved_at"),
)

#: Answers to a tutorial item or a loud check that were not right yet, with the hint each got.
attempts = Table(
    "attempts",
    metadata,
    _key(),
    _of("leases"),
    Column("answer", JSON, nullable=False),
    Column("hint", AnyText, nullable=False),
    Column("active_ms", BigInteger, nullable=False),
    _time("at"),
    Index("ix_attempts_lease", "lease"),
)

#: Append-only. ``answer`` is in the order of ``screens.slots`` (not as shown); kind: answer, skip.
#: ``surplus`` marks late work that nobody needed any more. ``active_ms`` is visible and active
#: time as the page measured it, never more than the server saw pass.
judgments = Table(
    "judgments",
    metadata,
    _key(),
    Column("receipt", Text, nullable=False, unique=True),
    Column("lease", ForeignKey("leases.id"), nullable=False, unique=True),
    _of("campaigns"),
    _of("screens"),
    _of("judges"),
    Column("kind", Text, nullable=False),
    Column("answer", JSON, nullable=False),
    Column("comment", AnyText),
    Column("surplus", Boolean, nullable=False),
    Column(
        "supersedes",
        BigInteger().with_variant(Integer, "sqlite"),
        ForeignKey("judgments.id"),
        unique=True,
    ),
    _time("shown_at"),
    _time("received_at"),
    Column("active_ms", BigInteger, nullable=False),
    Column("details", JSON, nullable=False),
    CheckConstraint("kind IN ('answer', 'skip')", name="kind"),
    Index("ix_judgments_campaign", "campaign", "id"),
    Index("ix_judgments_judge", "judge", "id"),
    Index("ix_judgments_screen", "screen"),
)

#: role: owner, organiser. ``password`` is an argon2id string; null until the set-up link is used.
accounts = Table(
    "accounts",
    metadata,
    _key(),
    Column("name", AnyText, nullable=False, unique=True),
    Column("role", Text, nullable=False),
    Column("password", Text),
    _time("created_at"),
    _time("disabled_at", nullable=True),
    CheckConstraint("role IN ('owner', 'organiser')", name="role"),
)

#: One-time set-up links of accounts and lasting links of viewers. purpose: setup, viewer.
links = Table(
    "links",
    metadata,
    _key(),
    Column("hash", Text, nullable=False, unique=True),
    Column("prefix", Text, nullable=False),
    Column("purpose", Text, nullable=False),
    _of("accounts", nullable=True),
    _of("campaigns", nullable=True),
    _time("created_at"),
    _time("expires_at", nullable=True),
    _time("used_at", nullable=True),
    _time("revoked_at", nullable=True),
    CheckConstraint("purpose IN ('setup', 'viewer')", name="purpose"),
)

#: kind: account, judge, viewer; ``subject`` is the id in accounts, judges or links.
sessions = Table(
    "sessions",
    metadata,
    Column("hash", Text, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("subject", BigInteger, nullable=False),
    Column("csrf", Text, nullable=False),
    _time("created_at"),
    _time("seen_at"),
    _time("expires_at"),
    CheckConstraint("kind IN ('account', 'judge', 'viewer')", name="kind"),
    Index("ix_sessions_subject", "kind", "subject"),
)

api_tokens = Table(
    "api_tokens",
    metadata,
    _key(),
    _of("accounts"),
    Column("name", AnyText, nullable=False),
    Column("hash", Text, nullable=False, unique=True),
    Column("prefix", Text, nullable=False),
    Column("scopes", JSON, nullable=False),
    _time("created_at"),
    _time("used_at", nullable=True),
    _time("revoked_at", nullable=True),
)

#: Tries to get in that failed, for a day. ``key`` is a SHA-256 of what was tried and from where.
tries = Table(
    "tries",
    metadata,
    _key(),
    Column("key", Text, nullable=False),
    _time("at"),
    Index("ix_tries_key", "key", "at"),
    Index("ix_tries_at", "at"),
)

#: When something was done last, by its name; sweep: leases whose time is over were
#: ended (0: never yet).
marks = Table(
    "marks",
    metadata,
    Column("name", Text, primary_key=True),
    _time("at"),
)

#: What the background work found last: one row per campaign and kind (a model, "people", ...).
standings = Table(
    "standings",
    metadata,
    _of("campaigns"),
    Column("kind", Text, nullable=False),
    Column("judgments", BigInteger, nullable=False),
    Column("content", JSON, nullable=False),
    _time("computed_at"),
    UniqueConstraint("campaign", "kind"),
)

#: Scores of one metric for the outputs of a campaign, beside which people's judgments are surer.
#: ``systems`` and ``segments`` are names; ``scores`` has a list for every system, null for none.
attached_scores = Table(
    "attached_scores",
    metadata,
    Column("campaign", ForeignKey("campaigns.id"), primary_key=True),
    Column("name", AnyText, nullable=False),
    Column("systems", JSON, nullable=False),
    Column("segments", JSON, nullable=False),
    Column("scores", JSON, nullable=False),
    _time("attached_at"),
)

#: An event of many campaigns, such as one for each language pair. (``events`` is the audit trail.)
campaign_events = Table(
    "campaign_events",
    metadata,
    _key(),
    Column("slug", Text, nullable=False, unique=True),
    Column("name", AnyText, nullable=False),
    _time("created_at"),
)

#: A campaign belongs to one event at most.
event_campaigns = Table(
    "event_campaigns",
    metadata,
    Column("campaign", ForeignKey("campaigns.id"), primary_key=True),
    _of("campaign_events", name="event"),
    Index("ix_event_campaigns_event", "event"),
)

#: Somebody who judges in some campaigns of an event, by one link. Who it is stands in the
#: ``identities`` of the judges.
event_people = Table(
    "event_people",
    metadata,
    _key(),
    _of("campaign_events", name="event"),
    Column("link_hash", Text, nullable=False, unique=True),
    Column("link_prefix", Text, nullable=False),
    _time("created_at"),
    _time("revoked_at", nullable=True),
    Index("ix_event_people_event", "event"),
)

#: The judge that such a person is in each campaign.
event_judges = Table(
    "event_judges",
    metadata,
    Column("judge", ForeignKey("judges.id"), primary_key=True),
    _of("event_people", name="person"),
    Index("ix_event_judges_person", "person"),
)

#: The audit trail, append-only.
events = Table(
    "events",
    metadata,
    _key(),
    _time("at"),
    Column("actor", AnyText, nullable=False),
    Column("action", Text, nullable=False),
    _of("campaigns", nullable=True),
    Column("object", AnyText),
    Column("details", JSON, nullable=False),
    Column("request", Text),
    Index("ix_events_campaign", "campaign", "id"),
)
