"""Models from where they are stored: those that ship, or a file or folder of the user's.

Like ``rankwise.text.resources`` this reads files outside ``io``, for the same reason: a metric is
built from its name alone (``learned:model=PATH``), and a model is data of the metric.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from rankwise.errors import DataError
from rankwise.learning.features import Features, FeatureSet
from rankwise.learning.features.columns import Joined
from rankwise.learning.features.feature_class import Floats
from rankwise.learning.features.matched import MatchedFeatures
from rankwise.learning.learned_model import LearnedModel
from rankwise.learning.published import BEER_2_FILES, beer_1_model, beer_2_model
from rankwise.learning.text_scorer import TextScorer
from rankwise.metrics.features import features, programs_of
from rankwise.metrics.metric_class import Metric
from rankwise.text.segments import References, Texts

# Trees of 400 rounds make a megabyte; a disk image should not fill the memory.
_LARGEST_FILE = 64 << 20

# Options of metrics that are options of their model's features.
_FEATURE_OPTIONS = ("language", "resources", "wordnet")


class TextModel(Protocol):
    """What scores outputs against references."""

    def segments(self, hypotheses: Texts, references: References) -> Floats:
        """The score of every output."""
        ...


class StoredModel(NamedTuple):
    """A model, the first 12 digits of the SHA-256 of its text, and what messages call it."""

    model: TextModel
    digest: str
    called: str


def model_options(metric: Metric) -> dict[str, str]:
    """The options of *metric* that take the place of its model's own, where they are given."""
    found = {name: getattr(metric, name) for name in _FEATURE_OPTIONS}
    return {name: value for name, value in found.items() if value is not None}


def shipped_model(name: str, options: Mapping[str, str]) -> StoredModel:
    """The model *name* of ``metrics/models``, with *options* in place of its own."""
    file = files("rankwise.metrics").joinpath("models", f"{name}.json")
    text, called = file.read_text(encoding="utf-8"), f"the model {name!r} that ships"
    return StoredModel(_learned(text, called, options), _digest(text), called)


def model_there(path: str, options: Mapping[str, str], *, programs: bool = False) -> StoredModel:
    """The model in a file of ours, with *options* in place of its own.

    One whose features start programs is refused unless *programs* are allowed: the file may be
    somebody else's.
    """
    text = _read(Path(path))
    found = _learned(text, path, options)
    started = programs_of(found.features)
    if started and not programs:
        raise DataError(
            f"{path}: its features start the program {started[0]!r}; expected "
            f"learned:model={path}:programs=true, if you trust it"
        )
    return StoredModel(found, _digest(text), path)


def beer_1_weights(path: str, version: str, options: Mapping[str, str]) -> StoredModel:
    """The model of BEER 1.0 or 1.1 that *path* names, ``FILE#NAME``."""
    file, hash_sign, short = path.rpartition("#")
    text = _read(Path(file if hash_sign else path))
    document, prefix = _document(text, file or path), f"beer_{version}/"
    models = document.get("models")
    known = [name for name in models if name.startswith(prefix)] if isinstance(models, dict) else []
    name = prefix + short
    if not hash_sign or name not in known:
        listed = ", ".join(found.removeprefix(prefix) for found in known) or "none"
        raise DataError(
            f"{path}: names no model of BEER {version}; expected FILE#NAME with one of {listed}"
        )
    return StoredModel(
        beer_1_model(document, name, source=file, **options), _digest(text + name), path
    )


def beer_2_folder(path: str, options: Mapping[str, str]) -> StoredModel:
    """The model in a folder of BEER 2.0, which has no options."""
    if options:
        raise DataError(f"{path}: BEER 2.0 does not have {_named(options)}")
    texts = {name: _read(Path(path) / name) for name in BEER_2_FILES}
    return StoredModel(beer_2_model(texts, name=path), _digest("\0".join(texts.values())), path)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _learned(text: str, source: str, options: Mapping[str, str]) -> TextScorer:
    if '"coef_negative_class"' in text:
        raise DataError(
            f"{source}: holds weights of BEER 1.0 or 1.1; expected "
            f"beer:version=1.1:model={source}#NAME"
        )
    model = LearnedModel.from_json(text, name=source)
    try:
        found = features(_moved(model.features, options))
        return TextScorer(model, _with_options(found, options))
    except DataError as error:
        raise type(error)(f"{source}: {error}") from error


def _moved(name: str, options: Mapping[str, str]) -> str:
    """The features with other folders, which theirs need not exist for."""
    from urllib.parse import quote  # slow to import, seldom needed

    for option in ("resources", "wordnet"):
        if option in options:
            parts = re.split(rf":{option}=[^:]*?(?=:| \+ |$)", name)
            name = f":{option}={quote(options[option])}".join(parts)
    return name


def _with_options(found: Features, options: Mapping[str, str]) -> Features:
    """The features with other options, say for another language; it must have their matchers."""
    if not options:
        return found
    parts = found.sets if isinstance(found, Joined) else (found,)
    if not any(isinstance(part, MatchedFeatures) for part in parts):
        raise DataError(f"no feature has {_named(options)}")
    changed = tuple(_part_with_options(part, options) for part in parts)
    return Joined(changed) if isinstance(found, Joined) else changed[0]


def _part_with_options(part: Any, options: Mapping[str, str]) -> FeatureSet:
    if not isinstance(part, MatchedFeatures):
        return part  # type: ignore[no-any-return]
    changed: dict[str, Any] = {**options}
    if "language" in options:
        changed["normalize"] = None  # as usual for that language
    return replace(part, **changed)


def _named(options: Mapping[str, str]) -> str:
    """The first option, which a model does not have, as part of a sentence."""
    option, value = next(iter(options.items()))
    return f"the option {option!r}; expected none, got {value!r}"


def _read(path: Path) -> str:
    try:
        with path.open("rb") as stream:
            found = stream.read(_LARGEST_FILE + 1)
        text = found.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: not a model: no valid UTF-8: {error}") from error
    except (OSError, ValueError) as error:  # a ValueError is about a path with a zero byte
        reason = getattr(error, "strerror", None) or error
        raise DataError(f"{path}: cannot be read: {reason}; expected a model") from error
    if len(found) > _LARGEST_FILE:
        most = f"{_LARGEST_FILE >> 20} megabytes"
        raise DataError(f"{path}: not a model: over {most}; expected a JSON text of less")
    return text


def _document(text: str, source: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DataError(f"{source}: not a model: {error}") from error
    if not isinstance(found, dict):
        raise DataError(f"{source}: not a model: found a {type(found).__name__}, expected {{...}}")
    return found
