"""A test set with the attributes and methods of sacreBLEU's, over our list of named sets.

Nothing is downloaded by looking at a set: :meth:`Dataset.maybe_download` and
``sacrebleu.download_test_set`` do that, and whatever needs a file that is not here says so.
"""

from collections.abc import Iterator
from typing import Any

from rankwise.compat.sacrebleu.utils import smart_open
from rankwise.io.named_sets.set_files import SetFiles, download, set_files
from rankwise.io.named_sets.set_list import NamedSet
from rankwise.io.named_sets.set_texts import field_names


class Dataset:
    """A named test set.

    >>> from rankwise.compat.sacrebleu import DATASETS
    >>> DATASETS["wmt17"].description, len(DATASETS["wmt17"].langpairs)
    ('Official evaluation data.', 14)
    """

    def __init__(self, found: NamedSet) -> None:
        self._found = found
        self.name = found.name
        self.description = found.title
        self.citation = found.citation or None
        self.data = [archive.url for archive in found.archives]
        self.md5 = [archive.md5 for archive in found.archives]
        self.langpairs = {pair: self._files(pair) for pair in found.files}
        self.kwargs = {"refs": [*found.references]} if found.references else {}

    def _files(self, pair: str) -> Any:
        files = [*self._found.files[pair]]
        if pair not in self._found.references_of:
            return files
        return {"path": files[0], "refs": [*self._found.references_of[pair]]}

    def maybe_download(self, langpair: str | None = None) -> None:
        """Fetch and unpack the test set unless it, or that language pair of it, is here."""
        download(self.name, langpair)

    def process_to_text(self, langpair: str | None = None) -> None:
        """Write the text files of a language pair, or of all, from those that were unpacked."""
        for pair in self.langpairs if langpair is None else [langpair]:
            self._texts(pair)

    def fieldnames(self, langpair: str) -> list[str]:
        """The fields of a language pair: ``src``, ``ref`` and what else there is."""
        known = field_names(self._found, langpair)
        return [*self._texts(langpair).fields] if known is None else known

    def get_files(self, langpair: str) -> list[str]:
        """The text files of all fields, in their order."""
        return [str(path) for path in self._texts(langpair).fields.values()]

    def get_source_file(self, langpair: str) -> str:
        """The file of the source."""
        return str(self._texts(langpair).source)

    def get_reference_files(self, langpair: str) -> list[str]:
        """The files of the references that count."""
        return [str(path) for path in self._texts(langpair).references.values()]

    def source(self, langpair: str) -> Iterator[str]:
        """The lines of the source."""
        with smart_open(self.get_source_file(langpair)) as stream:
            for line in stream:
                yield line.strip()

    def references(self, langpair: str) -> Iterator[tuple[str, ...]]:
        """The references of every segment, line ends and all."""
        streams = [smart_open(file) for file in self.get_reference_files(langpair)]
        try:
            yield from zip(*streams, strict=False)
        finally:
            for stream in streams:
                stream.close()

    def _texts(self, pair: str) -> SetFiles:
        return set_files(self.name, pair)
