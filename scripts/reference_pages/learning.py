"""The page about learned metrics: what is learned from, and how."""

from rankwise.learning.features import FEATURE_SETS, ToolScores
from rankwise.learning.features.intra_set import KINDS
from rankwise.learning.learners import LEARNERS
from reference_pages.named_things import sections, table

INTRO = """\
<!-- Written by scripts/make_reference.py from the modules of rankwise.learning: change it there. -->

# Features and learners

A learned metric computes numbers about a translation (features) and adds them up with weights that
it learned from judgments (by a learner). [Learn a metric](../how-to/learn-a-metric.md) shows how.

## Feature sets

What `rankwise learn --features` and `rw.learn(features=...)` take: a name with options. Several may
be given. The name of any metric is a feature set too: `chrf` is one column, and so are
`comet:model=FOLDER`, `command:./score.sh` and the metrics of other packages. They are computed in
batches and kept, as `rankwise score` does; those that read the source are given it. A metric that
scores whole documents is refused. Where a column reads more than references, no output is known to
be perfect: the model has an anchor, the margin whose score is one half
([`learned`](metrics.md#learned)).
"""

RELATIVE = """\
### `relative`

Every feature set takes `relative`, kinds of comparison with the other outputs of the same
source, joined by commas (`relative=best,rank`). A kind adds a column for each column of the set:
"""

LEARNERS_INTRO = """\
## Learners

What `rankwise learn --learner` and `rw.learn(learner=...)` take: a name with options.
"""


def page() -> str:
    """Every feature set and every learner."""
    relative = table(["kind", "the value"], [(f"`{kind}`", says) for kind, says in KINDS.items()])
    sets = {**FEATURE_SETS, ToolScores.name: ToolScores}
    parts = [INTRO, sections(sets, depth=3), RELATIVE, relative]
    return "\n".join([*parts, LEARNERS_INTRO, sections(LEARNERS, depth=3, in_order=True)])
