"""A picture, sound or video as an answer: whole, or the part that a player asks for.

It may be kept by the browser that got it, which asks each time whether it still may show it.
"""

import re
from typing import Literal

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from rankwise.server.campaign.exchange.media_copies import ENDINGS
from rankwise.server.records import Asset
from rankwise.server.store.campaigns.campaign_assets import CampaignAssets

_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})")


def asset_answer(request: Request, assets: CampaignAssets, asset: Asset) -> Response:
    """The bytes that *request* asks for, as the type that their content is."""
    tag = f'"{asset.key}"'
    headers = {"ETag": tag, "Cache-Control": "private, no-cache", "Accept-Ranges": "bytes"}
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    is_same = request.headers.get("if-range", tag) == tag
    part = asked_part(request.headers.get("range", "") if is_same else "", asset.size)
    if part == "none":
        headers["Content-Range"] = f"bytes */{asset.size}"
        return Response(status_code=416, headers=headers)
    start, end = part or (0, asset.size)
    headers["Content-Length"] = str(end - start)
    if part is not None:
        headers["Content-Range"] = f"bytes {start}-{end - 1}/{asset.size}"
    status = 200 if part is None else 206
    # a backup that somebody else made may say text/html: nothing that a browser would run
    kind = asset.kind if asset.kind in ENDINGS else "application/octet-stream"
    if request.method == "HEAD":
        return Response(status_code=status, headers=headers, media_type=kind)
    content = assets.content(asset, start, end)
    return StreamingResponse(content, status_code=status, headers=headers, media_type=kind)


def asked_part(header: str, size: int) -> tuple[int, int] | Literal["none"] | None:
    """The beginning and the end of the part that a header ``Range`` asks for.

    ``None`` is all of it, also where several parts are asked for; ``"none"`` is a part beyond the
    end.

    >>> asked_part("bytes=2-4", 10), asked_part("bytes=7-", 10), asked_part("bytes=-3", 10)
    ((2, 5), (7, 10), (7, 10))
    >>> asked_part("", 10), asked_part("bytes=0-1,4-5", 10), asked_part("bytes=10-", 10)
    (None, None, 'none')
    """
    found = _RANGE.fullmatch(header.strip())
    if found is None or not any(found.groups()):
        return None
    first, last = found.groups()
    start = int(first) if first else max(0, size - int(last))
    end = min(size, int(last) + 1) if first and last else size
    if first and last and int(last) < start:
        return None  # no range at all, so that all of it is meant
    return (start, end) if start < end else "none"
