"""A store with two campaigns and somebody of every kind, and clients that are signed in."""

import pytest

from rankwise.server.settings import Settings
from rankwise.server.web.app import create_app
from web_client import browser, come_in, post
from web_world import PASSWORD, World, open_store, small_plan, small_testset


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    store = open_store(tmp_path_factory.mktemp("world"))
    made = World(store, create_app(store, Settings(refresher=False)))
    for name in ("first", "second"):
        campaign = store.campaigns.add(small_plan(name), small_testset(), actor="test")
        made.campaigns[name] = store.campaigns.set_state(campaign.slug, "open", actor="test")
        made.judges[name], token = store.judges.invite(campaign.id, name="Ann", actor="test")
        made.links[name] = f"/j/{token}"
        made.clients[f"judge of {name}"] = come_in(made.app, f"/j/{token}")
        viewer = f"/v/{store.accounts.add_viewer(campaign.id)}"
        made.clients[f"viewer of {name}"] = come_in(made.app, viewer)
    made.clients["anonymous"] = browser(made.app)
    for role in ("owner", "organiser"):
        number, token = store.accounts.create(role, role, "test")
        client = browser(made.app)
        answer = post(client, f"/setup/{token}", {"password": PASSWORD, "again": PASSWORD})
        assert answer.status_code == 303, answer.text
        made.clients[role] = client
        if role == "organiser":
            for scope in ("read", "export", "manage"):
                made.tokens[scope] = store.accounts.add_token(number, scope, [scope])
    yield made
    store.database.close()


@pytest.fixture
def store(tmp_path):
    opened = open_store(tmp_path)
    yield opened
    opened.database.close()


@pytest.fixture
def app(store):
    return create_app(store, Settings(refresher=False))


@pytest.fixture
def owner(app, store):
    _, token = store.accounts.create("owner", "owner", "test")
    client = browser(app)
    post(client, f"/setup/{token}", {"password": PASSWORD, "again": PASSWORD})
    return client
