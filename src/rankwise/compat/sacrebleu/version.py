"""What computes the numbers: the sacreBLEU whose digits they are, and the Rankwise that gave them.

A version with a local part (PEP 440), so that code which compares versions reads it as 2.6.0.
"""

import rankwise

#: The release whose interface and digits this package has.
SACREBLEU_VERSION = "2.6.0"

__version__ = f"{SACREBLEU_VERSION}+rankwise.{rankwise.__version__}"
