"""Chat completions: the request that asks a question, and what an answer to it means."""

import hashlib
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from email.utils import parsedate_to_datetime
from typing import Any, Literal

from rankwise.errors import DataError
from rankwise.judging.endpoint.endpoint_settings import Endpoint
from rankwise.judging.endpoint.http_exchange import HttpAnswer, NoHttpAnswer, post

AnswerFormat = Literal["schema", "object", "text"]
#: How the shape of an answer is asked for: by its schema, as any JSON object, or in words alone.
ANSWER_FORMATS: tuple[AnswerFormat, ...] = ("schema", "object", "text")

_QUOTA = ("insufficient_quota", "billing_hard_limit_reached", "billing_not_active")
_FILTERED = ("content_filter", "content_policy_violation", "responsibleaipolicyviolation")
#: Statuses that pass: timeouts, conflicts, limits, and troubles of the server.
_PASSING = frozenset({408, 409, 425, 429, *range(500, 600)})
_LONGEST_REASON = 200


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """What is posted for a question.

    ``key`` names the request by its content: model, messages, shape of the answer, settings, and
    which repeat and which try it is; never the endpoint or its key.
    """

    body: Mapping[str, Any]
    repeat: int = 0
    attempt: int = 0
    key: str = field(init=False)

    def __post_init__(self) -> None:
        named = {"body": self.body, "repeat": self.repeat, "attempt": self.attempt}
        text = json.dumps(named, ensure_ascii=False, sort_keys=True)
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        object.__setattr__(self, "key", digest[:32])

    @property
    def size(self) -> int:
        """The bytes of the messages, which tokens are estimated from."""
        messages = self.body["messages"]
        return sum(len(one["content"].encode("utf-8", "surrogatepass")) for one in messages)


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model wrote, why it ended, and what it cost; ``None`` where the endpoint is silent."""

    text: str
    refused: bool = False
    cut: bool = False
    model: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None


class CallFailed(Exception):  # noqa: N818 - it reads as what it says
    """A request without a reply.

    ``passes`` where it may help to try again, after ``wait`` seconds where the endpoint says so;
    ``stops`` where no other request would fare better; ``unreached`` where nobody listens.
    """

    def __init__(
        self,
        reason: str,
        *,
        passes: bool = False,
        stops: bool = False,
        unreached: bool = False,
        wait: float | None = None,
    ) -> None:
        super().__init__(reason)
        self.passes, self.stops, self.unreached, self.wait = passes, stops, unreached, wait


def ask_once(endpoint: Endpoint, request: ChatRequest) -> Reply:
    """The reply to one request, or why there is none."""
    body = json.dumps(request.body, ensure_ascii=True).encode("ascii")
    try:
        answer = post(
            endpoint.address,
            endpoint.headers,
            body,
            timeout=endpoint.timeout,
            through_proxy=not endpoint.is_local,
        )
    except NoHttpAnswer as error:
        raise CallFailed(
            endpoint.without_key(str(error)),
            passes=not error.is_final,
            stops=error.is_final,
            unreached=error.unreached,
        ) from None
    return reply_of(answer, endpoint)


def reply_of(answer: HttpAnswer, endpoint: Endpoint) -> Reply:
    """What an answer over HTTP means."""
    content = _json(answer.body)
    error = content.get("error") if isinstance(content, dict) else None
    if answer.status == 200 and not error:
        if content is None:
            raise _no_json(answer)
        return _completion(content, endpoint)
    answer = replace(answer, status=_status(answer, error))
    marks = _marks(content)
    if marks & set(_FILTERED):
        return Reply("", refused=True)
    raise _failure(answer, marks, _reason(answer, content, endpoint))


def _status(answer: HttpAnswer, error: Any) -> int:
    """The status; of an error that came with 200, the one that it names, or a server's trouble."""
    if answer.status != 200:
        return answer.status
    code = error.get("code") if isinstance(error, dict) else None
    return code if isinstance(code, int) and 400 <= code < 600 else 500


