"""The folder of an exported model: what lies in it, and what its settings say."""

import hashlib
import json
import re
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Literal, get_args

from rankwise.errors import DataError

#: What the settings of an exported model are kept in.
SETTINGS = "settings.json"
TOKENIZER = "tokenizer.json"
#: A network, or the weights that stand beside it.
_NETWORK_FILE = re.compile(r"\w[\w-]*\.onnx(\.data)?")

#: The format of folders that this version writes and reads.
FORMAT = 1

Kind = Literal["regression", "referenceless", "unified", "xcomet", "metricx", "bleurt", "encoder"]
_KINDS = get_args(Kind)
_NETWORKS = {
    "regression": ("encoder.onnx", "head.onnx"),
    "referenceless": ("encoder.onnx", "head.onnx"),
    "encoder": ("encoder.onnx",),
}
#: What the settings of every model say.
_ALWAYS = (
    *("name", "kind", "inputs", "max_tokens", "max_joined", "separators", "pad"),
    *("precision", "digest"),
)
#: What the settings of an encoder alone say.
_OF_ENCODERS = {"layers", "pool", "max_matched", "lowercase", "prefix_space"}


@dataclass(frozen=True)
class ModelSettings:
    """What is done around a network: everything that its weights do not say.

    ``kind`` is the family of the model; ``inputs`` the texts it reads, in the order in which they
    are joined (``output``, ``source``, ``reference``). A text is cut to ``max_tokens`` with its
    marks, joined texts to ``max_joined``; ``separators`` marks stand between two of them.
    ``labels`` are the severities of error spans, ``span_weights`` and ``score_weights`` how the
    readings with the source, with the reference and with both are weighted (the fourth score is
    that of the spans). ``prefixes`` are the words that MetricX reads before each text.
    ``precision`` is ``float32`` or ``int8``.

    An encoder gives the vectors of tokens in its ``layers`` (0 is the embedding), of texts cut to
    ``max_matched``, and where ``pool`` says how, the vector of a text, cut to ``max_tokens``.
    ``lowercase`` and ``prefix_space`` are what is done to a text before it is cut into tokens, for
    its own vector and for those of its tokens.
    """

    name: str
    kind: Kind
    inputs: tuple[str, ...]
    max_tokens: int
    max_joined: int
    separators: int
    pad: int
    labels: tuple[str, ...] = ()
    span_weights: tuple[float, ...] = ()
    score_weights: tuple[float, ...] = ()
    prefixes: tuple[str, ...] = ()
    layers: tuple[int, ...] = ()
    pool: str = ""
    max_matched: int = 0
    lowercase: bool = False
    prefix_space: bool = False
    precision: str = "float32"
    made_with: str = ""
    digest: str = ""

    @classmethod
    def of(cls, document: Any, where: str) -> "ModelSettings":
        """The settings that *document* holds; ``DataError`` names what is wrong with it."""
        if not isinstance(document, dict) or document.get("format") != FORMAT:
            found = document.get("format") if isinstance(document, dict) else document
            raise DataError(f"{where}: found format {found!r}, expected {FORMAT}; export it again")
        known = {field.name for field in fields(cls)}
        values = {name: _frozen(value) for name, value in document.items() if name in known}
        if document.get("kind") not in _KINDS:
            raise DataError(
                f"{where}: found a model of kind {document.get('kind')!r}, expected "
                f"{', '.join(_KINDS)}"
            )
        for field in fields(cls):
            if field.name not in values and field.name in _ALWAYS:
                raise DataError(f"{where}: {field.name!r} is missing; export the model again")
            if field.name in values:
                _must_be(field.type, values[field.name], f"{where}: {field.name}")
        return cls(**values)

    def document(self) -> dict[str, Any]:
        """The settings as they are written."""
        written = asdict(self)
        others = set() if self.kind == "encoder" else _OF_ENCODERS
        if self.kind != "metricx":
            others = others | {"prefixes"}
        written = {name: value for name, value in written.items() if name not in others}
        return {"format": FORMAT, **written}


@dataclass(frozen=True)
class ModelFolder:
    """An exported model on disk."""

    path: Path
    settings: ModelSettings

    @classmethod
    def at(cls, path: str | Path) -> "ModelFolder":
        """The model in the folder *path*; ``DataError`` where one is not there or not whole."""
        folder = Path(path)
        file = folder / SETTINGS
        if not file.is_file():
            raise DataError(f"{folder}: no exported model is there ({SETTINGS} is missing)")
        try:
            document = json.loads(file.read_text(encoding="utf-8"))
        except ValueError as error:
            raise DataError(f"{file}: found no JSON: {error}") from None
        model = cls(folder, ModelSettings.of(document, str(file)))
        for name in (TOKENIZER, *model.networks):
            if not (folder / name).is_file():
                raise DataError(f"{folder}: {name} is missing; export the model again")
        return model

    @property
    def networks(self) -> tuple[str, ...]:
        """The files of the networks."""
        return _NETWORKS.get(self.settings.kind, ("network.onnx",))

    def file(self, name: str) -> str:
        """The path of a file of the folder."""
        return str(self.path / name)

    @property
    def is_as_written(self) -> bool:
        """Whether the files are those that the settings were written for."""
        return folder_digest(self.path) == self.settings.digest

    def must_be_as_written(self) -> None:
        """Raise ``DataError`` where a file was cut, changed or taken from another model."""
        if not self.is_as_written:
            raise DataError(
                f"{self.path}: its files are not those that were exported (their sha256 is "
                f"{folder_digest(self.path)}, {SETTINGS} says {self.settings.digest}); copy or "
                "export the model again"
            )


def folder_digest(folder: Path) -> str:
    """The first 16 digits of the SHA-256 of the network and tokenizer files of *folder*.

    Other files do not matter.
    """
    digest = hashlib.sha256()
    for file in sorted(folder.iterdir()):
        if file.name == TOKENIZER or _NETWORK_FILE.fullmatch(file.name):
            digest.update(file.name.encode() + b"\0")
            with file.open("rb") as handle:
                while block := handle.read(1 << 20):
                    digest.update(block)
    return digest.hexdigest()[:16]


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _must_be(kind: Any, value: Any, what: str) -> None:
    """Raise ``DataError`` unless *value* is of the type *kind* of a field."""
    expected, is_right = _TYPES[kind]
    if not is_right(value):
        raise DataError(f"{what}: found {value!r}, expected {expected}; export the model again")


def _is_number(value: Any, kind: Any) -> bool:
    return isinstance(value, kind) and not isinstance(value, bool)


def _are_all(value: Any, kind: Any) -> bool:
    return isinstance(value, tuple) and all(_is_number(item, kind) for item in value)


#: What the values of a field may be, in words, and whether a value is one.
_TYPES: dict[Any, tuple[str, Callable[[Any], bool]]] = {
    int: ("a whole number from 0 on", lambda value: _is_number(value, int) and value >= 0),
    bool: ("true or false", lambda value: isinstance(value, bool)),
    str: ("a text", lambda value: isinstance(value, str)),
    Kind: ("a kind of model", lambda value: value in _KINDS),
    tuple[int, ...]: ("whole numbers", lambda value: _are_all(value, int)),
    tuple[float, ...]: ("numbers", lambda value: _are_all(value, (int, float))),
    tuple[str, ...]: (
        "texts",
        lambda value: isinstance(value, tuple) and all(isinstance(item, str) for item in value),
    ),
}
