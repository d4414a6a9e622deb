"""Signatures: what decided a number, as ``key:value|key:value``."""

from collections.abc import Mapping
from typing import Any, ClassVar

from rankwise.compat.sacrebleu.version import __version__
from rankwise.errors import DataError

# Keys of all metrics and their short forms.
_COMMON = {
    "version": "v",
    "nrefs": "#",
    "test": "t",
    "lang": "l",
    "subset": "S",
    "origlang": "o",
    "bs": "bs",
    "ar": "ar",
    "seed": "rs",
}


class Signature:
    """The options of a metric that has scored something; *args* are its attributes.

    ``version`` names both the sacreBLEU whose digits the score has and the Rankwise that computed
    it. Keys whose value is None are not printed.
    """

    #: Keys of the metric's own options and their short forms.
    SHORT: ClassVar[Mapping[str, str]] = {}

    def __init__(self, args: Mapping[str, Any]) -> None:
        if "num_refs" not in args:
            raise DataError("the number of references is unknown; score something first")
        self._abbr = {**_COMMON, **self.SHORT}
        self.info: dict[str, Any] = {
            "version": __version__,
            "nrefs": "var" if args["num_refs"] == -1 else args["num_refs"],
            "bs": args.get("n_bootstrap"),
            "ar": None,
            "seed": args.get("seed"),
            "test": args.get("test_set"),
            "lang": args.get("langpair"),
            "origlang": args.get("origlang"),
            "subset": args.get("subset"),
        }

    def format(self, short: bool = False) -> str:
        """The keys in long or short form with their values, the version last."""
        keys = [key for key in self.info if key != "version"]
        return "|".join(
            f"{self._abbr.get(key, key) if short else key}:{_word(self.info[key])}"
            for key in [*keys, "version"]
            if self.info[key] is not None
        )

    def update(self, key: str, value: Any) -> None:
        """Set *key* to *value*, whether it is there or not."""
        self.info[key] = value

    def __str__(self) -> str:
        """The long form."""
        return self.format()

    __repr__ = __str__


def _word(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