def _completion(content: Any, endpoint: Endpoint) -> Reply:
    try:
        choice = content["choices"][0]
        message = choice["message"]
        text, refusal = _text(message.get("content")), message.get("refusal")
    except (KeyError, IndexError, TypeError, AttributeError):
        raise CallFailed("its answer is no chat completion", passes=True) from None
    usage = content.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    ended, model = choice.get("finish_reason"), content.get("model")
    return Reply(
        endpoint.without_key(text or (refusal if isinstance(refusal, str) else "")),
        refused=bool(refusal) or ended == "content_filter",
        cut=ended == "length",
        model=endpoint.without_key(model) if isinstance(model, str) else "",
        tokens_in=_count(usage.get("prompt_tokens")),
        tokens_out=_count(usage.get("completion_tokens")),
    )


def _no_json(answer: HttpAnswer) -> CallFailed:
    """What came in place of JSON, by how it begins; parts of a stream will not become whole."""
    head = answer.body[:200].lstrip()
    if head.startswith((b"data:", b"event:", b":")):
        return CallFailed("it streams its answer in parts; have it send one whole", stops=True)
    if head.startswith(b"<"):
        return CallFailed("it answers with an HTML page, no chat completion", passes=True)
    return CallFailed("its answer is no chat completion", passes=True)


def _text(content: Any) -> str:
    """The words of a message: text, or parts of which some are text."""
    if isinstance(content, list):
        return "".join(p["text"] for p in content if isinstance(p.get("text"), str))
    return content if isinstance(content, str) else ""


def _count(value: Any) -> int | None:
    is_count = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    return value if is_count else None


def _failure(answer: HttpAnswer, marks: set[str], reason: str) -> CallFailed:
    status = answer.status
    if status == 402 or marks & set(_QUOTA):
        return CallFailed(f"the account is out of quota ({reason})", stops=True)
    if 300 <= status < 400:
        return CallFailed(
            f"it redirects ({status}), and the key goes nowhere else; give the right address",
            stops=True,
        )
    if status in (401, 403):
        return CallFailed(f"it does not accept the key ({reason})", stops=True)
    if status in (404, 405):
        return CallFailed(f"there is no such address or model ({reason})", stops=True)
    if status in _PASSING:
        return CallFailed(reason, passes=True, wait=_wait(answer.headers))
    return CallFailed(reason)


def _json(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def _marks(content: Any) -> set[str]:
    """The words by which an error names itself."""
    error = content.get("error", content) if isinstance(content, dict) else None
    if not isinstance(error, dict):
        return set()
    inner = error.get("innererror")
    named = [error.get("code"), error.get("type")]
    named += [inner.get("code")] if isinstance(inner, dict) else []
    return {mark.lower() for mark in named if isinstance(mark, str)}


def _reason(answer: HttpAnswer, content: Any, endpoint: Endpoint) -> str:
    """The status and what the endpoint says about it, in one short line without the key."""
    error = content.get("error", content) if isinstance(content, dict) else content
    said = error
    if isinstance(error, dict):
        said = error.get("message") or error.get("detail") or error.get("code")
    if not isinstance(said, str):
        head = answer.body[:200].lstrip()
        said = "an HTML page" if head.startswith(b"<") else "without a word"
    said = endpoint.without_key(said)  # before it is cut, which might leave a part of the key
    line = " ".join("".join(c if c.isprintable() else " " for c in said).split())
    short = line if len(line) <= _LONGEST_REASON else f"{line[:_LONGEST_REASON]}..."
    return f"{answer.status}: {short}"


def _wait(headers: Mapping[str, str]) -> float | None:
    """The seconds that ``Retry-After`` asks for, given as such or as a date."""
    said = next((value for name, value in headers.items() if name.lower() == "retry-after"), None)
    if said is None:
        return None
    try:
        seconds = float(said)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(said).timestamp() - time.time()
        except (ValueError, OverflowError):
            return None
    return min(max(0.0, seconds), 1e9) if seconds == seconds else None


def answer_shape(kind: AnswerFormat, name: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    """The field ``response_format`` of a request; nothing where words alone ask for the shape."""
    if kind not in ANSWER_FORMATS:
        raise DataError(f"unknown answer format {kind!r}; choose from {', '.join(ANSWER_FORMATS)}")
    if kind == "text":
        return {}
    if kind == "object":
        return {"response_format": {"type": "json_object"}}
    shape = {"name": name.replace("-", "_"), "strict": True, "schema": dict(schema)}
    return {"response_format": {"type": "json_schema", "json_schema": shape}}
