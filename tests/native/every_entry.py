"""Every entry of the native core on arguments that are read from bytes, and a corpus of such bytes.

``python tests/native/every_entry.py SECONDS [SEED]`` damages files of ``corpus/`` and calls every
entry with them: a crash, a sanitizer's report or an error that is not one of ``REFUSALS`` is a
finding. ``scripts/check-slow sanitize`` runs it with AddressSanitizer.
"""

import random
import struct
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from kernels import align_texts, joined_ngrams, meteor_words, soft_matches
from rankwise import _core

CORPUS = Path(__file__).parent / "corpus"
#: What is being tried; after a crash it says how it came about.
LAST = Path(__file__).parents[2] / "build" / "last-entry"
#: What an entry may say to arguments that do not fit together.
REFUSALS = (ValueError, IndexError, OverflowError)
STRANGE = (0.0, -0.0, float("nan"), float("inf"), float("-inf"), 1e300, 5e-324, 1.0, 100.0)
TOKENIZERS = ("none", "13a", "intl", "char", "zh", "zh-sacrebleu")


class Bytes:
    """Bytes that are read as arguments; where they end, they begin again."""

    def __init__(self, content: bytes) -> None:
        self._content, self._place = content or b"\0", 0

    def take(self, count: int) -> bytes:
        """So many bytes."""
        end = self._place + count
        times = end // len(self._content) + 1
        found = (self._content * times)[self._place : end]
        self._place = end % len(self._content)
        return found

    def number(self, low: int, high: int) -> int:
        """A whole number from *low* to *high*."""
        return low + int.from_bytes(self.take(2), "little") % (high - low + 1)

    def is_so(self) -> bool:
        return bool(self.number(0, 1))

    def real(self) -> float:
        """A number, now and then a strange one."""
        kind = self.number(0, 9)
        if kind == 0:
            return STRANGE[self.number(0, len(STRANGE) - 1)]
        if kind == 1:
            return float(struct.unpack("<d", self.take(8))[0])
        return self.number(-500, 500) / 10

    def reals(self, *shape: int) -> np.ndarray:
        return np.array([self.real() for _ in range(int(np.prod(shape)))], float).reshape(shape)

    def whole(self, low: int, high: int, *shape: int, kind: type = np.int64) -> np.ndarray:
        numbers = [self.number(low, high) for _ in range(int(np.prod(shape)))]
        return np.array(numbers, kind).reshape(shape)

    def starts(self, length: int) -> np.ndarray:
        """Where parts of a list begin, and its end."""
        inner = sorted(self.number(0, length) for _ in range(self.number(0, 3)))
        return np.array([0, *inner, length], np.int64)

    def state(self) -> np.ndarray:
        """The state of a random generator; the last number is odd."""
        return np.frombuffer(self.take(32), np.uint64).copy() | np.array([0, 0, 0, 1], np.uint64)

    def text(self) -> str:
        """A text in one of Python's three widths, lone surrogates and all."""
        width, count = self.number(0, 2), self.number(0, 40)
        if width == 0:
            return self.take(count).decode("latin-1")
        if width == 1:
            return "".join(map(chr, np.frombuffer(self.take(2 * count), np.uint16).tolist()))
        units = np.frombuffer(self.take(4 * count), np.uint32) % 0x110000
        return "".join(map(chr, units.tolist()))

    def texts(self, most: int = 4) -> list[str]:
        return [self.text() for _ in range(self.number(1, most))]

    def pairs(self) -> tuple[list[str], list[list[str]]]:
        """Hypotheses, and one or two references of each."""
        found = self.texts()
        return found, [self.texts(2) for _ in found]

    def one_each(self) -> tuple[list[str], list[str]]:
        """Hypotheses with one reference each."""
        found = self.texts()
        return found, [self.text() for _ in found]

    def tokenizer(self) -> str:
        return TOKENIZERS[self.number(0, len(TOKENIZERS) - 1)]


def lists(b: Bytes) -> tuple[np.ndarray, ...]:
    """Gold, scores of two metrics, and where groups of them begin."""
    count = b.number(0, 20)
    return b.reals(count), b.reals(count), b.reals(count), b.starts(count)


