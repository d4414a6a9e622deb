"""Files and command lines for the tests that hold ``rankwise sacrebleu`` to sacreBLEU itself."""

import gzip
import random
from itertools import product
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

SIZE = 40
TEXT = "der die Hund Katze läuft schnell über (den) Zaun, 3.5 % — it's 10:30! 我喜欢 tea ."
WORDS = TEXT.split()
PAIRS = {
    "wmt17": "en-de",
    "wmt13": "de-en",
    "wmt21": "en-de",
    "wmt21/systems": "zh-en",
    "wmt24": "en-cs",
}


def sentences(rng, count=SIZE):
    return [" ".join(rng.choices(WORDS, k=rng.randrange(3, 14))) for _ in range(count)]


def near(rng, lines, share):
    """The lines with some words replaced."""
    return [
        " ".join(rng.choice(WORDS) if rng.random() < share else word for word in line.split())
        for line in lines
    ]


def write(path, lines, encoding="utf-8"):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes("".join(f"{line}\n" for line in lines).encode(encoding))


def make_texts(folder: Path):
    """References and outputs in the current folder of the runs."""
    rng = random.Random(7)
    ref1 = sentences(rng)
    ref2, ref3 = near(rng, ref1, 0.3), near(rng, ref1, 0.5)
    outputs = {name: near(rng, ref1, share) for name, share in SYSTEMS.items()}
    for name, lines in {"ref1": ref1, "ref2": ref2, "ref3": ref3, **outputs}.items():
        write(folder / name, lines)
    write(folder / "refs.tsv", ["\t".join(cells) for cells in zip(ref1, ref2, strict=True)])
    write(folder / "ragged.tsv", ["a\tb", "c"])
    write(folder / "short", ref1[:-1])
    write(folder / "empty", [])
    write(folder / "latin.ref", ["Möwe über Zäunen"] * 3, "latin-1")
    write(folder / "latin.hyp", ["Möwe über Zaun"] * 3, "latin-1")
    write(folder / "period", [f"{line} ." for line in (ref1 * 3)[:110]])
    write(folder / "period.ref", (ref1 * 3)[:110])
    write(folder / "returns", ["a b\r c", "d\x0b e \u2028", "", "  f  "])
    write(folder / "1.5", outputs["good"])
    write(folder / "2", outputs["bad"])
    write(folder / "a_b&c", outputs["good"])
    (folder / "good.gz").write_bytes(gzip.compress((folder / "good").read_bytes(), mtime=0))
    (folder / "broken").write_bytes(b"caf\xe9 au lait\n")
    return ref1, outputs


SYSTEMS = {"good": 0.15, "same": 0.16, "bad": 0.4, "worst": 0.7}


# -- test sets, as sacreBLEU leaves them after a download ------------------------------------------


def sgml(tag, lines, origlangs):
    text = [f'<{tag} setid="x" srclang="any">']
    for number, language in enumerate(origlangs):
        text.append(f'<doc sysid="x" docid="doc-{number}" genre="news" origlang="{language}">')
        text.append("<p>")
        own = lines[number :: len(origlangs)]
        text += [f'<seg id="{place}">  {line} &amp;  </seg>' for place, line in enumerate(own, 1)]
        text += ["</p>", "</doc>"]
    return [*text, f"</{tag}>"]


def wmt_xml(source, references, systems, *, domains=()):
    text = ['<?xml version="1.0" encoding="utf-8"?>', '<dataset id="x">']
    for number in range(4):
        suite = ' testsuite="x"' if number == 3 else ""
        domain = f' domain="{domains[number % len(domains)]}"' if domains else ""
        text.append(f'<doc id="d{number}" origlang="{("en", "de")[number % 2]}"{domain}{suite}>')
        groups = [("src", ' lang="en"', source)]
        groups += [
            ("ref", f' lang="de" translator={quoteattr(name)}', lines)
            for name, lines in references.items()
        ]
        groups += [
            ("hyp", f' lang="de" system={quoteattr(name)}', lines)
            for name, lines in systems.items()
        ]
        for tag, attributes, lines in groups:
            text.append(f"<{tag}{attributes}><p>")
            for place, line in enumerate(lines[number::4], 1):
                empty = tag == "ref" and place == 2 and number == 0  # nobody translated it
                text.append(f'<seg id="{place}">{"" if empty else escape(line)}</seg>')
            text.append(f"</p></{tag}>")
        text.append("</doc>")
    return [*text, "</dataset>"]


