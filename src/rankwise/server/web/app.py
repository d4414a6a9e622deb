"""The application: ``create_app(store, settings)`` puts the parts together and holds no state."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import Depends, FastAPI
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from rankwise import __version__
from rankwise.server.background.health import Health
from rankwise.server.settings import Settings
from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.web import health_routes, static_files
from rankwise.server.web.api import campaign_routes, docs_page
from rankwise.server.web.auth import account_page, language_choice, sign_in
from rankwise.server.web.auth.try_limits import Attempts
from rankwise.server.web.bodies import Bodies
from rankwise.server.web.dependencies import csrf_checked
from rankwise.server.web.judge import judge_pages
from rankwise.server.web.manage import campaign_pages, dashboard_pages
from rankwise.server.web.pages import SafeJSON
from rankwise.server.web.refusals import add_error_handlers
from rankwise.server.web.security import Guard

#: What has pages or the judge's JSON, in this order; none of it is in the OpenAPI file.
PAGES = (
    sign_in, language_choice, account_page, judge_pages, campaign_pages, dashboard_pages, docs_page
)  # fmt: skip


def create_app(store: CampaignStore, settings: Settings) -> FastAPI:
    """The application over *store*; it starts the background work when it is served."""
    app = FastAPI(
        title="Rankwise",
        version=__version__,
        summary="Collect human judgments of translations, and rank while they come in.",
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        lifespan=_lifespan,
        default_response_class=SafeJSON,
    )
    app.state.store = store
    app.state.settings = settings
    app.state.health = Health(store.database.path)
    app.state.attempts = Attempts(store)
    add_error_handlers(app)
    _add_middleware(app, settings)
    _add_routes(app)
    return app


def _add_middleware(app: FastAPI, settings: Settings) -> None:
    # the last one added is the first to see a request
    app.add_middleware(Bodies, settings=settings)
    app.add_middleware(Guard, settings=settings)
    if settings.trusted_proxies:
        app.add_middleware(ProxyHeadersMiddleware, trusted_hosts=list(settings.trusted_proxies))


def _add_routes(app: FastAPI) -> None:
    app.include_router(health_routes.router)
    guarded = [Depends(csrf_checked)]
    for page in PAGES:
        app.include_router(page.router, dependencies=guarded, include_in_schema=False)
    app.include_router(campaign_routes.router, dependencies=guarded)
    app.include_router(static_files.router, include_in_schema=False)


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    if not app.state.settings.refresher:
        yield
        return
    from rankwise.server.background.model_process import ModelProcess
    from rankwise.server.background.postman import Postman
    from rankwise.server.background.refresher import STOP_SECONDS, Refresher

    settings = app.state.settings
    models = ModelProcess(settings.url) if settings.url else None
    app.state.refresher = Refresher(app.state.store, settings, app.state.health, models)
    app.state.refresher.start()
    postman = settings.mail and Postman(app.state.store, settings.mail, settings.link)
    if postman is not None:
        postman.start()
    try:
        yield
    finally:
        if postman is not None:
            postman.stop(STOP_SECONDS)
        app.state.refresher.stop()