def kinds(b: Bytes) -> tuple[int, tuple[np.ndarray, ...], np.ndarray]:
    """How many systems, the kinds of outcome between two of them, and how often each came."""
    systems, count = b.number(2, 6), b.number(1, 8)
    better = b.whole(0, systems - 1, count, kind=np.int32)
    worse = (better + b.whole(1, systems - 1, count, kind=np.int32)) % systems
    columns = better, worse.astype(np.int32), b.whole(0, 1, count, kind=np.uint8)
    return systems, columns, b.whole(0, 5, b.number(1, 3), count)


def setting(b: Bytes, systems: int) -> _core.RatingSetting:
    return _core.RatingSetting(
        systems, 0.0, 1.0 + b.number(0, 5), 0.5, b.number(0, 9) / 10, b.number(0, 1) / 100
    )


def matches(b: Bytes, *, of_one_size: bool = False) -> tuple[int, tuple[np.ndarray, ...]]:
    """How many systems, and matches of different ones: where they begin, who, ranks, groups."""
    systems, count, size = b.number(2, 6), b.number(1, 6), b.number(2, 5)
    players, sizes = [], []
    for _ in range(count):
        order = sorted(range(systems), key=lambda _: b.number(0, 999))
        players += order[: size if of_one_size else b.number(2, 5)]
        sizes.append(len(players) - sum(sizes))
    starts = np.cumsum([0, *sizes])
    ranks = b.whole(1, 4, len(players)).astype(float)
    groups = b.starts(count)
    return systems, (starts, np.array(players, np.int32), ranks, np.unique(groups))


def met(b: Bytes) -> tuple[np.ndarray | int, ...]:
    """Pairs of systems that met, and how often each won in every run."""
    systems, (left, right, _), counts = kinds(b)
    runs = counts.shape[0]
    return left, right, systems, *(b.whole(0, 4, runs, len(left)).astype(float) for _ in range(3))


def candidates(b: Bytes) -> np.ndarray:
    """Matches of words of two texts of twelve words, in the order of the reference."""
    rows = []
    for _ in range(b.number(0, 20)):
        ref, hyp = b.number(0, 9), b.number(0, 9)
        rows.append([ref, b.number(1, 3), hyp, b.number(1, 3), b.number(0, 3)])
    return np.array(sorted(rows), np.int32).reshape(-1, 5)


def permutation(b: Bytes) -> np.ndarray:
    count = b.number(0, 30)
    return np.argsort(b.whole(0, 9, count), kind="stable").astype(np.int32)


def resampled(b: Bytes) -> list[np.ndarray]:
    found = _core.Resampler(b.whole(0, 9999, b.number(1, 20), b.number(1, 5)), b.state())
    return [found.bootstrap(b.number(0, 9)), found.coins(b.number(0, 9))]


def resampled_groups(b: Bytes) -> np.ndarray:
    count, width = b.number(1, 20), b.number(1, 6)
    cells = b.whole(0, width - 1, count, kind=np.int32)
    found = _core.GroupResampler(b.starts(count), cells, width, b.state())
    found.skip(b.number(0, 5))
    return found.bootstrap(b.number(0, 9))


def near(b: Bytes) -> tuple:
    systems, columns, counts = kinds(b)
    base = counts.sum(axis=0, keepdims=True) + 1
    found = _core.NearRatings(*columns, base, setting(b, systems), tolerance=1e-4)
    return found.rate(counts, tolerance=1e-4)


def paraphrases(b: Bytes) -> tuple:
    lines = [b.take(b.number(0, 9)).replace(b"\n", b" ") for _ in range(b.number(0, 3))]
    entries = b"".join(b"0.5\n%b\n%b\n" % (line, b.take(3)) for line in lines)
    table = _core.ParaphraseTable(entries if b.number(0, 4) else b.take(b.number(0, 80)))
    return len(table), table.word_ids(b.texts())


def words_of_pieces(b: Bytes) -> tuple:
    first, pieces, count = b.number(0, 5), b.number(1, 4), b.number(0, 12)
    ids = b.whole(0, first + pieces - 1, count, kind=np.uint32)
    lengths = b.whole(0, 3, pieces)
    words = b.whole(0, 9, int(lengths.sum()), kind=np.uint32)
    return _core.words_of_pieces(ids, b.starts(count), first, words, lengths)


