"""Links that were just made: shown this once, to copy or to keep as a table."""

import base64
import csv
from collections.abc import Mapping, Sequence
from io import StringIO

from fastapi import Request
from starlette.responses import Response

from rankwise.server.campaign.exchange.spreadsheets import guarded
from rankwise.server.store.campaigns.campaigns import Campaign
from rankwise.server.web.pages import render


def links_page(
    request: Request,
    campaign: Campaign,
    links: Sequence[Mapping[str, str | None]],
    *,
    is_machine: bool = False,
    untaken: Sequence[str] = (),
) -> Response:
    """The page with *links*; the table is in the page itself, because only hashes are kept.

    That of a machine says how it is put to work; that of another tool's campaign what was not
    taken over of it.
    """
    sheet = encoded_sheet(links)
    words: dict[str, object] = {"campaign": campaign, "links": links, "sheet": sheet}
    words["is_personal"] = all("judge" in link for link in links)
    words["is_machine"], words["untaken"] = is_machine, untaken
    return render(request, "manage/links.html", words)


def encoded_sheet(links: Sequence[Mapping[str, str | None]]) -> str:
    """The table of *links* as it stands in an address of the kind ``data:``."""
    return base64.b64encode(links_sheet(links).encode()).decode("ascii")


def links_sheet(links: Sequence[Mapping[str, str | None]]) -> str:
    """The columns of ``rankwise campaign invite`` as CSV, safe in a spreadsheet."""
    out = StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(("judge", "name", "email", "link"))
    for link in links:
        name = link["person"] if "judge" in link else link["name"]
        cells = (link.get("judge"), name, link.get("email"), link["link"])
        writer.writerow([guarded(cell or "") for cell in cells])
    return out.getvalue()
