"""METEOR 1.5 against the original itself, on random text made to be awkward.

Runs where RANKWISE_METEOR names a folder with meteor-1.5.jar (the PyPI package pycocoevalcap has
one) and Java is installed.
"""

import os
import random
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from rankwise.metrics.meteor import Meteor
from rankwise.text.alignment import STAGES
from rankwise.text.snowball import stemmer_problem

FOLDER = Path(os.environ.get("RANKWISE_METEOR", "none"))
pytestmark = [
    pytest.mark.skipif(
        not (FOLDER / "meteor-1.5.jar").exists() or not shutil.which("java"),
        reason="needs Java, and RANKWISE_METEOR naming a folder with meteor-1.5.jar",
    ),
    pytest.mark.skipif(stemmer_problem() is not None, reason=str(stemmer_problem())),
]

WORDS = {
    "en": """the a of to and in cat cats dog dogs run runs running ran car cars automobile vehicle
        big large studies study studied it he said U.S. e.g. Mr. No. 5 3,5 1,000 3.5 well-known
        a-b-c don't John's '90s 5's I'm O'Neill said. end. . , ; ! ? " ... .... -- - – — ' ’ ‘x’ ``
        “no” (yes) % $5 x_y naïve café 日本 ß Über""",
    "fr": """le la les l'homme d'une qu'il aujourd'hui homme hommes grand grande grandes petit mange
        mangent manger M. Mme. etc. p. 5 3,5 1.000 est-ce va-t-il peut-être naïve noël « » ! ? . , …
        ... ' ’ - – (oui)""",
    "de": """der die das Haus Hauses Häuser Ereignis Ereignisse Ereignissen Verhältnisse groß große
        größer lief laufen läuft z.B. Dr. Nr. 5 3,5 1.000 d.h. und ist's „ja“ ! ? . , ... - – E-Mail
        U-Bahn-Station""",
    "ru": """и в на дом дома домов ещё еще её большой большая большие бежал бежать г. т.е. ул. 5 3,5
        кто-то « » ! ? . , ... - – «да»""",
    "es": """el la los gato gatos grande grandes correr corriendo corre Sr. EE.UU. 5 3,5 1.000 ¿qué?
        ¡no! pág. niño niña . , ... - «sí»""",
    "cz": """a v na kočka kočky kočkou velký velká běží běžet např. 5 3,5 tj. Dr. „ano“ ! ? . , ...
        - česko-slovenský""",
}


SPACES = [*[" "] * 12, "", "", "\u00a0", "\u2003"]
CONTROLS = [" \x01", "\x0b"]


def random_pairs(language, count, separators, seed):
    """Pairs of short texts from few words, so that many alignments are possible."""
    rng = random.Random(seed)
    words = WORDS[language].split()
    pairs = []
    for _ in range(count):
        pool = rng.sample(words, rng.randint(2, min(16, len(words))))
        one, two = (
            "".join(rng.choice(pool) + rng.choice(separators) for _ in range(rng.randint(1, 24)))
            for _ in range(2)
        )
        pairs.append((one, two))
    return pairs


def run_jvm(folder, pairs, options):
    """Tokens, matches and score of every pair, as the original writes them."""
    for name, side in (("hyp", 0), ("ref", 1)):
        (folder / name).write_text("\n".join(pair[side] for pair in pairs) + "\n", "utf-8")
    command = ["java", "-Dfile.encoding=UTF-8", "-Xmx1G", "-jar", str(FOLDER / "meteor-1.5.jar")]
    subprocess.run(
        [*command, "hyp", "ref", *options, "-writeAlignments", "-q"],
        cwd=folder,
        check=True,
        capture_output=True,
    )
    text = (folder / "meteor-align.out").read_text("utf-8")
    return [_parsed(block) for block in re.split(r"^Alignment\t", text, flags=re.MULTILINE)[1:]]


def _parsed(block):
    head, hyp, ref, _, *lines = block.split("\n")
    matches = []
    for line in filter(None, lines):
        two, one, module, _score = line.split()
        matches.append([*map(int, two.split(":")), *map(int, one.split(":")), int(module)])
    return hyp.split(" "), ref.split(" "), matches, float(head.split("\t")[-1])


CASES = [
    ("en", "exact stem synonym", "-norm"),
    ("en", "exact stem", "-norm -noPunct"),
    ("en", "exact synonym", "-lower"),
    ("fr", "exact stem", "-norm"),
    ("de", "exact stem", "-norm"),
    ("ru", "exact stem", "-norm"),
    ("es", "exact stem", "-norm"),
    ("cz", "exact", "-norm"),
]


@pytest.mark.parametrize(("language", "modules", "text"), CASES)
def test_random_pairs(language, modules, text, tmp_path):
    # Without -norm the original prints lines without the control characters at their end.
    separators = SPACES + CONTROLS if "-norm" in text else SPACES
    pairs = random_pairs(language, 400, separators, seed=7)
    options = ["-l", language, "-m", modules, *text.split()]
    expected = run_jvm(tmp_path, pairs, options)
    metric = Meteor(
        language=language,
        modules=modules.replace(" ", ","),
        normalize="-norm" in text,
        punctuation="-noPunct" not in text,
        resources=str(FOLDER),
        compat="1.5",
    )
    scores = metric.segments([h for h, _ in pairs], [r for _, r in pairs])
    for (hyp, ref), (hyp_tokens, ref_tokens, matches, score), found in zip(
        pairs, expected, scores, strict=True
    ):
        alignment = metric.alignment(hyp, ref)
        assert list(alignment.hypothesis) == [token for token in hyp_tokens if token]
        assert list(alignment.reference) == [token for token in ref_tokens if token]
        stages = [STAGES.index(module) for module in modules.split()]
        names = [[*match[:4], stages[match[4]]] for match in matches]
        assert [[*m[:4], STAGES.index(m.stage)] for m in alignment.matches] == names
        assert found == pytest.approx(score, rel=0, abs=1e-15)
