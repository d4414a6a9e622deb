"""What a tokenizer is, and the ones that the native core has."""

from typing import ClassVar

from rankwise.text.tokenise import tokenise


class BaseTokenizer:
    """A callable that puts spaces between the tokens of a line, with a name for signatures.

    A subclass of your own works as ``BLEU().tokenizer``; it is called once for every line.
    """

    def signature(self) -> str:
        """The name that signatures print."""
        raise NotImplementedError

    def __call__(self, line: str) -> str:
        """The tokens of *line* with spaces between them."""
        raise NotImplementedError


class NativeTokenizer(BaseTokenizer):
    """A tokenizer of the native core, which BLEU applies to all lines at once."""

    name: ClassVar[str]

    def signature(self) -> str:
        """The name that signatures print."""
        return self.name

    def __call__(self, line: str) -> str:
        """The tokens of *line* with single spaces between them."""
        return " ".join(tokenise([line], tokenizer=self.name, compat="sacrebleu")[0])
