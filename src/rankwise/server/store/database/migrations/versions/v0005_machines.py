"""Judges are people or machines; those that were there before are people."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """One more column."""
    column = sa.Column("kind", sa.Text(), nullable=False, server_default="person")
    op.add_column("judges", column)


def downgrade() -> None:
    """Nothing goes back."""
    raise NotImplementedError("restore a backup instead")
