"""Models that were published: the weights of BEER 1.0, 1.1 and 2.0, from files the user has.

Nothing here reads files: ``rankwise.metrics.stored_models`` does, and these take what it read.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from rankwise.errors import DataError
from rankwise.learning.features.beer_1_1 import Beer11
from rankwise.learning.features.beer_2_0 import Beer20
from rankwise.learning.features.feature_class import FeatureSet, Floats
from rankwise.learning.features.matched import LANGUAGES
from rankwise.learning.scorers import checked_numbers, is_number
from rankwise.text.segments import References, Texts, check_texts, reference_starts

#: The files of a BEER 2.0 model that :func:`beer_2_model` needs.
BEER_2_FILES = ("core_model", "feature_names_mapping", "feature_values_scaling", "output_scaling")

# Parts of the names of models, in the order in which BEER runs the matchers: not METEOR's.
_MATCHERS = {"exact": "exact", "stem": "stem", "para": "paraphrase", "syn": "synonym"}


@dataclass(frozen=True)
class LinearModel:
    r"""A weighted sum of features, and how it becomes a score.

    ``weights`` has a number for every feature of the set's own. ``shape`` is ``logistic``,
    P = 1 / (1 + exp(-m)) of the margin m; ``relative``, 2 P of the margin of the features minus
    those of the reference taken as its own translation, which makes a perfect one 1 (some others
    may exceed it); or ``linear``, a + b m, cut to [0, 1]. Of several references the best counts.
    """

    name: str
    features: FeatureSet
    weights: Floats
    intercept: float = 0.0
    shape: str = "logistic"
    line: tuple[float, float] = (0.0, 1.0)

    def margins(self, hypotheses: Texts, references: References) -> Floats:
        """The weighted sum of every reference of every segment, in order."""
        check_texts(hypotheses, references)
        rows = self.features.rows(hypotheses, references)
        if self.shape == "relative":
            rows = rows - self._perfect_rows(references)
        return np.asarray((rows * self.weights).sum(axis=1) + self.intercept)

    def segments(self, hypotheses: Texts, references: References) -> Floats:
        """The score of every segment."""
        margins = self.margins(hypotheses, references)
        if self.shape == "linear":
            scores = np.clip(self.line[0] + self.line[1] * margins, 0.0, 1.0)
        else:
            scores = (1 + (self.shape == "relative")) / (1 + np.exp(-margins))
        return np.maximum.reduceat(scores, reference_starts(references)[:-1])

    def _perfect_rows(self, references: References) -> Floats:
        """Of every reference; systems share references, so each is worked out once."""
        texts = [t for entry in references for t in ([entry] if isinstance(entry, str) else entry)]
        places: dict[str, int] = {}
        at = [places.setdefault(text, len(places)) for text in texts]
        return self.features.perfect(list(places))[at]


# -- BEER 1.0 and 1.1 ------------------------------------------------------------------------------


def beer_1_model(
    document: Mapping[str, Any], name: str, *, source: str = "weights", **options: Any
) -> LinearModel:
    """The model *name* of a document of Weka's logistic weights.

    The document has ``models``, each with ``intercept_negative_class`` and
    ``coef_negative_class``, weights by the names of features; they are those of the class "worse",
    so the signs are turned. A name says what the model needs, as in
    ``beer_1.1/en_func_exact_stem_weka``: language English, words matched exactly and by stem.
    *options* are options of the feature set ``beer-1.1``, and come before what the name says;
    *source* is how errors call the document.
    """
    models = document.get("models")
    if not isinstance(models, Mapping) or name not in models:
        known = ", ".join(models) if isinstance(models, Mapping) and models else "none"
        raise DataError(f"{source}: there is no model {name!r}; choose from {known}")
    entry = models[name]
    weights = entry.get("coef_negative_class") if isinstance(entry, Mapping) else None
    if not isinstance(weights, Mapping):
        raise DataError(f"{source}: model {name!r} has no 'coef_negative_class'; expected weights")
    features = Beer11(**{**_needs(name), **options})
    unknown = sorted(set(weights) - set(features.names))
    if unknown:
        raise DataError(
            f"{source}: model {name!r} has a weight for {unknown[0]!r}, which {features} does not "
            f"compute ({len(unknown)} such in all); expected only features of that set"
        )
    numbers = {key: -_number(value, key, name, source) for key, value in weights.items()}
    intercept = _number(entry.get("intercept_negative_class", 0.0), "the intercept", name, source)
    return LinearModel(
        name,
        features,
        np.array([numbers.get(feature, 0.0) for feature in features.names]),
        -intercept,
        "relative" if name.startswith("beer_1.1/") else "logistic",
    )


def _needs(name: str) -> dict[str, Any]:
    """The language and the matchers that the name of a model tells, in the order BEER runs them.

    >>> _needs("beer_1.1/tuning_en_func_exact_para_stem_syn_weka")
    {'language': 'en', 'modules': 'exact,stem,paraphrase,synonym'}
    """
    parts = name.rpartition("/")[2].removeprefix("tuning_").split("_")
    return {
        "language": parts[0] if parts[0] in LANGUAGES else "other",
        "modules": ",".join(name for part, name in _MATCHERS.items() if part in parts) or "exact",
    }


def _number(value: Any, what: str, name: str, source: str) -> float:
    if not is_number(value):
        raise DataError(
            f"{source}: {what!r} of model {name!r} is {value!r:.40}; expected a finite number"
        )
    return float(value)


# -- BEER 2.0 --------------------------------------------------------------------------------------


def beer_2_model(files: Mapping[str, str], *, name: str = "beer-2.0") -> LinearModel:
    """The model in the files of a folder of BEER 2.0, given as their texts by name.

    ``core_model`` has liblinear's weights, ``feature_names_mapping`` the names of the features,
    ``feature_values_scaling`` their smallest and largest values, ``output_scaling`` the line from
    margins to scores in percent. Models with a kernel of a higher degree are not supported.
    """
    weights = _liblinear_weights(files, "core_model", name)
    lines = files["feature_names_mapping"].splitlines()
    names = [line.partition(" ")[2] for line in lines if line]
    scaling = [line.split() for line in files["feature_values_scaling"].splitlines() if line]
    if not len(names) == len(weights) == len(scaling):
        raise DataError(
            f"{name}: {len(weights)} weights, {len(names)} names and {len(scaling)} scales of "
            "features; expected as many of each (a kernel of degree 1)"
        )
    features = Beer20()
    if sorted(names) != sorted(features.names):
        odd = sorted(set(names) ^ set(features.names))
        raise DataError(f"{name}: feature {odd[0]!r} is not in both; expected those of beer-2.0")
    low, high = _numbers(scaling, (len(names), 2), f"{name}/feature_values_scaling").T
    if not (high > low).all():
        flat = names[int(np.flatnonzero(high <= low)[0])]
        raise DataError(f"{name}: the scale of feature {flat!r} does not rise; expected LOW HIGH")
    scaled = weights / (high - low)
    order = [names.index(feature) for feature in features.names]
    line = _liblinear_weights(files, "output_scaling", name) / 100
    if len(line) != 2:
        raise DataError(f"{name}/output_scaling: found {len(line)} numbers; expected 2 of a line")
    first, second = line.tolist()
    return LinearModel(
        name, features, scaled[order], float(-(scaled * low).sum()), "linear", (first, second)
    )


def _liblinear_weights(files: Mapping[str, str], file: str, name: str) -> Floats:
    _, found, numbers = files[file].partition("\nw\n")
    if not found:
        raise DataError(f"{name}/{file}: there is no line 'w'; expected a model of liblinear")
    words = numbers.split()
    return _numbers([words], (1, len(words)), f"{name}/{file}").ravel()


def _numbers(cells: list[list[str]], shape: tuple[int, int], source: str) -> Floats:
    """Words of a file as finite numbers."""
    try:
        return checked_numbers([[float(cell) for cell in row] for row in cells], shape, "lines")
    except (ValueError, DataError) as error:
        raise DataError(f"{source}: {error}; expected numbers") from error
