"""A judge who talks JSON to the application in this process."""

from typing import Any

from web_client import come_in, session_csrf


class JudgeClient:
    """Requests with the session's token; every answer is JSON."""

    def __init__(self, app: Any, link: str) -> None:
        self.http = come_in(app, link)
        self.csrf = session_csrf(self.http, "/judge")

    def send(self, method: str, path: str, body: Any = None) -> Any:
        headers = {"x-csrf-token": self.csrf, "sec-fetch-site": "same-origin"}
        return self.http.request(method, path, json=body, headers=headers)

    def next(self, **body: Any) -> dict[str, Any]:
        return self.send("POST", "/judge/next", body).json()

    def answer(self, token: str, ranks: list[int], **more: Any) -> Any:
        body = {"answer": {"ranks": ranks}, "active_ms": 5, **more}
        return self.send("POST", f"/judge/tasks/{token}/answer", body)