def make_sets(folder: Path, ref, outputs):
    """Five test sets with the files of one language pair each, and no archive to fetch."""
    from rankwise.io.named_sets.set_list import named_sets

    rng = random.Random(9)
    source = sentences(rng)
    for name, pair in PAIRS.items():
        found = named_sets()[name]
        raw = folder / name / "raw"
        files = found.files[pair]
        if found.kind == "wmt-xml":
            key = {"wmt24": "refA"}.get(name, "A")
            domains = ("news", "social") if name == "wmt24" else ()
            systems = {"NiuTrans": outputs["good"], "Other": outputs["bad"]}
            if name == "wmt21":
                systems = {}
            write(raw / files[0], wmt_xml(source, {key: ref}, systems, domains=domains))
        else:
            languages = ["en", "de", "fr"]
            write(raw / files[0], sgml("srcset", source, languages))
            write(raw / files[1], sgml("refset", ref, languages))
        for archive in found.archives:
            write(raw / f"{found.folder_name}.{archive.file_name}", ["not to be fetched"])
    found = named_sets()["multi30k/2016"]
    for file, lines in zip(found.files["en-de"], (source, ref), strict=True):
        write(folder / found.name / "raw" / file, lines)
    write(folder / found.name / "raw" / f"multi30k_2016.{found.archives[0].file_name}", ["x"])


# -- command lines ---------------------------------------------------------------------------------


def case(line, given="", **environment):
    return [line.split(), given, environment]


def combinations():
    """Options of one system, each with each of another group."""
    metrics = ["", "-m bleu", "-m chrf", "-m ter", "-m bleu chrf ter", "-m ter bleu"]
    shapes = [
        "",
        "-f text",
        "-b",
        "-w 4",
        "-f text -sh",
        "-sh",
        "-b -w 0",
        "-f latex",
        "-f text -b",
    ]
    for metric, shape in product(metrics, shapes):
        yield case(f"ref1 -i good {metric} {shape}")
    for options in (
        *(f"-tok {name}" for name in ("none", "zh", "13a", "intl", "char")),
        *(f"-s {name}" for name in ("none", "floor", "add-k", "exp")),
        "-s floor -sv 0.5", "-s add-k -sv 2", "-lc", "--force", "-lc -tok intl",
        "-l en-de", "-l en-zh", "-l en-zh -tok 13a", "-l en-ja -tok char", "-l en-ko -tok none",
    ):  # fmt: skip
        yield case(f"ref1 ref2 -i bad {options} -w 3")
        yield case(f"ref1 -i worst -f text -ci -cin 60 -w 5 {options}")
    for options in (
        "-cw 2", "-cc 4", "--chrf-beta 1", "--chrf-beta 3", "--chrf-whitespace", "--chrf-lowercase",
        "--chrf-eps-smoothing", "-cw 1 --chrf-eps-smoothing", "-cc 2 -cw 2 --chrf-whitespace",
    ):  # fmt: skip
        yield case(f"ref1 ref2 -i bad -m chrf {options} -w 6 -f text")
        yield case(f"ref1 -i bad -m chrf {options} -w 6 -f text -ci -cin 40")
    for options in (
        "--ter-case-sensitive", "--ter-asian-support", "--ter-no-punct", "--ter-normalized",
        "--ter-asian-support --ter-normalize", "--ter-normalized --ter-no-punct",
    ):  # fmt: skip
        yield case(f"ref1 ref2 -i bad -m ter {options} -w 6 -f text")
        yield case(f"ref1 ref2 ref3 -i bad -m ter {options} -w 7 -f text -ci -cin 40")


def several_systems():
    tests = ["", "--paired-bs -pbsn 200", "--paired-ar -parn 300"]
    metrics = ["", "-m bleu chrf", "-m chrf bleu -cw 2", "-m ter"]
    shapes = ["-f text", "-f latex", "-f text -w 3 -sh", "-f text -q", "-f text --no-color"]
    for test, metric, shape in product(tests, metrics, shapes):
        yield case(f"ref1 -i good same bad {metric} {test} {shape}")
    for test in ("", "--paired-bs", "--paired-ar -parn 300"):
        yield case(f"ref1 ref2 -i good same worst {test}")
        yield case(f"ref1 -i good bad {test}", SACREBLEU_SEED="7")
    yield case("ref1 -i good bad --paired-ar -parn 300 -m bleu chrf ter -w 2")
    yield case("ref1 ref2 ref3 -i good bad --paired-bs -pbsn 80 -m ter -w 7 -f text")
    yield case("ref1 ref2 ref3 -i good same bad --paired-ar -parn 300 -m ter")
    yield case("ref1 -i good bad good --paired-bs -pbsn 50 -f text")
    yield case("ref1 -i good same bad -pbs -pbsn 50 -j 2 -f text -m bleu chrf")
    yield case("ref1 -i 1.5 2 -f text")
    yield case("ref1 -i 1.5 2 -f text -w 3 -m bleu ter")
    yield case("ref1 -i a_b&c good -f latex --paired-ar -parn 50")
    yield case("ref1 -i good bad -f text", NO_COLOR="1")
    yield case("ref1 -i good bad", SACREBLEU_FORMAT="LaTeX")
    yield case("ref1 -i good", SACREBLEU_FORMAT="nonsense")
    yield case("ref1 -i good -ci -cin 60", SACREBLEU_SEED="99")


