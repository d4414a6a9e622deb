"""A hook of MkDocs: formulas become MathML while the site is built.

Browsers draw MathML by themselves, so that a page needs no script for it, neither ours nor one from
another site.
"""

import html
import re
from typing import Any

from latex2mathml.converter import convert

# What pymdownx.arithmatex leaves: a div around \[...\] or a span around \(...\).
_FORMULA = re.compile(
    r'<(?P<tag>div|span) class="arithmatex">\\[\[(](?P<tex>.*?)\\[\])]</(?P=tag)>', re.DOTALL
)


def on_page_content(content: str, **_: Any) -> str:
    """The page with every formula as MathML."""
    return _FORMULA.sub(_mathml, content)


def _mathml(found: re.Match[str]) -> str:
    is_block = found["tag"] == "div"
    formula = convert(html.unescape(found["tex"]), display="block" if is_block else "inline")
    return f'<{found["tag"]} class="formula">{formula}</{found["tag"]}>'
