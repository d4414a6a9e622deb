"""Pictures, sounds and videos of a campaign, in the database: whole in every backup and clone."""

import secrets
from collections.abc import Iterator, Mapping
from pathlib import Path

from sqlalchemy import BigInteger, Connection, Select, delete, func, insert, literal, select

from rankwise.errors import DataError
from rankwise.server.campaign.plan.sources.media_files import AssetFile, MediaFiles
from rankwise.server.records import Asset, SegmentAsset
from rankwise.server.store.database import database_tables as tables
from rankwise.server.store.database.database import Database
from rankwise.server.store.database.store_errors import NotFound

#: So many bytes are a row; a request for part of a video reads no more than it needs.
BLOCK = 1 << 16
#: So many rows are read at once.
_ROWS = 16
_ASSETS, _BLOCKS = tables.assets.c, tables.asset_blocks.c


class CampaignAssets:
    """The files themselves, by the key that their addresses have."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, campaign_id: int, key: str) -> Asset:
        """The asset of that key, if it is the campaign's."""
        query = _assets(campaign_id).where(_ASSETS.key == key)
        with self._database.read() as connection:
            row = connection.execute(query).one_or_none()
        if row is None:
            raise NotFound("there is no such file in this campaign")
        return Asset(*row)

    def by_name(self, campaign_id: int) -> Mapping[str, Asset]:
        """All assets of a campaign by what its organiser calls them."""
        with self._database.read() as connection:
            return assets_by_name(connection, campaign_id)

    def content(self, asset: Asset, start: int = 0, end: int | None = None) -> Iterator[bytes]:
        """The bytes from *start* up to *end*; no connection is held while nobody takes them."""
        end = asset.size if end is None else end
        step = BLOCK * _ROWS
        for first in range(start - start % step, end, step):
            piece = self._piece(asset, first // BLOCK)
            yield piece[max(start - first, 0) : end - first]

    def _piece(self, asset: Asset, first: int) -> bytes:
        query = select(_BLOCKS.content).where(
            _BLOCKS.asset == asset.id, _BLOCKS.number >= first, _BLOCKS.number < first + _ROWS
        )
        with self._database.read() as connection:
            rows = connection.execute(query.order_by(_BLOCKS.number))
            return b"".join(bytes(content) for (content,) in rows)


def insert_assets(
    connection: Connection, campaign_id: int, media: MediaFiles, *, first: int = 0
) -> None:
    """Store the files of the segments from place *first* on."""
    if not media:
        return
    sizes = select(func.coalesce(func.sum(_ASSETS.size), 0))
    there = int(connection.execute(sizes.where(_ASSETS.campaign == campaign_id)).scalar_one())
    media.limits.check_campaign(there + media.size)
    numbers = {file: _insert_file(connection, campaign_id, file) for file in media.files}
    segments = _segments(connection, campaign_id)
    rows = [
        {"segment": segments[place], "asset": numbers[row.file], "words": row.words}
        for place, row in enumerate(media.rows, first)
        if row is not None
    ]
    if rows:
        connection.execute(insert(tables.segment_assets), rows)


def _insert_file(connection: Connection, campaign_id: int, file: AssetFile) -> int:
    number = _insert_asset(connection, campaign_id, file.name, file.kind, file.size)
    size = 0
    for place, content in enumerate(_blocks(file.path)):
        row = {"asset": number, "number": place, "content": content}
        connection.execute(insert(tables.asset_blocks), row)
        size += len(content)
    if size != file.size:
        raise DataError(f"{file.name!r} changed while it was read; try again")
    return number


def _insert_asset(connection: Connection, campaign_id: int, name: str, kind: str, size: int) -> int:
    row = {
        "campaign": campaign_id,
        "key": secrets.token_urlsafe(16),
        "name": name,
        "kind": kind,
        "size": size,
    }
    return int(connection.execute(insert(tables.assets).returning(_ASSETS.id), row).scalar_one())


def _blocks(path: Path) -> Iterator[bytes]:
    try:
        with path.open("rb") as stream:
            while content := stream.read(BLOCK):
                yield content
    except OSError as error:
        raise DataError(f"{path.name!r}: {error.strerror or error}") from error


def copy_assets(connection: Connection, campaign_id: int, to: int) -> None:
    """Give the campaign *to*, which has the same segments, the files of another one."""
    numbers = {}
    for asset in [Asset(*row) for row in connection.execute(_assets(campaign_id))]:
        made = _insert_asset(connection, to, asset.name, asset.kind, asset.size)
        numbers[asset.id] = made
        copied = literal(made, BigInteger)
        of = select(copied, _BLOCKS.number, _BLOCKS.content).where(_BLOCKS.asset == asset.id)
        blocks = insert(tables.asset_blocks)
        connection.execute(blocks.from_select(["asset", "number", "content"], of))
    segments = _segments(connection, to)
    rows = [
        {"segment": segments[place], "asset": numbers[one.asset.id], "words": one.words}
        for place, one in assets_by_place(connection, campaign_id).items()
    ]
    if rows:
        connection.execute(insert(tables.segment_assets), rows)


def delete_assets(connection: Connection, campaign_id: int) -> None:
    """Take away all files of a campaign."""
    gone = select(_ASSETS.id).where(_ASSETS.campaign == campaign_id)
    for table in (tables.segment_assets, tables.asset_blocks):
        connection.execute(delete(table).where(table.c.asset.in_(gone)))
    connection.execute(delete(tables.assets).where(_ASSETS.campaign == campaign_id))


def assets_by_place(connection: Connection, campaign_id: int) -> Mapping[int, SegmentAsset]:
    """What segments have, by their places in the test set."""
    segments, rows = tables.segments, tables.segment_assets
    query = (
        _assets(campaign_id)
        .add_columns(rows.c.words, segments.c.position)
        .join(rows, rows.c.asset == _ASSETS.id)
        .join(segments, segments.c.id == rows.c.segment)
        .order_by(segments.c.position)
    )
    return {
        position: SegmentAsset(Asset(*asset), words)
        for *asset, words, position in connection.execute(query)
    }


def assets_by_name(connection: Connection, campaign_id: int) -> Mapping[str, Asset]:
    """What a campaign has, by name; of two of one name the one that was there first."""
    rows = connection.execute(_assets(campaign_id).order_by(_ASSETS.id.desc()))
    return {asset.name: asset for asset in (Asset(*row) for row in rows)}


def _assets(campaign_id: int) -> Select[int, str, str, str, int]:
    columns = select(_ASSETS.id, _ASSETS.key, _ASSETS.name, _ASSETS.kind, _ASSETS.size)
    return columns.where(_ASSETS.campaign == campaign_id).order_by(_ASSETS.id)


def _segments(connection: Connection, campaign_id: int) -> dict[int, int]:
    """The numbers of segments by their places."""
    columns = tables.segments.c
    query = select(columns.position, columns.id).where(columns.campaign == campaign_id)
    return {row.position: row.id for row in connection.execute(query)}