def refused():
    """Wrong usage, and data that do not fit."""
    for line in (
        "", "ref1 -i good -m nonsense", "ref1 -i good -m", "ref1 --wrong", "ref1 -i good -w x",
        "ref1 -i good --debug", "ref1 -i good -v", "ref1 -i good -tok mecab",
        "ref1 -i good bad -par -pbs", "ref1 -i good -f xml",
        "ref1 -i short", "ref1 short -i good", "ref1 -i empty", "empty -i empty", "missing -i good",
        "ref1 -i missing", "ref1 -i good good", "ref1 -i good bad good", "ref1 -i good -pbs",
        "ref1 -i good bad -ci", "ref1 -i good bad -sl", "ref1 -i good -sl -m bleu chrf",
        "ref1 -i good -sl -ci", "ref1 -i good bad -sl -pbs", "ref1 ref2 -i good -nr 2",
        "ragged.tsv -nr 2 -i good", "-t wmt17", "-t wmt17 ref1 -l en-de", "-t nonsense -l en-de",
        "-t wmt17 -l en-xx", "-t wmt17 -l en-de -nr 2", "--echo src", "ref1 --echo src",
        "--cite", "ref1 -i good --origlang de", "ref1 -i good --subset news",
        "-t wmt17,nonsense -l en-de", "ref1 -i broken", "broken -i good",
        "ref1 -e nonsense -i good",
        "-t multi30k/2016 -l en-de --origlang en -i good", "-t wmt17 -l en-de --echo asdf",
        "-t wmt21 -l en-de --echo asdf", "-t wmt17 -l en-de --echo all src",
        "-t wmt17 -l en-de --origlang xx -i good", "-t wmt17 -l en-de -i short",
        "-t wmt24 -l en-cs --subset nothing -i good", "ref1 -i good --num-refs 0x",
    ):  # fmt: skip
        yield case(line)
        if line:
            yield case(f"{line} -q")
    yield case("ref1", "a\tb\nc\n")


def streams():
    """Standard input, encodings, packed files, odd line ends."""
    for line in ("ref1", "ref1 -f text -m bleu chrf", "ref1 -b -w 4", "ref1 -sl -f text"):
        yield [line.split(), "GOOD", {}]
    yield [["ref1", "-f", "text"], "GOOD+BAD", {}]
    yield [["ref1", "-f", "text", "-pbs", "-pbsn", "50"], "GOOD+BAD", {}]
    yield [["ref1", "-f", "text", "-par", "-parn", "50"], "GOOD+BAD", {}]
    yield [["ref1", "--paired-ar", "-parn", "50", "-m", "chrf"], "GOOD+BAD", {}]
    for line in (
        "refs.tsv -nr 2 -i good", "refs.tsv --num-refs 2 -i good -f text -m bleu chrf ter",
        "refs.tsv -i good", "latin.ref -i latin.hyp -e latin-1", "ref1 -i good.gz",
        "ref1.gz -i good", "period.ref -i period", "period.ref -i period --force",
        "period.ref -i period -q", "returns -i returns", "returns -i returns -m chrf ter -f text",
        "ref1 -i good -sl", "ref1 -i good -sl -b", "ref1 -i good -sl -m chrf -w 3 -sh",
        "ref1 ref2 -i bad -sl -m ter -b -w 2", "ref1 -i good -sl -tok intl -lc", "ref1 -i good -d",
        "--version", "-V", "ref1 --metric chrf -i good", "-- ref1", "ref1 -i good --",
        "-i good -m bleu -- ref1", "-m chrf -b ref1 -i good",
    ):  # fmt: skip
        yield case(line, "x\n" if "--" in line.split() else "")
    yield case("returns", "a b\rc\nd\n\nf\n")


