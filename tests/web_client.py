"""A client that talks to the application in this process, as a browser would."""

import re
import warnings
from typing import Any

with warnings.catch_warnings():  # Starlette would rather have httpx2, which few have installed
    warnings.simplefilter("ignore")
    from starlette.testclient import TestClient

BROWSER = {"accept": "text/html", "sec-fetch-site": "same-origin"}


def browser(app: Any, **options: Any) -> TestClient:
    """A client without a session; redirects are not followed, a server error is a response."""
    options = {"follow_redirects": False, "raise_server_exceptions": False, **options}
    return TestClient(app, **options)


def csrf_of(page: str) -> str:
    """The token that the forms and scripts of a page send."""
    return re.search(r'name="rankwise-csrf" content="([^"]+)"', page)[1]


def post(client: TestClient, path: str, fields: dict[str, Any] | None = None) -> Any:
    """Open the page at *path* and send its form."""
    token = csrf_of(client.get(path, headers=BROWSER).text)
    return client.post(path, data={"csrf": token, **(fields or {})}, headers=BROWSER)


def come_in(app: Any, link: str, *, reads: bool = True) -> TestClient:
    """A client signed in by the link of a judge or viewer (a path such as ``/j/…``).

    A judge *reads* the instructions, unless something else comes before them.
    """
    client = browser(app)
    answer = post(client, link)
    assert answer.status_code == 303, answer.text
    if reads and link.startswith("/j/"):
        read_instructions(client)
    return client


def read_instructions(client: TestClient) -> None:
    """Press the button below the instructions, if the judge's page shows them."""
    page = client.get("/judge", headers=BROWSER).text
    if 'action="/judge/instructions"' in page:
        version = re.search(r'name="version" value="(\w+)"', page)[1]
        form = {"csrf": csrf_of(page), "version": version}
        client.post("/judge/instructions", data=form, headers=BROWSER)


def session_csrf(client: TestClient, page: str) -> str:
    """The CSRF token of a signed-in client, from the page at that path."""
    return csrf_of(client.get(page, headers=BROWSER).text)
