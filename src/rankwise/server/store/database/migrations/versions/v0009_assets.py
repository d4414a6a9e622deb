"""Sources may be pictures, sounds and videos."""

import sqlalchemy as sa
from alembic import op

from rankwise.server.store.database.any_text import AnyText

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Three more tables."""
    op.create_table(
        "assets",
        sa.Column("id", KEY, nullable=False),
        sa.Column("campaign", KEY, nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("name", AnyText(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["campaign"], ["campaigns.id"], name=op.f("fk_assets_campaign")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_assets")),
        sa.UniqueConstraint("key", name=op.f("uq_assets_key")),
    )
    op.create_index(op.f("ix_assets_campaign"), "assets", ["campaign"])
    op.create_table(
        "asset_blocks",
        sa.Column("asset", KEY, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["asset"], ["assets.id"], name=op.f("fk_asset_blocks_asset")),
        sa.PrimaryKeyConstraint("asset", "number", name=op.f("pk_asset_blocks")),
    )
    op.create_table(
        "segment_assets",
        sa.Column("segment", KEY, nullable=False),
        sa.Column("asset", KEY, nullable=False),
        sa.Column("words", AnyText(), nullable=False),
        sa.ForeignKeyConstraint(["asset"], ["assets.id"], name=op.f("fk_segment_assets_asset")),
        sa.ForeignKeyConstraint(
            ["segment"], ["segments.id"], name=op.f("fk_segment_assets_segment")
        ),
        sa.PrimaryKeyConstraint("segment", name=op.f("pk_segment_assets")),
    )
    op.create_index(op.f("ix_segment_assets_asset"), "segment_assets", ["asset"])


def downgrade() -> None:
    """Nothing goes back."""
    raise NotImplementedError("restore a backup instead")
