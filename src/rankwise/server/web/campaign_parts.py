"""What the organiser's routes share: the campaign of the address, launching, where to go next."""

from pathlib import Path
from typing import Annotated

from fastapi import Depends
from starlette.responses import RedirectResponse

from rankwise.server.campaign.exchange import export
from rankwise.server.campaign.launch.check_list import check
from rankwise.server.campaign.standings.counted import Keep
from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.store.campaigns.campaigns import Campaign
from rankwise.server.store.database.store_errors import NotFound
from rankwise.server.web.dependencies import CurrentAccount, CurrentStore
from rankwise.server.web.refusals import Refusal


def find_campaign(store: CampaignStore, slug: str) -> Campaign:
    """The campaign of that slug, or 404."""
    try:
        return store.campaigns.get(slug)
    except NotFound as error:
        raise Refusal(404, "no_campaign", f"There is no campaign {slug!r}.") from error


def own_campaign(slug: str, store: CurrentStore, account: CurrentAccount) -> Campaign:
    """The same for somebody who organises; nobody else learns whether it exists."""
    del account
    return find_campaign(store, slug)


OwnCampaign = Annotated[Campaign, Depends(own_campaign)]


def refuse_errors(store: CampaignStore, campaign: Campaign) -> None:
    """422 with the first error of the check list, if there is one: it cannot be launched then."""
    found = check(campaign.plan, store.campaigns.testset(campaign.id))
    wrong = [finding.message for finding in found.findings if finding.level == "error"]
    if wrong:
        raise Refusal(422, "not_ready", f"The campaign cannot be launched: {wrong[0]}")


def refuse_another(campaign: Campaign, confirmed: str) -> None:
    """422 unless the name that was confirmed is this campaign's."""
    if confirmed != campaign.slug:
        raise Refusal(422, "not_confirmed", f"Nothing was deleted: confirm by {campaign.slug!r}.")


def write_export(
    store: CampaignStore,
    campaign: Campaign,
    folder: Path,
    *,
    format: str,
    keep: Keep,
    spreadsheet: bool,
) -> export.Exported:
    """Write the judgments of a campaign into *folder*, with all that belongs to the file."""
    return export.write(
        campaign.plan,
        store.campaigns.testset(campaign.id),
        store.log.stored(campaign.id, superseded=True),
        folder / export.file_name(campaign.plan, format, spreadsheet=spreadsheet),
        format=format,
        keep=keep,
        spreadsheet=spreadsheet,
        given=store.campaigns.given(campaign.id),
    )


def back(campaign: Campaign, page: str = "") -> RedirectResponse:
    """To a page of the campaign, after a form did its work."""
    return RedirectResponse(f"/campaigns/{campaign.slug}{page}", 303)