def word_orders(b: Bytes) -> tuple:
    rows = [_core.align_candidates(candidates(b), 12, 12, original=False, beam=40) for _ in "ab"]
    starts = np.cumsum([0, *map(len, rows)])
    return _core.word_orders(np.concatenate(rows), starts, np.array([12, 12]))


def selected(b: Bytes, entry: Callable[..., tuple]) -> tuple:
    systems, columns, counts = kinds(b)
    runs = len(counts)
    common = {"matches": b.number(1, 12), "state": b.state()}
    if entry is _core.trace_selected_pairs:
        told = {"mean": 0.0, "variance": 1.0, "beta": 0.5, "epsilon": 0.1, "tau": 0.0, "run": 0}
        return entry(*columns, counts[:1], systems, **told, **common)
    return entry(*columns, counts, setting(b, systems), first_run=0, runs=runs, **common)


def rated(b: Bytes, entry: Callable[..., tuple], *, of_one_size: bool, **options: object) -> tuple:
    systems, columns = matches(b, of_one_size=of_one_size)
    return entry(*columns, setting(b, systems), state=b.state(), first_run=0, runs=2, **options)


def hopkins_may(b: Bytes) -> tuple:
    systems, columns, counts = kinds(b)
    told = {"deviation": 0.5, "radius": b.number(0, 5) / 10, "iterations": 5, "burn_in": 2}
    return _core.hopkins_may(
        *columns, counts, systems, **told, state=b.state(), first_run=0, runs=len(counts)
    )


def hopkins_may_segments(b: Bytes) -> np.ndarray:
    systems, columns = matches(b)
    told = {"deviation": 0.5, "radius": 0.2, "iterations": 4, "resample": b.is_so()}
    return _core.hopkins_may_segments(
        *columns, systems, **told, state=b.state(), first_run=0, runs=2
    )


def rate_in_order(b: Bytes) -> np.ndarray:
    systems, (starts, players, ranks, _) = matches(b)
    told = {"beta": 0.5, "epsilon": 0.1, "tau": 0.01}
    return _core.rate_matches(b.reals(systems), np.ones(systems), starts, players, ranks, **told)


def rate_pairs(b: Bytes) -> np.ndarray:
    systems, (left, right, _), _ = kinds(b)
    sign = b.whole(-1, 1, len(left), kind=np.int8)
    told = {"beta": 0.5, "epsilon": 0.1, "tau": 0.01}
    return _core.rate_pairs(b.reals(systems), np.ones(systems), left, right, sign, **told)


def coins(b: Bytes, width: int) -> np.ndarray:
    return b.whole(0, 1, b.number(1, 4), width, kind=np.uint8)


