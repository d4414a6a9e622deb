"""Metrics on tokens: the options and the preparation of text that BLEU and word overlap share."""

from collections.abc import Callable
from dataclasses import dataclass

from rankwise.metrics.metric_class import Metric, check_flag, map_references
from rankwise.text.languages import Language
from rankwise.text.segments import References, Texts, check_texts
from rankwise.text.tokenise import TOKENIZERS, external_splitter
from rankwise.types.named import check_choice


@dataclass(frozen=True, kw_only=True)
class TokenizedMetric(Metric):
    """A metric that lowercases (Python's ``str.lower``) and tokenises what it compares."""

    lowercase: bool = False
    tokenize: str = "13a"
    spm_model: str | None = None

    def __post_init__(self) -> None:
        """Check the options."""
        check_flag(self.name, "lowercase", self.lowercase)
        check_choice(self.name, "tokenizer", self.tokenize, TOKENIZERS)
        external_splitter(self.tokenize, self.spm_model)

    @classmethod
    def language_options(cls, language: Language) -> dict[str, object]:
        """The tokenizer of the language."""
        return {} if language.tokenizer is None else {"tokenize": language.tokenizer}

    def prepared(self, hypotheses: Texts, references: References) -> tuple[Texts, References]:
        """The checked texts, ready for the core."""
        check_texts(hypotheses, references)
        for function in self._transforms():
            hypotheses = [function(text) for text in hypotheses]
            references = map_references(function, references)
        return hypotheses, references

    def _transforms(self) -> list[Callable[[str], str]]:
        transforms: list[Callable[[str], str]] = [str.lower] if self.lowercase else []
        split = external_splitter(self.tokenize, self.spm_model)
        return transforms if split is None else [*transforms, str.rstrip, split]
