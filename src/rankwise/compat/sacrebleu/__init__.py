"""sacreBLEU 2.6 by its own names, computed by Rankwise: change one import.

    import rankwise.compat.sacrebleu as sacrebleu      # instead of: import sacrebleu
    from rankwise.compat.sacrebleu.metrics import BLEU, CHRF, TER

Scores, n-gram counts, precisions, penalties, printed lines, signatures and p-values are those of
sacreBLEU 2.6.0 to the last digit; ``tests/parity/test_compat_sacrebleu.py`` holds them to it.

>>> import rankwise.compat.sacrebleu as sacrebleu
>>> hypotheses = ["The dog bit the man.", "It wasn't surprising.", "The man had just bitten him."]
>>> references = [
...     ["The dog bit the man.", "It was not unexpected.", "The man bit him first."],
...     ["The dog had bit the man.", "No one was surprised.", "The man had bitten the dog."],
... ]
>>> bleu = sacrebleu.BLEU()
>>> bleu.corpus_score(hypotheses, references)
BLEU = 48.53 82.4/50.0/45.5/37.5 (BP = 0.943 ratio = 0.944 hyp_len = 17 ref_len = 18)
>>> bleu.get_signature()  # doctest: +ELLIPSIS
nrefs:2|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0+rankwise...
>>> sacrebleu.sentence_chrf("The dog bit the man.", ["The dog had bit the man."])
chrF2 = 67.65

What differs, and why:

- ``version`` in signatures, and ``__version__``, say ``2.6.0+rankwise.`` and Rankwise's version:
  whose digits these are and what computed them. Every other key is sacreBLEU's.
- Streams of unequal length, a plain string for a list, and a segment without any reference are
  errors (``DataError``, which is a ``ValueError``); sacreBLEU drops segments or compares single
  characters without a word, or fails with a traceback. Wrong types are a ``TypeError`` too.
- Means and intervals of resamples are computed in double precision; sacreBLEU's single precision
  agrees to about six digits. ``SACREBLEU_SEED=0`` is a seed, not the absence of one.
- The models of the tokenizers ``flores101``, ``flores200`` and ``spBLEU-1K`` must lie where
  sacreBLEU keeps them; nothing is downloaded. Test sets and the command line are not here.
- ``references=`` in a constructor is kept for later calls; n-grams are counted anew each time, at
  native speed.

Messages go to the logger named ``sacrebleu``, as those of sacreBLEU do.
"""

from typing import Any

from rankwise.compat.sacrebleu.compat import (
    corpus_bleu,
    corpus_chrf,
    corpus_ter,
    raw_corpus_bleu,
    sentence_bleu,
    sentence_chrf,
    sentence_ter,
)
from rankwise.compat.sacrebleu.metrics import BLEU, CHRF, TER
from rankwise.compat.sacrebleu.metrics.helpers import extract_char_ngrams, extract_word_ngrams
from rankwise.compat.sacrebleu.utils import SACREBLEU_DIR, smart_open
from rankwise.compat.sacrebleu.version import __version__

__all__ = [
    "BLEU",
    "CHRF",
    "SACREBLEU_DIR",
    "TER",
    "__version__",
    "corpus_bleu",
    "corpus_chrf",
    "corpus_ter",
    "extract_char_ngrams",
    "extract_word_ngrams",
    "raw_corpus_bleu",
    "sentence_bleu",
    "sentence_chrf",
    "sentence_ter",
    "smart_open",
]

_OF_TEST_SETS = (
    "DATASETS",
    "download_test_set",
    "get_available_testsets",
    "get_langpairs_for_testset",
    "get_reference_files",
    "get_source_file",
)


def __getattr__(name: str) -> Any:
    hint = "; test sets remain with sacreBLEU itself" if name in _OF_TEST_SETS else ""
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}{hint}")
