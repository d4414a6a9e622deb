"""The application: ``create_app(store, settings)`` puts the parts together and holds no state."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from fastapi import Depends, FastAPI
from starlette.staticfiles import StaticFiles
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from rankwise import __version__
from rankwise.server.web.bodies import Bodies
from rankwise.server.web.deps import csrf_checked
from rankwise.server.web.errors import add_error_handlers
from rankwise.server.web.health import Health
from rankwise.server.web.health import router as health_router
from rankwise.server.web.limits import Attempts
from rankwise.server.web.pages import STATIC, SafeJSON
from rankwise.server.web.security import Guard
from rankwise.server.web.settings import Settings

#: The routers with pages and the judge's JSON, in this order; only ``api`` is in the OpenAPI file.
ROUTERS = ("auth", "account", "judge", "manage", "dashboard", "api_docs", "api")


def create_app(store: Any, settings: Settings) -> FastAPI:
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
    app.state.health = Health(None if store is None else store.database.path)
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
    app.include_router(health_router)
    for name in ROUTERS:
        module = f"rankwise.server.web.{name}"
        if find_spec(module) is None:
            continue
        app.include_router(
            import_module(module).router,
            dependencies=[Depends(csrf_checked)],
            include_in_schema=name == "api",
        )
    app.mount("/static", StaticFiles(directory=STATIC), name="static")


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    if not app.state.settings.refresher:
        yield
        return
    from rankwise.server.web.computing import Computing
    from rankwise.server.web.refresher import Refresher

    settings = app.state.settings
    computing = Computing(settings.url) if settings.url else None
    app.state.refresher = Refresher(app.state.store, settings, app.state.health, computing)
    app.state.refresher.start()
    try:
        yield
    finally:
        app.state.refresher.stop()
