"""The script of a page: tables sort and take keys, segments are found and sorted, pairs compared.

Without scripts everything is there to read; only these comforts are missing. The page names the
hash of this script in its policy, so that a browser runs no other.
"""

import base64
import hashlib
from pathlib import Path

#: The whole script of a page, from files so that a checker of scripts reads them too.
SCRIPT = "".join(
    Path(__file__).with_name(name).read_text(encoding="utf-8")
    for name in ("comforts.js", "pair_view.js")
)


def policy() -> str:
    """The content security policy: no network at all, this script and no other."""
    digest = base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
