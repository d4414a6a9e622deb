"""Scores of a metric that are attached to a campaign."""

import sqlalchemy as sa
from alembic import op

from rankwise.server.store.database.any_text import AnyText

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """One more table."""
    op.create_table(
        "attached_scores",
        sa.Column("campaign", KEY, nullable=False),
        sa.Column("name", AnyText(), nullable=False),
        sa.Column("systems", sa.JSON(), nullable=False),
        sa.Column("segments", sa.JSON(), nullable=False),
        sa.Column("scores", sa.JSON(), nullable=False),
        sa.Column("attached_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign"], ["campaigns.id"], name=op.f("fk_attached_scores_campaign")
        ),
        sa.PrimaryKeyConstraint("campaign", name=op.f("pk_attached_scores")),
    )


def downgrade() -> None:
    """Nothing goes back."""
    raise NotImplementedError("restore a backup instead")
