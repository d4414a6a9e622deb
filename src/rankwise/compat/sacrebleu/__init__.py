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
- ``SACREBLEU_SEED=0`` is a seed, not the absence of one.
- Nothing is downloaded unless it is asked for by ``download_test_set`` (``rankwise sacrebleu
  --download SET``): whatever needs a test set that is not here says where it was looked for. The
  models of the tokenizers ``flores101``, ``flores200`` and ``spBLEU-1K`` must lie where sacreBLEU
  keeps them.
- ``references=`` in a constructor is kept for later calls; n-grams are counted anew each time, at
  native speed.

Messages go to the logger named ``sacrebleu``, as those of sacreBLEU do.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from rankwise._lazy import lazy_names
from rankwise.compat.sacrebleu.version import __version__ as __version__

if TYPE_CHECKING:
    from rankwise.compat.sacrebleu.compat import corpus_bleu as corpus_bleu
    from rankwise.compat.sacrebleu.compat import corpus_chrf as corpus_chrf
    from rankwise.compat.sacrebleu.compat import corpus_ter as corpus_ter
    from rankwise.compat.sacrebleu.compat import raw_corpus_bleu as raw_corpus_bleu
    from rankwise.compat.sacrebleu.compat import sentence_bleu as sentence_bleu
    from rankwise.compat.sacrebleu.compat import sentence_chrf as sentence_chrf
    from rankwise.compat.sacrebleu.compat import sentence_ter as sentence_ter
    from rankwise.compat.sacrebleu.dataset import DATASETS as DATASETS
    from rankwise.compat.sacrebleu.metrics import BLEU as BLEU
    from rankwise.compat.sacrebleu.metrics import CHRF as CHRF
    from rankwise.compat.sacrebleu.metrics import TER as TER
    from rankwise.compat.sacrebleu.metrics.helpers import extract_char_ngrams as extract_char_ngrams
    from rankwise.compat.sacrebleu.metrics.helpers import extract_word_ngrams as extract_word_ngrams
    from rankwise.compat.sacrebleu.utils import SACREBLEU_DIR as SACREBLEU_DIR
    from rankwise.compat.sacrebleu.utils import download_test_set as download_test_set
    from rankwise.compat.sacrebleu.utils import get_available_testsets as get_available_testsets
    from rankwise.compat.sacrebleu.utils import (
        get_langpairs_for_testset as get_langpairs_for_testset,
    )
    from rankwise.compat.sacrebleu.utils import get_reference_files as get_reference_files
    from rankwise.compat.sacrebleu.utils import get_source_file as get_source_file
    from rankwise.compat.sacrebleu.utils import smart_open as smart_open
else:
    _of_names, __dir__ = lazy_names(__name__)

    def __getattr__(name):
        """A name above, or a module that ``import sacrebleu`` brings with it."""
        if name in ("compat", "dataset", "metrics", "tokenizers", "utils"):
            return import_module(f"{__name__}.{name}")
        return _of_names(name)