def on_sets():
    for line in (
        "--list", "--list -l en-fr", "--list -l de-en", "--list -t wmt17",
        "--list -t wmt17 -l en-de",
        "--list -t wmt21 -l en-de", "--list -t wmt08", "--list -t wmt24 -l en-cs",
        "-t wmt17 -l en-de -i good", "-t wmt17 -l en-de -i good bad -f text -m bleu chrf",
        "-t wmt17 -l en-de -i good -tok none", "-t wmt24 -l en-cs --echo src ref docid domain",
        "-t wmt17 -l en-de --echo src", "-t wmt17 -l en-de --echo ref docid genre origlang",
        "-t wmt17 -l en-de --echo all", "-t wmt17 -l en-de --echo src --origlang de",
        "-t wmt17 -l en-de --echo ref --origlang non-de", "-t wmt21 -l en-de --echo all",
        "-t multi30k/2016 -l en-de -i good", "-t multi30k/2016 -l en-de --echo src ref",
        "-t wmt17,multi30k/2016 -l en-de --echo ref", "-t wmt17 -l en-de -i good --origlang en",
        "-t wmt13 -l de-en -i good --origlang=non-de -m bleu chrf ter -f text",
        "-t wmt17 -l en-de -i good -d", "-t wmt17 -l en-de -i good -d -m chrf bleu -w 3",
        "-t wmt24 -l en-cs --echo NiuTrans", "-t wmt24 -l en-cs --echo refA",
        "-t wmt24 -l en-cs --echo src --subset news", "--download wmt17 -l en-de",
        "-t wmt24 -l en-cs --echo docid domain --subset so --origlang en",
    ):  # fmt: skip
        yield case(line)
    for line in ("", "-d -m chrf", "--origlang de", "--subset news -f text", "--subset so -d"):
        yield [["-t", "wmt24", "-l", "en-cs", *line.split()], "NIUTRANS", {}]


def readme():
    """The command lines of sacreBLEU's README, over test sets of the same names."""
    wmt17 = "-t wmt17 -l en-de"
    text = {"SACREBLEU_FORMAT": "text"}
    for line in (
        "--list", "--list -l en-fr", f"{wmt17} --echo src",
        "-t wmt21/systems -l zh-en --echo NiuTrans",
        f"-i good {wmt17}", f"-i good {wmt17} -f text", "-t wmt21 -l en-de --echo src docid ref",
        "-t wmt21 -l en-de --echo asdf", f"{wmt17} --echo ref",
        f"{wmt17} -i good -m bleu chrf --confidence -f text --short",
    ):  # fmt: skip
        yield case(line)
    for line in (
        f"{wmt17} -i good", f"{wmt17} -i good -sh", f"{wmt17} -i good -b",
        f"{wmt17} -i good -b -w 4",
        "ref1 -i good -m bleu -b -w 4", f"{wmt17} -i good -m bleu chrf ter",
        f"{wmt17} -i good -m bleu chrf ter --chrf-word-order 2",
        "-t wmt13 -l de-en --origlang=de -i good", "-t wmt13 -l de-en --origlang=non-de -i good",
        "ref1 -i good -b", "ref1 -i good --tokenize ja-mecab -b", "ref1 -i good -l en-ja -b",
        "ref1 ref2 -i good -m bleu chrf ter", "refs.tsv --num-refs 2 -i good -m bleu",
        f"{wmt17} -i good same bad -m bleu chrf", f"{wmt17} -i good same bad -m bleu chrf -f latex",
        f"{wmt17} -i good same bad -m bleu chrf --paired-bs",
        f"{wmt17} -i good same bad -m bleu chrf --paired-ar",
    ):  # fmt: skip
        yield case(line, **text)
    yield [wmt17.split(), "GOOD", {}]
    yield [wmt17.split(), "GOOD", text]
    yield [["ref1", "-m", "bleu", "-b", "-w", "4"], "GOOD", text]
    yield [["-t", "wmt21/systems", "-l", "zh-en"], "NIUTRANS", text]


def mended():
    """What sacreBLEU 2.6 cannot do for an error of its own."""
    yield case("ref1 -i good bad --paired-bs -pbsn 50 -m chrf")
    yield case("-t wmt17 --cite")
    yield case("-t wmt17 -l en-de -i good -d --origlang de")


GROUPS = {
    "one system": combinations,
    "several systems": several_systems,
    "refused": refused,
    "streams": streams,
    "test sets": on_sets,
    "README": readme,
    "mended": mended,
}
