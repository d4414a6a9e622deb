"""The files that a study is read from; naming them imports nothing that reads them."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from rankwise.errors import DataError
from rankwise.io.files import StrPath
from rankwise.io.parts.parallel_lines import Files


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyFiles:
    """Which files a study is read from, and what of them counts.

    Texts are line-aligned files (*outputs*, *references*, *source*, *documents*), or one *testset*
    of any format, of which *language_pair* chooses a part and to which *references* and *outputs*
    may belong as further files. *language* is the target language, which says how words are found;
    without it, the one that the test set or the pair names, or that of the references by their
    script. *reference_set* names the references that metrics use, for a language pair as in
    ``he-en=refB``. *human_systems* says whether references count as systems too: no unless asked,
    or "scored" for those that people scored, as WMT's own tables have it. *scores* are files of
    other metrics, which count errors if *lower_is_better*; *stored* adds those of an EvalSet.
    *human* is a file of scores, or the name of those of an EvalSet; *judgments* are files of
    rankings. *excluded* systems are left out of all but rankings; *skip_empty_references* takes an
    empty line for no reference. *added* are text files of further systems, a line for every segment
    of the *testset*. *names* is a file of two columns, what a system is called and what it is to be
    called, wherever it occurs.

    A text file may be given as ``NAME=FILE``; otherwise its own name is that of the system.
    """

    outputs: Files = ()
    references: Files = ()
    source: StrPath | None = None
    documents: StrPath | None = None
    testset: StrPath | None = None
    format: str | None = None
    language_pair: str | None = None
    language: str | None = None
    reference_set: Sequence[str] = ()
    human_systems: bool | Literal["scored"] | None = None
    scores: Sequence[StrPath] = ()
    lower_is_better: bool = False
    stored: bool = False
    human: StrPath | None = None
    judgments: Sequence[StrPath] = ()
    excluded: Sequence[str] = ()
    skip_empty_references: bool = False
    added: Files = ()
    names: StrPath | None = None

    @property
    def has_texts(self) -> bool:
        """Whether any file of texts is named."""
        return bool(self.outputs or self.references or self.source or self.testset)

    def __post_init__(self) -> None:
        if self.human_systems not in (None, True, False, "scored"):
            raise DataError(
                f"human_systems is {self.human_systems!r}; expected True, False, None or 'scored'"
            )

    @property
    def new_names(self) -> dict[str, str]:
        """What systems are to be called, by what they are called."""
        from rankwise.io.parts.name_lines import read_names

        return {} if self.names is None else read_names(self.names)

    @property
    def evalset(self) -> Path | None:
        """The test set, if it is a folder of mt-metrics-eval, which holds scores too."""
        if self.testset is None or not (Path(self.testset) / "sources").is_dir():
            return None
        return Path(self.testset)

    @property
    def has_human_scores(self) -> bool:
        """Whether human scores are named, or lie beside the texts, as in an EvalSet."""
        from rankwise.io.packed.archives import archive_of

        is_packed = self.testset is not None and archive_of(self.testset) is not None
        return self.human is not None or self.evalset is not None or is_packed

    @property
    def pairs(self) -> tuple[str, ...]:
        """The language pairs of an EvalSet; of other files none is known."""
        from rankwise.io.formats.testsets.evalset import language_pairs

        return () if self.evalset is None else language_pairs(self.evalset)
