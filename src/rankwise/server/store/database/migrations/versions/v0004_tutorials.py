"""A tutorial that was failed may be begun again: from which lease on its items count."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """One more column; 0 is from the beginning."""
    column = sa.Column("tutorial_from", sa.BigInteger(), nullable=False, server_default="0")
    op.add_column("judges", column)


def downgrade() -> None:
    """Nothing goes back."""
    raise NotImplementedError("restore a backup instead")