def soft_accuracy(b: Bytes) -> np.ndarray:
    systems, cells = b.number(2, 5), b.number(1, 6)
    gold = b.reals(systems * (systems - 1) // 2)
    tables = b.reals(systems, cells), b.reals(systems, cells)
    return _core.exchanged_soft_accuracy(gold, *tables, coins(b, systems * cells))


def requests(b: Bytes) -> tuple[np.ndarray, np.ndarray]:
    """What is to be counted in ranked lists: quantity, ties, order, depth, and a number each."""
    rows = [[b.number(0, most) for most in (5, 3, 4, 6)] for _ in range(b.number(1, 3))]
    return np.array(rows, np.int64), b.whole(0, 2, len(rows)).astype(float)


def with_lists(entry: Callable[..., object]) -> Callable[[Bytes], object]:
    """An entry of gold, two metrics, groups, and what it wants besides."""

    def call(b: Bytes) -> object:
        gold, first, second, starts = lists(b)
        return entry(b, gold, first, second, starts)

    return call


def ter_options(b: Bytes) -> tuple[bool, ...]:
    return tuple(b.is_so() for _ in range(4))


ENTRIES: dict[str, Callable[[Bytes], object]] = {
    "GroupResampler": resampled_groups,
    "NearRatings": near,
    "ParaphraseTable": paraphrases,
    "RatingSetting": lambda b: setting(b, b.number(1, 9)).beta,
    "Resampler": resampled,
    "align_candidates": lambda b: _core.align_candidates(
        candidates(b), 12, 12, original=b.is_so(), beam=b.number(1, 40)
    ),
    "align_texts": lambda b: align_texts(*b.one_each()),
    "are_all_str": lambda b: _core.are_all_str(b.texts()),
    "bleu_pairs": lambda b: _core.bleu_pairs(b.texts(), b.tokenizer(), b.number(1, 6)),
    "bleu_scores": lambda b: _core.bleu_scores(
        b.reals(2), b.reals(2), b.reals(2, 4), b.whole(1, 4, 2), b.is_so()
    ),
    "bleu_statistics": lambda b: _core.bleu_statistics(*b.pairs(), b.tokenizer(), b.number(1, 6)),
    "bleu_totals": lambda b: _core.bleu_totals(*b.pairs(), b.tokenizer(), b.number(1, 6)),
    "chrf_pairs": lambda b: _core.chrf_pairs(b.texts(), b.number(1, 9), b.number(0, 3), b.is_so()),
    "chrf_statistics": lambda b: _core.chrf_statistics(
        *b.pairs(), b.number(1, 9), b.number(0, 3), b.is_so()
    ),
    "chrf_totals": lambda b: _core.chrf_totals(
        *b.one_each(), b.number(1, 9), b.number(0, 3), b.is_so()
    ),
    "edit_counts": lambda b: _core.edit_counts(*b.pairs(), b.number(0, 2)),
    "edit_distances": lambda b: _core.edit_distances(*b.pairs(), b.number(0, 2)),
    "edit_operations": lambda b: _core.edit_operations(*b.pairs(), b.number(0, 2)),
    "edit_totals": lambda b: _core.edit_totals(*b.pairs(), b.number(0, 2)),
    "exchanged": with_lists(
        lambda b, gold, first, second, starts: _core.exchanged(
            ("pearson", "tau-b", "accuracy")[b.number(0, 2)],
            *(gold, first, second, starts, coins(b, len(gold))),
        )
    ),
    "exchanged_calibration": with_lists(
        lambda b, gold, first, second, starts: _core.exchanged_calibration(
            gold, first, second, starts, b.whole(0, 3, len(starts) - 1), coins(b, len(gold))
        )
    ),
    "exchanged_soft_accuracy": soft_accuracy,
    "finite_estimates": lambda b: _core.finite_estimates(*met(b)),
    "flat_lists": lambda b: _core.flat_lists([b.reals(b.number(0, 4)).tolist() for _ in "abc"]),
    "hopkins_may": hopkins_may,
    "hopkins_may_segments": hopkins_may_segments,
    "joined_groups": lambda b: _core.joined_groups(*met(b)[:3]),
    "joined_ngrams": lambda b: joined_ngrams(*b.one_each()),
    "letter_counts": lambda b: _core.letter_counts(*b.pairs(), b.number(1, 9)),
    "lifted_counts": lambda b: _core.lifted_counts(
        b.whole(-99, 99, b.number(1, 4), b.number(1, 4), b.number(1, 4)), b.number(0, 9)
    ),
    "lower_case": lambda b: _core.lower_case(b.texts()),
    "main_groups": lambda b: _core.main_groups(*met(b)),
    "meteor_words": lambda b: meteor_words(
        *b.pairs(), apostrophes=b.number(0, 2), punctuation=b.is_so(), normalise=b.is_so()
    ),
    "most_likely_strengths": lambda b: _core.most_likely_strengths(
        *(found := met(b)),
        ("davidson", "rao-kupper")[b.number(0, 1)],
        np.zeros(int(found[2]) + 1),
    ),
    "normalise_ranks": with_lists(
        lambda b, gold, *rest: _core.normalise_ranks(rest[-1], gold, b.number(0, 3))
    ),
    "overlap_statistics": lambda b: _core.overlap_statistics(*b.pairs(), b.tokenizer()),
    "pair_counts": with_lists(
        lambda _b, gold, one, _, starts: _core.pair_counts(gold, one, starts)
    ),
    "pair_counts_by": with_lists(
        lambda b, gold, first, _, starts: _core.pair_counts_by(
            gold, first, starts, b.real(), b.is_so(), b.real()
        )
    ),
    "permutation_counts": lambda b: _core.permutation_counts(
        *((found := permutation(b)), np.array([0, len(found)]))
    ),
    "permutation_steps": lambda b: _core.permutation_steps(permutation(b)),
    "piece_counts": lambda b: _core.piece_counts(*b.pairs()),
    "ranked_list_rows": with_lists(
        lambda b, gold, first, _, starts: _core.ranked_list_rows(starts, first, gold, *requests(b))
    ),
    "rate_all_matches": lambda b: rated(
        b, _core.rate_all_matches, of_one_size=False, tolerance=1e-4, resample=b.is_so()
    ),
    "rate_all_pairs": lambda b: _core.rate_all_pairs(
        *(found := kinds(b))[1], found[2], setting(b, found[0]), tolerance=1e-4
    ),
    "rate_drawn_matches": lambda b: rated(
        b, _core.rate_drawn_matches, of_one_size=False, matches=b.number(1, 9)
    ),
    "rate_matches": rate_in_order,
    "rate_pairs": rate_pairs,
    "rate_selected_matches": lambda b: rated(
        b, _core.rate_selected_matches, of_one_size=True, matches=b.number(1, 9), resample=b.is_so()
    ),
    "rate_selected_pairs": lambda b: selected(b, _core.rate_selected_pairs),
    "soft_matches": lambda b: soft_matches(*b.one_each()),
    "split_words": lambda b: _core.split_words(*b.pairs()),
    "ter_counts": lambda b: _core.ter_counts(*b.pairs(), *ter_options(b)),
    "ter_operations": lambda b: _core.ter_operations(*b.pairs(), *ter_options(b)),
    "ter_totals": lambda b: _core.ter_totals(*b.pairs(), *ter_options(b)),
    "tercom_tokens": lambda b: _core.tercom_tokens(b.texts(), *ter_options(b)),
    "thread_count": lambda b: _core.thread_count(),
    "tie_calibration": with_lists(
        lambda b, gold, first, _, starts: _core.tie_calibration(
            gold, first, starts, b.whole(0, 3, len(starts) - 1), b.number(1, 500)
        )
    ),
    "tokenise": lambda b: _core.tokenise(b.texts(), b.tokenizer()),
    "trace_selected_pairs": lambda b: selected(b, _core.trace_selected_pairs),
    "truncated": lambda b: _core.truncated(b.reals(5), b.reals(5), b.is_so()),
    "utf8_lines": lambda b: _core.utf8_lines(b.take(b.number(0, 200))),
    "word_orders": word_orders,
    "words_of_pieces": words_of_pieces,
}


def corpus() -> list[bytes]:
    """The kept inputs, by name."""
    return [path.read_bytes() for path in sorted(CORPUS.glob("*.bin"))]


def outcome(name: str, content: bytes) -> object:
    """What an entry gives, or the refusal."""
    try:
        return ENTRIES[name](Bytes(content))
    except REFUSALS as error:
        return type(error)


def damaged(content: bytes, draw: random.Random) -> bytes:
    """*content* with some bytes changed, left out or doubled."""
    made = bytearray(content)
    for _ in range(draw.choice((1, 2, 5))):
        begin = draw.randrange(len(made) + 1)
        end = begin + draw.choice((0, 1, 4, 16))
        choice = draw.randrange(3)
        if choice == 0:
            made[begin:end] = draw.randbytes(draw.choice((1, 2, 8)))
        elif choice == 1:
            del made[begin:end]
        else:
            made[begin:begin] = made[begin:end]
    return bytes(made)


def fuzz(seconds: float, seed: int) -> int:
    """How many calls were made until the time was up."""
    LAST.parent.mkdir(exist_ok=True)
    draw, kept, calls = random.Random(seed), corpus(), 0
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        content = damaged(draw.choice(kept), draw)
        for name in ENTRIES:
            LAST.write_bytes(name.encode() + b"\n" + content)
            outcome(name, content)
            calls += 1
    return calls


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[1:]] or [60]
    seed = given[1] if len(given) > 1 else time.time_ns() % 1_000_000
    print(f"seed {seed}", flush=True)
    print(f"{fuzz(given[0], seed):,} calls of {len(ENTRIES)} entries, no finding")
