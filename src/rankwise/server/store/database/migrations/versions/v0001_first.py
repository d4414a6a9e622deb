"""The tables of the first version."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

# SQLite numbers rows by itself only for INTEGER; 2^63 fits there too
KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make all tables."""
    _add_access()
    _add_texts()
    _add_results()
    _add_people()
    _add_screens()
    _add_leases()
    _add_judgments()


def downgrade() -> None:
    """There is nothing before the first version."""
    raise NotImplementedError("restore a backup instead")


def _add_access() -> None:
    op.create_table(
        "accounts",
        sa.Column("id", KEY, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("password", sa.Text(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("disabled_at", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("role IN ('owner', 'organiser')", name=op.f("ck_accounts_role")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_accounts")),
        sa.UniqueConstraint("name", name=op.f("uq_accounts_name")),
    )
    op.create_table(
        "sessions",
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("subject", sa.BigInteger(), nullable=False),
        sa.Column("csrf", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("seen_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("kind IN ('account', 'judge', 'viewer')", name=op.f("ck_sessions_kind")),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_sessions")),
    )
    op.create_index("ix_sessions_subject", "sessions", ["kind", "subject"], unique=False)
    op.create_table(
        "api_tokens",
        sa.Column("id", KEY, nullable=False),
        sa.Column("account", KEY, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("prefix", sa.Text(), nullable=False),
        sa.Column("scopes", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("used_at", sa.BigInteger(), nullable=True),
        sa.Column("revoked_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["account"], ["accounts.id"], name=op.f("fk_api_tokens_account")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_api_tokens")),
        sa.UniqueConstraint("hash", name=op.f("uq_api_tokens_hash")),
    )


def _add_texts() -> None:
    op.create_table(
        "campaigns",
        sa.Column("id", KEY, nullable=False),
        sa.Column("slug", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("plan", sa.JSON(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("opened_at", sa.BigInteger(), nullable=True),
        sa.Column("closed_at", sa.BigInteger(), nullable=True),
        sa.CheckConstraint(
            "state IN ('draft', 'open', 'paused', 'closed')", name=op.f("ck_campaigns_state")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_campaigns")),
        sa.UniqueConstraint("slug", name=op.f("uq_campaigns_slug")),
    )
    op.create_table(
        "segments",
        sa.Column("id", KEY, nullable=False),
        sa.Column("campaign", KEY, nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("refs", sa.JSON(), nullable=False),
        sa.Column("document", sa.Text(), nullable=True),
        sa.Column("domain", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["campaign"], ["campaigns.id"], name=op.f("fk_segments_campaign")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_segments")),
        sa.UniqueConstraint("campaign", "name", name=op.f("uq_segments_campaign_name")),
        sa.UniqueConstraint("campaign", "position", name=op.f("uq_segments_campaign_position")),
    )
    op.create_table(
        "systems",
        sa.Column("id", KEY, nullable=False),
        sa.Column("campaign", KEY, nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["campaign"], ["campaigns.id"], name=op.f("fk_systems_campaign")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_systems")),
        sa.UniqueConstraint("campaign", "name", name=op.f("uq_systems_campaign_name")),
    )
    op.create_table(
        "outputs",
        sa.Column("system", KEY, nullable=False),
        sa.Column("segment", KEY, nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["segment"], ["segments.id"], name=op.f("fk_outputs_segment")),
        sa.ForeignKeyConstraint(["system"], ["systems.id"], name=op.f("fk_outputs_system")),
        sa.UniqueConstraint("system", "segment", name=op.f("uq_outputs_system_segment")),
    )
    op.create_index("ix_outputs_segment", "outputs", ["segment"], unique=False)


def _add_results() -> None:
    op.create_table(
        "events",
        sa.Column("id", KEY, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("campaign", KEY, nullable=True),
        sa.Column("object", sa.Text(), nullable=True),
        sa.Column("details", sa.JSON(), nullable=False),
        sa.Column("request", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["campaign"], ["campaigns.id"], name=op.f("fk_events_campaign")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_events")),
    )
    op.create_index("ix_events_campaign", "events", ["campaign", "id"], unique=False)
    op.create_table(
        "links",
        sa.Column("id", KEY, nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("prefix", sa.Text(), nullable=False),
        sa.Column("purpose", sa.Text(), nullable=False),
        sa.Column("account", KEY, nullable=True),
        sa.Column("campaign", KEY, nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=True),
        sa.Column("used_at", sa.BigInteger(), nullable=True),
        sa.Column("revoked_at", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("purpose IN ('setup', 'viewer')", name=op.f("ck_links_purpose")),
        sa.ForeignKeyConstraint(["account"], ["accounts.id"], name=op.f("fk_links_account")),
        sa.ForeignKeyConstraint(["campaign"], ["campaigns.id"], name=op.f("fk_links_campaign")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_links")),
        sa.UniqueConstraint("hash", name=op.f("uq_links_hash")),
    )
    op.create_table(
        "standings",
        sa.Column("campaign", KEY, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("judgments", sa.BigInteger(), nullable=False),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.Column("computed_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["campaign"], ["campaigns.id"], name=op.f("fk_standings_campaign")),
        sa.UniqueConstraint("campaign", "kind", name=op.f("uq_standings_campaign_kind")),
    )


def _add_people() -> None:
    op.create_table(
        "judges",
        sa.Column("id", KEY, nullable=False),
        sa.Column("campaign", KEY, nullable=False),
        sa.Column("pseudonym", sa.Text(), nullable=False),
        sa.Column("link_hash", sa.Text(), nullable=False),
        sa.Column("link_prefix", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("link_expires_at", sa.BigInteger(), nullable=True),
        sa.Column("revoked_at", sa.BigInteger(), nullable=True),
        sa.Column("consented_at", sa.BigInteger(), nullable=True),
        sa.Column("consent_version", sa.Text(), nullable=True),
        sa.Column("tutorial_done_at", sa.BigInteger(), nullable=True),
        sa.Column("last_seen_at", sa.BigInteger(), nullable=True),
        sa.Column("excluded_at", sa.BigInteger(), nullable=True),
        sa.Column("excluded_reason", sa.Text(), nullable=True),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("sitting_from", sa.BigInteger(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(["campaign"], ["campaigns.id"], name=op.f("fk_judges_campaign")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_judges")),
        sa.UniqueConstraint("campaign", "pseudonym", name=op.f("uq_judges_campaign_pseudonym")),
        sa.UniqueConstraint("link_hash", name=op.f("uq_judges_link_hash")),
    )
    op.create_table(
        "identities",
        sa.Column("judge", KEY, nullable=False),
        sa.Column("name", sa.Text(), nullable=True),
        sa.Column("email", sa.Text(), nullable=True),
        sa.Column("note", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["judge"], ["judges.id"], name=op.f("fk_identities_judge")),
        sa.PrimaryKeyConstraint("judge", name=op.f("pk_identities")),
    )


def _add_screens() -> None:
    op.create_table(
        "screens",
        sa.Column("id", KEY, nullable=False),
        sa.Column("campaign", KEY, nullable=False),
        sa.Column("segment", KEY, nullable=True),
        sa.Column("slots", sa.JSON(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("repeats", KEY, nullable=True),
        sa.Column("for_judge", KEY, nullable=True),
        sa.Column("remaining", sa.Integer(), nullable=False),
        sa.Column("redundancy", sa.Integer(), nullable=False),
        sa.Column("skips", sa.Integer(), server_default="0", nullable=False),
        sa.Column("probability", sa.Float(), nullable=True),
        sa.Column("strategy", sa.Text(), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("payload", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("withdrawn_at", sa.BigInteger(), nullable=True),
        sa.CheckConstraint(
            "remaining >= 0 AND remaining <= redundancy", name=op.f("ck_screens_remaining")
        ),
        sa.ForeignKeyConstraint(["campaign"], ["campaigns.id"], name=op.f("fk_screens_campaign")),
        sa.ForeignKeyConstraint(["for_judge"], ["judges.id"], name=op.f("fk_screens_for_judge")),
        sa.ForeignKeyConstraint(["repeats"], ["screens.id"], name=op.f("fk_screens_repeats")),
        sa.ForeignKeyConstraint(["segment"], ["segments.id"], name=op.f("fk_screens_segment")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_screens")),
    )
    op.create_index("ix_screens_open", "screens", ["campaign", "role", "remaining"], unique=False)
    op.create_index("ix_screens_repeats", "screens", ["for_judge", "repeats"], unique=False)
    op.create_index("ix_screens_segment", "screens", ["segment"], unique=False)


def _add_leases() -> None:
    op.create_table(
        "leases",
        sa.Column("id", KEY, nullable=False),
        sa.Column("token", sa.Text(), nullable=False),
        sa.Column("screen", KEY, nullable=False),
        sa.Column("judge", KEY, nullable=False),
        sa.Column("replicate", sa.Integer(), nullable=False),
        sa.Column("shown", sa.JSON(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("supersedes", KEY, nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.CheckConstraint(
            "state IN ('open', 'done', 'expired', 'released')", name=op.f("ck_leases_state")
        ),
        sa.ForeignKeyConstraint(["judge"], ["judges.id"], name=op.f("fk_leases_judge")),
        sa.ForeignKeyConstraint(["screen"], ["screens.id"], name=op.f("fk_leases_screen")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_leases")),
        sa.UniqueConstraint(
            "screen", "judge", "replicate", name=op.f("uq_leases_screen_judge_replicate")
        ),
        sa.UniqueConstraint("token", name=op.f("uq_leases_token")),
    )
    op.create_index("ix_leases_judge", "leases", ["judge", "state"], unique=False)
    op.create_index("ix_leases_open", "leases", ["state", "expires_at"], unique=False)
    op.create_table(
        "drafts",
        sa.Column("lease", KEY, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.Column("saved_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["lease"], ["leases.id"], name=op.f("fk_drafts_lease")),
        sa.PrimaryKeyConstraint("lease", name=op.f("pk_drafts")),
    )


def _add_judgments() -> None:
    op.create_table(
        "judgments",
        sa.Column("id", KEY, nullable=False),
        sa.Column("receipt", sa.Text(), nullable=False),
        sa.Column("lease", KEY, nullable=False),
        sa.Column("campaign", KEY, nullable=False),
        sa.Column("screen", KEY, nullable=False),
        sa.Column("judge", KEY, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("answer", sa.JSON(), nullable=False),
        sa.Column("comment", sa.Text(), nullable=True),
        sa.Column("surplus", sa.Boolean(), nullable=False),
        sa.Column("supersedes", KEY, nullable=True),
        sa.Column("shown_at", sa.BigInteger(), nullable=False),
        sa.Column("received_at", sa.BigInteger(), nullable=False),
        sa.Column("active_ms", sa.BigInteger(), nullable=False),
        sa.Column("details", sa.JSON(), nullable=False),
        sa.CheckConstraint("kind IN ('answer', 'skip')", name=op.f("ck_judgments_kind")),
        sa.ForeignKeyConstraint(["campaign"], ["campaigns.id"], name=op.f("fk_judgments_campaign")),
        sa.ForeignKeyConstraint(["judge"], ["judges.id"], name=op.f("fk_judgments_judge")),
        sa.ForeignKeyConstraint(["lease"], ["leases.id"], name=op.f("fk_judgments_lease")),
        sa.ForeignKeyConstraint(["screen"], ["screens.id"], name=op.f("fk_judgments_screen")),
        sa.ForeignKeyConstraint(
            ["supersedes"], ["judgments.id"], name=op.f("fk_judgments_supersedes")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_judgments")),
        sa.UniqueConstraint("lease", name=op.f("uq_judgments_lease")),
        sa.UniqueConstraint("receipt", name=op.f("uq_judgments_receipt")),
        sa.UniqueConstraint("supersedes", name=op.f("uq_judgments_supersedes")),
    )
    op.create_index("ix_judgments_campaign", "judgments", ["campaign", "id"], unique=False)
    op.create_index("ix_judgments_judge", "judgments", ["judge", "id"], unique=False)
    op.create_index("ix_judgments_screen", "judgments", ["screen"], unique=False)
