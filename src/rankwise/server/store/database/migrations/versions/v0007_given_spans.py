"""Outputs may have errors that a machine marked, for judges to correct."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """One more column, empty where nothing was marked."""
    op.add_column("outputs", sa.Column("spans", sa.JSON(), nullable=True))


def downgrade() -> None:
    """Nothing goes back."""
    raise NotImplementedError("restore a backup instead")
