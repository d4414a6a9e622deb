"""What asking may cost, in requests and money; what is on its way counts before it is back."""

import threading
from dataclasses import dataclass

from rankwise.errors import DataError
from rankwise.judging.endpoint.chat_exchange import ChatRequest, Reply

#: Tokens in a byte of UTF-8 before any reply told better: texts of most languages have fewer.
TOKENS_PER_BYTE = 0.4
#: Tokens of an answer that nothing bounds, for what it may cost.
LONGEST_ANSWER_TOKENS = 4096
_MILLION = 1e6


@dataclass(frozen=True, slots=True)
class Prices:
    """Money for a million tokens read, and for a million written."""

    tokens_in: float
    tokens_out: float

    def __post_init__(self) -> None:
        if not (0 <= self.tokens_in < 1e9 and 0 <= self.tokens_out < 1e9):
            raise DataError("prices must be 0 or more, for a million tokens")

    def of(self, tokens_in: float, tokens_out: float) -> float:
        """What so many tokens cost.

        >>> Prices(2.5, 10).of(1_000_000, 100_000)
        3.5
        """
        return (self.tokens_in * tokens_in + self.tokens_out * tokens_out) / _MILLION


@dataclass(slots=True)
class Spent:
    """What was used: requests, tokens, and how many replies did not say how many tokens."""

    requests: int = 0
    tokens_in: float = 0
    tokens_out: float = 0
    unsaid: int = 0


class Budget:
    """The limits of a run and what is left of them; threads share it."""

    def __init__(
        self,
        max_requests: int | None = None,
        max_cost: float | None = None,
        prices: Prices | None = None,
    ) -> None:
        if max_cost is not None and prices is None:
            raise DataError("a limit on the cost needs the prices of tokens")
        self.max_requests, self.max_cost, self.prices = max_requests, max_cost, prices
        self.spent = Spent()
        self._reserved = 0.0
        self._bytes, self._tokens = 0, 0
        self._refusal = ""
        self._lock = threading.Lock()

    def has_ended(self, stopped: str) -> bool:
        """Whether what *stopped* a run was a limit of this budget; a higher one lets it go on."""
        return bool(stopped) and stopped == self._refusal

    @property
    def cost(self) -> float | None:
        """The money spent; None without prices."""
        if self.prices is None:
            return None
        return self.prices.of(self.spent.tokens_in, self.spent.tokens_out)

    def estimated_tokens(self, request: ChatRequest) -> float:
        """The tokens of a request, by its bytes and by what replies said of others."""
        share = self._tokens / self._bytes if self._bytes else TOKENS_PER_BYTE
        return request.size * share

    def most(self, request: ChatRequest) -> float:
        """What a request costs at most: an answer as long as it may be."""
        if self.prices is None:
            return 0.0
        bounds = (request.body.get(name) for name in ("max_tokens", "max_completion_tokens"))
        longest = next((bound for bound in bounds if bound), LONGEST_ANSWER_TOKENS)
        return self.prices.of(self.estimated_tokens(request), longest)

    def reserve(self, request: ChatRequest) -> str | None:
        """Count a request and set aside what it may cost; or say which limit does not allow it."""
        with self._lock:
            if refusal := self._no_request_left():
                return refusal
            if self.max_cost is not None:
                most = (self.cost or 0.0) + self._reserved + self.most(request)
                if most > self.max_cost:
                    self._refusal = (
                        f"the next request might cost more than is left of {self.max_cost:g}"
                    )
                    return self._refusal
            self._reserved += self.most(request)
            self.spent.requests += 1
            return None

    def count_retry(self) -> str | None:
        """Count a request that goes out once more; or say that the limit does not allow it."""
        with self._lock:
            if refusal := self._no_request_left():
                return refusal
            self.spent.requests += 1
            return None

    def give_back(self) -> None:
        """Take back a request that was counted and never went out."""
        with self._lock:
            self.spent.requests -= 1

    def _no_request_left(self) -> str | None:
        if self.max_requests is None or self.spent.requests < self.max_requests:
            return None
        self._refusal = f"the limit of {self.max_requests} requests is reached"
        return self._refusal

    def settle(self, request: ChatRequest, reserved: float, reply: Reply | None) -> None:
        """Count what a reply really cost in place of what was set aside for it."""
        with self._lock:
            self._reserved = max(0.0, self._reserved - reserved)
            if reply is not None:
                self._count(request, reply)

    def count_kept(self, request: ChatRequest, reply: Reply, tries: int) -> None:
        """Count a reply that an earlier run paid for."""
        with self._lock:
            self.spent.requests += tries
            self._count(request, reply)

    def _count(self, request: ChatRequest, reply: Reply) -> None:
        tokens_in, tokens_out = reply.tokens_in, reply.tokens_out
        if tokens_in is None or tokens_out is None:
            self.spent.unsaid += 1
            tokens_in = round(self.estimated_tokens(request))
            tokens_out = round(len(reply.text.encode("utf-8", "replace")) * TOKENS_PER_BYTE)
        else:
            self._bytes += request.size
            self._tokens += tokens_in
        self.spent.tokens_in += tokens_in
        self.spent.tokens_out += tokens_out
