"""Whatever a program or a page sends: an answer that the OpenAPI file allows, never a 500.

Schemathesis makes the requests from the OpenAPI file, fitting ones and others.
"""

import os
import warnings

import pytest
from fastapi import FastAPI
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from rankwise.server.web.api import campaign_routes
from rankwise.server.web.judge import judge_pages
from web_client import BROWSER, csrf_of

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import schemathesis
    from schemathesis.checks import not_a_server_error
    from schemathesis.specs.openapi.checks import (
        content_type_conformance,
        response_schema_conformance,
        status_code_conformance,
    )

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
#: Requests of each operation; ``scripts/check-slow api`` asks for more.
REQUESTS = int(os.environ.get("RANKWISE_REQUESTS", "30"))
FEW = settings(
    max_examples=REQUESTS,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],  # making a failure smaller may take minutes
    suppress_health_check=list(HealthCheck),
)


class Target:
    """The application that gets the requests; which one is known when a test runs."""

    app = None

    async def __call__(self, scope, receive, send):
        await self.app(scope, receive, send)


TARGET = Target()


def operations(app):
    """Every operation of an application by its name."""
    schema = schemathesis.openapi.from_dict(app.openapi())
    schema.app = TARGET
    found = [result.ok() for result in schema.get_all_operations()]
    return {operation.label: operation for operation in found}


def only(router):
    app = FastAPI()
    app.include_router(router)
    return app


API = operations(only(campaign_routes.router))
JUDGE = operations(only(judge_pages.router))
#: Not JSON: pages, and the way out.
PAGES = (
    "GET /judge",
    "GET /judge/pairs",
    "POST /judge/consent",
    "POST /judge/instructions",
    "POST /judge/pairs/{number}",
    "POST /judge/questions",
    "POST /judge/sign-out",
)


@pytest.mark.parametrize("label", sorted(API))
def test_the_api_keeps_its_word(world, label):
    operation = API[label]
    TARGET.app = world.app
    slug = world.campaigns["second"].slug

    @FEW
    @given(case=operation.as_strategy(), is_known=st.booleans())
    def run(case, is_known):
        if is_known and "slug" in (case.path_parameters or {}):
            case.path_parameters["slug"] = slug
        scope = "export" if "export" in label or "judgments" in label else "read"
        if case.method != "GET" or label.endswith("/campaigns/{slug}/events"):
            scope = "manage"
        headers = {"Authorization": f"Bearer {world.tokens[scope]}"}
        answer = case.call(headers=headers)
        assert answer.status_code not in (401, 403), answer.text
        case.validate_response(answer, checks=CHECKS)
        if answer.status_code >= 400:
            assert set(answer.json()["error"]) == {"code", "message", "request"}

    run()


@pytest.mark.parametrize("label", sorted(set(JUDGE) - set(PAGES)))
def test_the_judges_routes_never_fail(world, label):
    operation = JUDGE[label]
    TARGET.app = world.app
    client = world.clients["judge of first"]
    token = csrf_of(client.get("/judge", headers=BROWSER).text)
    headers = {"x-csrf-token": token}
    cookies = {"rankwise_judge": client.cookies["rankwise_judge"]}
    task = client.post("/judge/next", json={"new_sitting": True}, headers=headers).json()["task"]

    @FEW
    @given(case=operation.as_strategy(), is_known=st.booleans())
    def run(case, is_known):
        if is_known and "token" in (case.path_parameters or {}):
            case.path_parameters["token"] = task["token"]
        answer = case.call(headers=headers, cookies=cookies)
        assert answer.status_code < 500, answer.text
        assert answer.headers["content-type"][0].startswith("application/json")
        if answer.status_code >= 400 and case.method != "HEAD":
            assert set(answer.json()["error"]) == {"code", "message", "request"}
        for system in ("oaktree", "pinewood", "larchfield"):
            assert system not in answer.text

    run()
