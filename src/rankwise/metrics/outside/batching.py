"""How batches are computed: by length, each distinct text once, and never twice if kept."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError
from rankwise.metrics.outside.text_batch import Passage, TextItem, quoted

#: Scores of some items; it may run out of memory.
ScoreItems = Callable[[Sequence[TextItem]], NDArray[np.float64]]
#: Called with the name of the metric, how many distinct texts are done, and of how many.
OnBatch = Callable[[str, int, int], object]


class KeptScores(Protocol):
    """What keeps scores from one run to the next."""

    def found(self, model: str, keys: Sequence[bytes]) -> Mapping[bytes, float]:
        """The scores that are kept under *keys*, of those that are."""
        ...

    def keep(self, model: str, scores: Mapping[bytes, float]) -> None:
        """Keep scores, each under its key."""
        ...

    def opened(self) -> AbstractContextManager["KeptScores"]:
        """The same for as long as the work on some texts lasts."""
        ...


@dataclass(frozen=True, slots=True)
class Batching:
    """How many segments make a batch, what keeps scores, and who is told of progress.

    ``size`` is the metric's own where it is None. What is sent to another process does not tell.
    """

    size: int | None = None
    kept: KeptScores | None = None
    on_batch: OnBatch | None = None

    def __post_init__(self) -> None:
        if self.size is not None and self.size < 1:
            raise DataError(f"a batch of {self.size} segments; expected at least 1")

    def __reduce__(self) -> tuple[Any, ...]:
        return Batching, (self.size, self.kept)


@dataclass(frozen=True, slots=True)
class BatchWork:
    """The work of one metric: how items are scored, how many at once, and as what they are kept.

    ``model`` names all that decides a score but the texts; without it nothing is kept.
    """

    name: str
    score: ScoreItems
    size: int
    model: str | None
    is_out_of_memory: Callable[[BaseException], bool]

    def scores(self, passages: Sequence[Passage], batching: Batching) -> dict[Passage, Any]:
        """The scores of every distinct passage, an array each.

        Long ones come first, so that memory runs out early if it does; then batches are halved.
        Scores are kept after every batch, so that whoever is interrupted goes on from there.
        """
        if batching.kept is None or self.model is None:
            return self._scores(passages, batching)
        with batching.kept.opened() as kept:
            return self._scores(passages, replace(batching, kept=kept))

    def _scores(self, passages: Sequence[Passage], batching: Batching) -> dict[Passage, Any]:
        distinct = sorted(dict.fromkeys(passages), key=_length, reverse=True)
        done = self._kept(distinct, batching)
        left = [passage for passage in distinct if passage not in done]
        total, size = len(distinct), batching.size or self.size
        if batching.on_batch is not None and left:
            batching.on_batch(self.name, len(done), total)
        start = 0
        while start < len(left):
            batch = _next_batch(left, start, size)
            items = [item for passage in batch for item in passage]
            try:
                values = self._checked(items)
            except Exception as error:
                if not self.is_out_of_memory(error):
                    raise
                size = self._halved(batch, items, error)
                continue
            start += len(batch)
            done |= dict(_parted(batch, values))
            self._keep(batch, done, batching)
            if batching.on_batch is not None:
                batching.on_batch(self.name, len(done), total)
        return done

    def _checked(self, items: Sequence[TextItem]) -> NDArray[np.float64]:
        """The scores of items, as many finite numbers."""
        values = np.asarray(self.score(items), np.float64)
        if values.shape != (len(items),):
            raise DataError(
                f"{self.name}: gave scores of shape {values.shape} for {len(items)} outputs; "
                "expected one for each"
            )
        wrong = np.flatnonzero(~np.isfinite(values))
        if len(wrong):
            text = items[int(wrong[0])].output
            raise DataError(f"{self.name}: gave {values[wrong[0]]} for the output {quoted(text)}")
        return values

    def _halved(self, batch: Sequence[Passage], items: Sequence[TextItem], error: Exception) -> int:
        if len(batch) == 1:
            count = sum(item.length for item in items)
            raise MemoryError(f"{self.name}: for a text of {count} characters alone") from error
        return max(1, len(items) // 2)

    def _kept(self, passages: Sequence[Passage], batching: Batching) -> dict[Passage, Any]:
        if batching.kept is None or self.model is None:
            return {}
        keys = {passage: _keys(passage) for passage in passages}
        wanted = [key for some in keys.values() for key in some]
        found = batching.kept.found(self.model, wanted)
        return {
            passage: np.array([found[key] for key in some])
            for passage, some in keys.items()
            if all(key in found for key in some)
        }

    def _keep(
        self, batch: Sequence[Passage], done: Mapping[Passage, Any], batching: Batching
    ) -> None:
        if batching.kept is None or self.model is None:
            return
        scores = {
            key: float(score)
            for passage in batch
            for key, score in zip(_keys(passage), done[passage], strict=True)
        }
        batching.kept.keep(self.model, scores)


def runs_out_of_memory(error: BaseException) -> bool:
    """Whether an error says that memory, of the machine or of its GPU, is used up."""
    said = str(error).lower()
    return (
        isinstance(error, MemoryError)
        or type(error).__name__ == "OutOfMemoryError"
        or "out of memory" in said
        or "failed to allocate memory" in said
    )


def _length(passage: Passage) -> int:
    return sum(item.length for item in passage)


def _next_batch(passages: Sequence[Passage], start: int, size: int) -> list[Passage]:
    """The passages from *start* on that have *size* items together, and at least one passage."""
    batch: list[Passage] = []
    count = 0
    for passage in passages[start : start + size]:
        if batch and count + len(passage) > size:
            break
        batch.append(passage)
        count += len(passage)
    return batch


def _parted(
    batch: Sequence[Passage], values: NDArray[np.float64]
) -> Iterator[tuple[Passage, NDArray[np.float64]]]:
    start = 0
    for passage in batch:
        yield passage, values[start : start + len(passage)]
        start += len(passage)


def _keys(passage: Passage) -> list[bytes]:
    """A key for every item of a passage: the hash of all its texts, and its place."""
    digest = hashlib.sha256()
    for item in passage:
        texts = (item.output, item.source, item.document, *item.references)
        digest.update(b"[%d" % len(texts))
        for text in texts:
            encoded = text.encode("utf-8", "surrogatepass")
            digest.update(b"%d:" % len(encoded))
            digest.update(encoded)
    if len(passage) == 1:
        return [digest.digest()[:20]]
    return [digest.digest()[:16] + place.to_bytes(4, "big") for place in range(len(passage))]
