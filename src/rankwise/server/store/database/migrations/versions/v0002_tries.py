"""Failed tries to get in, counted for all workers; when leases were looked at last."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

# SQLite numbers rows by itself only for INTEGER; 2^63 fits there too
KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Two more tables."""
    op.create_table(
        "tries",
        sa.Column("id", KEY, nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tries")),
    )
    op.create_index("ix_tries_key", "tries", ["key", "at"], unique=False)
    op.create_index("ix_tries_at", "tries", ["at"], unique=False)
    marks = op.create_table(
        "marks",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_marks")),
    )
    # the row is there from the beginning, so that two workers never both add it
    op.bulk_insert(marks, [{"name": "sweep", "at": 0}])


def downgrade() -> None:
    """Nothing goes back."""
    raise NotImplementedError("restore a backup instead")
