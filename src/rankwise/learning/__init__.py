"""Metrics learned from human rankings: features here, learners beside them.

The folder is a noun because ``rankwise.learn`` is a function.

What the parts ask of each other:

*Features* (:class:`~rankwise.learning.features.Features`) have ``features``, their named and
documented columns; ``names``; ``signature``, all that decides their values; and
``values(hypotheses, references, groups=None)``, float64 of shape (n, k): a row per translation, in
order, finite, the same on any number of threads. *hypotheses* are the outputs of all systems one
after the other, *references* has an entry for each (a str, or a list of them), and *groups* says
which outputs are ranked together; only intra-set features (``name@best``, ``@rank``, ``@z``) look
at it, and a set with any of them refuses to do without. So a learner sees numbers, never text::

    table = features.values(hypotheses, references, groups)     # (n, k)
    difference = table[better] - table[worse]                   # pairs index rows

A metric that scores one output alone must be learned from a set without intra-set features
(``len(features.features) == len(features.own)``).

A :class:`~rankwise.learning.features.FeatureSet` has two more things for scoring:
``rows(hypotheses, references)``, a row per *reference* of the features of its own, so that the best
of several references may be decided by the score instead of by ``merit``; and
``perfect(references)``, the features of every reference taken as its own translation, by which a
score can be made 1 for a perfect output. ``feature_set("beer:language=de")`` makes one by name; its
``signature`` parses back, with every option that was left open filled in, and is what a model file
should keep. Metrics become features in ``evaluate.metric_learning``, and tables are kept on disk
by ``rankwise.io.learned``: both above or beside this stage, which knows neither.

:class:`~rankwise.learning.published.LinearModel` scores with the weights of others: those of BEER
1.0 and 1.1 (``beer_1_model``) and of BEER 2.0 (``beer_2_model``).
"""

from typing import TYPE_CHECKING

from rankwise._lazy import lazy_names

if TYPE_CHECKING:
    from rankwise.learning.features import FEATURE_SETS as FEATURE_SETS
    from rankwise.learning.features import Features as Features
    from rankwise.learning.features import FeatureSet as FeatureSet
    from rankwise.learning.features import feature_set as feature_set
    from rankwise.learning.published import LinearModel as LinearModel
    from rankwise.learning.published import beer_1_model as beer_1_model
    from rankwise.learning.published import beer_2_model as beer_2_model
else:
    __getattr__, __dir__ = lazy_names(__name__)
