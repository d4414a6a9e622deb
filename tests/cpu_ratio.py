"""How much more CPU time one thing takes than another, in the same run."""

import time


def ratio(one, other, *, repeats=5):
    """How many times the CPU of *other* does *one* take? The least of each, taken in turns."""
    times = [[], []]
    for _ in range(repeats):
        for found, task in zip(times, (one, other), strict=True):
            start = time.process_time()
            task()
            found.append(time.process_time() - start)
    return min(times[0]) / min(times[1])
