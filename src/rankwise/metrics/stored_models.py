"""Learned models from where they are stored: the one that ships, or a file or folder of the user's.

Like ``rankwise.text.resources`` this reads files outside ``io``, for the same reason: a metric is
built from its name alone (``beer:model=PATH``), and a model is data of the metric.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any, Protocol

from rankwise.errors import DataError
from rankwise.learning.features import Features, FeatureSet
from rankwise.learning.features.columns import Joined
from rankwise.learning.features.feature_class import Floats
from rankwise.learning.features.matched import MatchedFeatures
from rankwise.learning.learned_model import LearnedModel
from rankwise.learning.published import BEER_2_FILES, beer_1_model, beer_2_model
from rankwise.learning.text_scorer import TextScorer
from rankwise.metrics.features import features
from rankwise.text.segments import References, Texts

#: The models that ship with the package, in ``metrics/models``; the first is the default.
SHIPPED = ("close", "beer", "soft")
#: The one that knows languages: the default where a language is named.
_WITH_LANGUAGES = "beer"


# Trees of 400 rounds make a megabyte; a disk image should not fill the memory.
_LARGEST_FILE = 64 << 20


class TextModel(Protocol):
    """What scores outputs against references."""

    def segments(self, hypotheses: Texts, references: References) -> Floats:
        """The score of every output."""
        ...


def stored_model(path: str | None, options: Mapping[str, str]) -> tuple[TextModel, str]:
    """The model at *path* and the first 12 digits of its SHA-256.

    A model that ships goes by its name: ``close``, the default, ``beer`` or ``soft``. Of these only
    ``beer`` knows languages, so that it is the default where a language is named.
    A file is a model of ours, or with ``#NAME`` behind its path a document of the weights of BEER
    1.0 or 1.1; a folder is a model of BEER 2.0. *options* of matched features (``language``,
    ``resources``, ``wordnet``) take the place of the model's own.
    """
    if path is None:
        path = _WITH_LANGUAGES if "language" in options else SHIPPED[0]
    if path in SHIPPED:
        return _shipped(path, options)
    if Path(path).is_dir():
        return _beer_2(Path(path), options)
    file, _, name = path.rpartition("#") if "#" in path else (path, "", "")
    text = _read(Path(file))
    digest = hashlib.sha256(f"{text}{name}".encode()).hexdigest()[:12]
    if name:
        return beer_1_model(_document(text, file), name, source=file, **options), digest
    return _learned(text, file, options), digest


def _learned(text: str, source: str, options: Mapping[str, str]) -> TextScorer:
    if '"coef_negative_class"' in text:
        found = _document(text, source).get("models")
        names = ", ".join(found) if isinstance(found, dict) else ""
        raise DataError(f"{source}: holds several models; expected PATH#NAME with one of {names}")
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


def _beer_2(folder: Path, options: Mapping[str, str]) -> tuple[TextModel, str]:
    if options:
        raise DataError(f"{folder}: BEER 2.0 does not have {_named(options)}")
    texts = {name: _read(folder / name) for name in BEER_2_FILES}
    digest = hashlib.sha256("\0".join(texts.values()).encode()).hexdigest()
    return beer_2_model(texts, name=str(folder)), digest[:12]


def _shipped(name: str, options: Mapping[str, str]) -> tuple[TextModel, str]:
    file = files("rankwise.metrics").joinpath("models", f"{name}.json")
    text = file.read_text(encoding="utf-8")
    digest = hashlib.sha256(text.encode()).hexdigest()[:12]
    return _learned(text, f"the model {name!r}", options), digest


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
