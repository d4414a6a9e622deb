"""What judges do before work: instructions, questions, tries; links that anybody may open."""

import sqlalchemy as sa
from alembic import op

from rankwise.server.store.database.any_text import AnyText

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

# SQLite numbers rows by itself only for INTEGER; 2^63 fits there too
KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Three more tables, and columns that may be empty."""
    op.add_column("judges", sa.Column("instructions_version", sa.Text()))
    op.add_column("judges", sa.Column("tutorial_failed_at", sa.BigInteger()))
    op.add_column("judges", sa.Column("open_link", KEY))
    op.add_column("identities", sa.Column("parameters", sa.JSON(none_as_null=True)))
    op.create_table(
        "questionnaires",
        sa.Column("judge", KEY, nullable=False),
        sa.Column("answers", sa.JSON(), nullable=False),
        sa.Column("answered_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["judge"], ["judges.id"], name=op.f("fk_questionnaires_judge")),
        sa.PrimaryKeyConstraint("judge", name=op.f("pk_questionnaires")),
    )
    op.create_table(
        "attempts",
        sa.Column("id", KEY, nullable=False),
        sa.Column("lease", KEY, nullable=False),
        sa.Column("answer", sa.JSON(), nullable=False),
        sa.Column("hint", AnyText(), nullable=False),
        sa.Column("active_ms", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["lease"], ["leases.id"], name=op.f("fk_attempts_lease")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_attempts")),
    )
    op.create_index("ix_attempts_lease", "attempts", ["lease"], unique=False)
    op.create_table(
        "open_links",
        sa.Column("id", KEY, nullable=False),
        sa.Column("campaign", KEY, nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("prefix", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("revoked_at", sa.BigInteger()),
        sa.ForeignKeyConstraint(
            ["campaign"], ["campaigns.id"], name=op.f("fk_open_links_campaign")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_open_links")),
        sa.UniqueConstraint("hash", name=op.f("uq_open_links_hash")),
    )


def downgrade() -> None:
    """Nothing goes back."""
    raise NotImplementedError("restore a backup instead")
