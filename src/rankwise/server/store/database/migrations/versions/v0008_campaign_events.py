"""An event holds many campaigns; whoever judges in some of them has one link."""

import sqlalchemy as sa
from alembic import op

from rankwise.server.store.database.any_text import AnyText

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Four more tables."""
    op.create_table(
        "campaign_events",
        sa.Column("id", KEY, nullable=False),
        sa.Column("slug", sa.Text(), nullable=False),
        sa.Column("name", AnyText(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_campaign_events")),
        sa.UniqueConstraint("slug", name=op.f("uq_campaign_events_slug")),
    )
    op.create_table(
        "event_campaigns",
        sa.Column("campaign", KEY, nullable=False),
        sa.Column("event", KEY, nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign"], ["campaigns.id"], name=op.f("fk_event_campaigns_campaign")
        ),
        sa.ForeignKeyConstraint(
            ["event"], ["campaign_events.id"], name=op.f("fk_event_campaigns_event")
        ),
        sa.PrimaryKeyConstraint("campaign", name=op.f("pk_event_campaigns")),
    )
    op.create_index(op.f("ix_event_campaigns_event"), "event_campaigns", ["event"])
    op.create_table(
        "event_people",
        sa.Column("id", KEY, nullable=False),
        sa.Column("event", KEY, nullable=False),
        sa.Column("link_hash", sa.Text(), nullable=False),
        sa.Column("link_prefix", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("revoked_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["event"], ["campaign_events.id"], name=op.f("fk_event_people_event")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_event_people")),
        sa.UniqueConstraint("link_hash", name=op.f("uq_event_people_link_hash")),
    )
    op.create_index(op.f("ix_event_people_event"), "event_people", ["event"])
    op.create_table(
        "event_judges",
        sa.Column("judge", KEY, nullable=False),
        sa.Column("person", KEY, nullable=False),
        sa.ForeignKeyConstraint(["judge"], ["judges.id"], name=op.f("fk_event_judges_judge")),
        sa.ForeignKeyConstraint(
            ["person"], ["event_people.id"], name=op.f("fk_event_judges_person")
        ),
        sa.PrimaryKeyConstraint("judge", name=op.f("pk_event_judges")),
    )
    op.create_index(op.f("ix_event_judges_person"), "event_judges", ["person"])


def downgrade() -> None:
    """Nothing goes back."""
    raise NotImplementedError("restore a backup instead")
