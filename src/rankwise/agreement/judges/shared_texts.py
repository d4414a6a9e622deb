"""Which systems shared a text, found again in rankings that do not say it.

WMT15 and WMT16 showed at most five texts on a screen, and a text that several systems produced
once. Their *collapsed* files keep such a text as one item, ``a+b``; their *expanded* files give
every system its own rank and forget the text. Every judge then "agrees" that a and b are equal,
and each comparison of the text counts once per system. What was forgotten left traces:

- Systems of one text stand side by side on every screen of the segment, with one rank.
- They stand in one fixed order, the same on every segment.
- A screen that lacks a system of its language pair was full: it showed five texts.

Of two readings that fit all of this the one with the more usual pair of systems is taken. On the
ten language pairs of WMT15 99 of 100 screens get the texts of the collapsed file.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwise.types import Judgments

#: Texts on a full screen of WMT15 and WMT16.
FULL_SCREEN = 5

Codes = NDArray[np.int64]
Mask = NDArray[np.bool_]


def with_shared_texts(judgments: Judgments) -> Judgments:
    """The same rankings with ``output`` saying which systems shared a text, where that was lost.

    Nothing changes where a ranking names a shared text, where no ranking has exactly five systems
    or none has more, or where some screen would still show more than five texts: such rankings are
    no expanded file.

    >>> from rankwise.types import Ranking
    >>> screens = [("A", "B", "C", "D", "E"), ("A", "B", "C", "D", "F", "G")]
    >>> ranks = [(1, 2, 3, 4, 5), (1, 2, 3, 4, 5, 5)]
    >>> looks = [Ranking(str(n), "ann", *look) for n, look in enumerate(zip(screens, ranks))]
    >>> with_shared_texts(Judgments.from_rankings(looks))[1].outputs
    (0, 1, 2, 3, 4, 4)
    """
    sizes = judgments.sizes
    if not (sizes == FULL_SCREEN).any() or not (sizes > FULL_SCREEN).any():
        return judgments
    if (judgments.text_counts < sizes).any():
        return judgments
    links = _possible_links(judgments)
    links, usual = _in_fixed_order(links)
    links = _full_screens(links, usual)
    if (links.texts > FULL_SCREEN).any():
        return judgments
    return replace(judgments, output=_outputs(judgments, links), info=dict(judgments.info))


@dataclass(frozen=True, slots=True, eq=False)
class _Links:
    """Neighbours that may share a text, one entry for each screen they stand on.

    ``item[k]`` is the place of the second of the two among all items, ``ranking[k]`` their
    ranking. ``link[k]`` numbers what is one link, the same two systems on the same segment;
    ``two[k]`` the language pair and the two systems. ``sizes`` are the systems of every ranking,
    ``lacks`` tells which lack a system of their language pair, and ``shape`` is (language pairs,
    systems, systems).
    """

    item: Codes
    ranking: Codes
    link: Codes
    two: Codes
    sizes: Codes
    lacks: Mask
    shape: tuple[int, int, int]

    @property
    def texts(self) -> Codes:
        """How many texts every ranking holds, if these links are texts."""
        return self.sizes - np.bincount(self.ranking, minlength=len(self.sizes))

    def kept(self, mask: Mask) -> "_Links":
        """The links that *mask* keeps."""
        columns = {name: getattr(self, name)[mask] for name in ("item", "ranking", "link", "two")}
        return replace(self, **columns)


def _possible_links(judgments: Judgments) -> _Links:
    """Neighbours with one rank on every screen of the segment that either of them stands on."""
    sizes, systems = judgments.sizes, len(judgments.systems)
    ranking = np.repeat(np.arange(len(judgments)), sizes)
    place = judgments.language.astype(np.int64) * len(judgments.segments) + judgments.segment
    system = judgments.system.astype(np.int64)
    shown = place[ranking] * systems + system
    _, number, times = np.unique(shown, return_inverse=True, return_counts=True)
    unranked = np.nan_to_num(judgments.rank, nan=-np.inf)
    beside = (ranking[1:] == ranking[:-1]) & (unranked[1:] == unranked[:-1])
    item = np.flatnonzero(beside & (sizes[ranking[1:]] > FULL_SCREEN)) + 1
    pair = number[item - 1] * systems + system[item]
    _, link, together = np.unique(pair, return_inverse=True, return_counts=True)
    always = (together[link] == times[number[item]]) & (together[link] == times[number[item - 1]])
    language = judgments.language.astype(np.int64)
    known = np.unique(language[ranking] * systems + system) // systems
    entered = np.bincount(known, minlength=len(judgments.languages))
    two = (language[ranking[item]] * systems + system[item - 1]) * systems + system[item]
    found = _Links(
        item,
        ranking[item],
        link,
        two,
        sizes,
        sizes < entered[judgments.language],
        (len(judgments.languages), systems, systems),
    )
    return found.kept(always)


def _in_fixed_order(links: _Links) -> tuple[_Links, Codes]:
    """Links that follow the order of certain ones, and how often each two are linked for certain.

    A link is certain where a full screen holds no more of them than it must.
    """
    while True:
        certain = links.lacks & (links.texts == FULL_SCREEN)
        sure = certain[links.ranking]
        seen = np.unique(np.stack([links.link[sure], links.two[sure]]), axis=1)[1]
        usual = np.bincount(seen, minlength=int(np.prod(links.shape)))
        before = _closure((usual > 0).reshape(links.shape))
        wrong = (before.transpose(0, 2, 1) & ~before).ravel()[links.two]
        if not wrong.any():
            return links, usual
        links = links.kept(~wrong)


def _closure(before: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """What comes before what by any number of steps, for every language pair."""
    for middle in range(before.shape[1]):
        before = before | (before[:, :, middle, None] & before[:, None, middle, :])
    return before


def _full_screens(links: _Links, usual: Codes) -> _Links:
    """The links with the least usual ones cut until no full screen has fewer than five texts.

    A link that stands on a screen with five texts already is not cut: it would have six.
    """
    texts, cut = links.texts, np.zeros(int(links.link.max(initial=0)) + 1, np.bool_)
    by_link = np.argsort(links.link, kind="stable")
    sorted_links, screens = links.link[by_link], links.ranking[by_link]
    rarest = np.argsort(usual[links.two], kind="stable")
    short = (links.lacks & (texts < FULL_SCREEN))[links.ranking]
    for entry in rarest[short[rarest]].tolist():
        link, ranking = links.link[entry], links.ranking[entry]
        where = screens[slice(*np.searchsorted(sorted_links, [link, link + 1]))]
        if texts[ranking] < FULL_SCREEN and not cut[link] and (texts[where] < FULL_SCREEN).all():
            cut[link] = True
            texts[where] += 1
    return links.kept(~cut[links.link])


def _outputs(judgments: Judgments, links: _Links) -> NDArray[Any]:
    """The number of every item's text within its ranking."""
    starts_text = np.ones(len(judgments.system), np.int64)
    starts_text[links.item] = 0
    number = np.cumsum(starts_text) - 1
    held = judgments.sizes[judgments.sizes > 0]
    first = np.repeat(number[judgments.starts[:-1][judgments.sizes > 0]], held)
    return (number - first).astype(judgments.output.dtype)
