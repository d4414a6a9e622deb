"""Markdown that an organiser wrote, as HTML: no raw HTML, no pictures, links that are harmless."""

from functools import cache

from markdown_it import MarkdownIt
from markupsafe import Markup


@cache
def _converter() -> MarkdownIt:
    # a picture could only come from this server, which has none to give
    return MarkdownIt("js-default", {"html": False}).disable("image")


def markdown(text: str) -> Markup:
    """*text* for a template; what looks like HTML in it is shown as text.

    >>> print(markdown("*Fine* <b>no</b> [x](javascript:alert(1))"), end="")
    <p><em>Fine</em> &lt;b&gt;no&lt;/b&gt; [x](javascript:alert(1))</p>
    """
    return Markup(_converter().render(text))
