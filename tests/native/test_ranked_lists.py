"""What the kernels of ranked lists refuse, and that strange lists do them no harm."""

import threading
import time

import numpy as np
import pytest

from rankwise import _core
from rankwise.agreement import RankedLists, Tau

STARTS = np.array([0, 2, 3], np.int64)
RANKS = np.array([1.0, 2.0, 1.0])
CODES, VALUES = np.array([[0, 0, 0, 0]], np.int64), np.zeros(1)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"starts": np.array([1, 3])}, "starts of lists"),
        ({"starts": np.array([0, 2, 1, 3])}, "starts of lists"),
        ({"starts": np.array([0, 4])}, "starts of lists"),
        ({"starts": np.empty(0, np.int64)}, "starts of lists"),
        ({"gold": np.zeros(2)}, "columns differ"),
        ({"codes": np.array([[9, 0, 0, 0]])}, "unknown quantity"),
        ({"codes": np.array([[0, 4, 0, 0]])}, "unknown normalisation"),
        ({"codes": np.array([[0, 0, -1, 0]])}, "unknown order"),
        ({"codes": np.array([[0, 0, 0]])}, "four codes and a value"),
        ({"values": np.zeros(2)}, "four codes and a value"),
        ({"codes": np.array([[2, 0, 0, 0]]), "values": np.array([7.0])}, "unknown gain"),
        ({"codes": np.array([[2, 0, 0, 0]]), "values": np.array([np.nan])}, "unknown gain"),
    ],
)
def test_wrong_arguments_are_refused(change, message):
    arguments = {"starts": STARTS, "predicted": RANKS, "gold": RANKS}
    arguments |= {"codes": CODES, "values": VALUES} | change
    with pytest.raises(ValueError, match=message):
        _core.ranked_list_rows(**arguments)


def test_normalising_refuses_too():
    with pytest.raises(ValueError, match="unknown normalisation"):
        _core.normalise_ranks(STARTS, RANKS, 4)
    with pytest.raises(ValueError, match="starts of lists"):
        _core.normalise_ranks(np.array([0, 5]), RANKS, 0)


def test_lists_of_all_lengths_together_give_what_they_give_alone():
    """Memory is used again from list to list: nothing of the list before may show."""
    random = np.random.default_rng(2)
    lists = [
        random.choice([1, 2, 3, 4.5, np.inf, -np.inf, np.nan], size)
        for size in (0, 1, 70, 2, 16, 17, 5, 33, 32, 5, 200, 3, 0, 4)
    ]
    gold = [random.permutation(ranks) for ranks in lists]
    codes = np.array([[q, t, o, 3] for q in range(6) for t in range(4) for o in range(5)])
    values = np.zeros(len(codes))

    def rows(predicted, gold):
        both = RankedLists.of(predicted, gold)
        return _core.ranked_list_rows(both.starts, both.predicted, both.gold, codes, values)

    alone = np.concatenate([rows([p], [g]) for p, g in zip(lists, gold, strict=True)])
    np.testing.assert_array_equal(alone, rows(lists, gold))


def test_a_number_that_changes_its_list_does_no_harm():
    class Mischief:
        def __init__(self):
            self.list = [self, 2, 3]

        def __float__(self):
            self.list.clear()
            return 1.0

    starts, numbers = _core.flat_lists([Mischief().list, [5]])
    assert starts.tolist() == [[0, 1, 2]]
    assert numbers.tolist() == [[1.0, 5.0]]


def ticks_while_counted(lists):
    """How often another thread runs while these are counted."""
    ticks, done = [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    begin = time.monotonic()
    Tau().statistics(lists)
    end = time.monotonic()
    done.set()
    thread.join()
    return sum(begin < t < end for t in ticks)


def test_the_interpreter_goes_on_while_lists_are_counted():
    """A busy machine may keep the other thread waiting: one good call of several is enough."""
    lists = RankedLists.of(*(np.random.default_rng(s).random((2000, 400)) for s in (1, 2)))
    assert any(ticks_while_counted(lists) >= 2 for _ in range(20))
