#!/usr/bin/env python3
"""Compares exported COMET models with the official package.

    python scripts/check_neural.py [FOLDER]

Small random models of the real architectures are made and exported, and both score thousands of
segments: float scores must agree to 1e-4, spans to the character. With FOLDER the exported models
and the official numbers of some segments are written there (tests/neural/models).
"""

import json
import logging
import random
import shutil
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

import numpy as np

import rankwise
from rankwise.neural import open_model
from rankwise.neural.export import export_comet

KINDS = ("regression", "referenceless", "kiwi", "unite", "xcomet")
KEPT = 60


def main(target: Path | None) -> None:
    """Makes, exports, compares; writes what tests need into *target* if there is one."""
    warnings.filterwarnings("ignore")
    logging.disable(logging.WARNING)
    import make_neural_models

    segments = texts()
    official: dict[str, Any] = {"segments": segments[:KEPT]}
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        make_neural_models.main(folder, [text for row in segments for text in row])
        for kind in KINDS:
            checkpoint = folder / kind / "checkpoints" / "model.ckpt"
            exported = folder / "exported" / kind
            export_comet(checkpoint, exported)
            export_comet(checkpoint, folder / "int8" / kind, int8=True)
            official[kind] = compared(kind, checkpoint, exported, folder / "int8" / kind, segments)
            if target is not None:
                shutil.rmtree(target / kind, ignore_errors=True)
                shutil.copytree(exported, target / kind)
    if target is not None:
        (target / "official.json").write_text(json.dumps(official, ensure_ascii=False, indent=1))


def compared(
    kind: str, checkpoint: Path, exported: Path, small: Path, segments: list[list[str]]
) -> dict[str, Any]:
    """Both ways over all segments; what the official package says of the first ones."""
    import comet

    model = comet.load_from_checkpoint(str(checkpoint), local_files_only=True)
    names = ("mt", "src") if kind in {"referenceless", "kiwi"} else ("mt", "src", "ref")
    outputs, sources, references = (list(column) for column in zip(*segments, strict=True))
    rows = [dict(zip(("mt", "src", "ref"), row, strict=True)) for row in segments]
    rows = [{name: row[name] for name in names} for row in rows]
    theirs = model.predict(rows, batch_size=16, gpus=0, progress_bar=False)
    given = references if "ref" in names else None
    ours = open_model(exported).scored(outputs, sources, given)
    eight = open_model(small).scored(outputs, sources, given)
    worst = np.abs(np.array(theirs.scores) - ours.scores).max()
    spread = np.std(theirs.scores)
    print(
        f"{kind}: {len(rows)} segments, largest difference {worst:.1e} (standard deviation of "
        f"scores {spread:.1e}); int8 {np.abs(ours.scores - eight.scores).max():.1e}"
    )
    if not worst < 1e-4:
        sys.exit(f"{kind}: exported scores differ from the official ones by {worst}")
    found: dict[str, Any] = {"scores": theirs.scores[:KEPT]}
    if ours.spans:
        marked = [
            [[s["start"], s["end"], s["severity"], s["confidence"]] for s in spans]
            for spans in theirs.metadata.error_spans
        ]
        mine = [[[s.start, s.end, s.severity] for s in spans] for spans in ours.spans]
        differing = sum([s[:3] for s in a] != b for a, b in zip(marked, mine, strict=True))
        print(f"  {sum(map(len, mine))} error spans, {differing} segments with others")
        if differing:
            sys.exit(f"{kind}: spans differ in {differing} segments")
        found["spans"] = marked[:KEPT]
        found["without_reference"] = model.predict(
            [{name: row[name] for name in ("mt", "src")} for row in rows[:KEPT]],
            batch_size=16,
            gpus=0,
            progress_bar=False,
        ).scores
    return found


def texts() -> list[list[str]]:
    """Output, source and reference of thousands of segments: the example's, whole and damaged."""
    example = rankwise.example().testset
    rows = [
        [output, segment.source or "", segment.references[0]]
        for system in example.systems
        for output, segment in zip(example.outputs[system], example.segments, strict=True)
    ]
    odd = [
        ["long words here " * 40, "and a source that is long too " * 30, "a reference " * 35],
        ["", "source", "reference"],
        ["output", "", ""],
        ["日本語のテキスト。", "中文没有空格", "한국어 문장"],
        ["a <pad> within", "b </s> within", "c <mask> <s>"],
        ["  spaces\tand\u00a0tabs  ", "🙂 emoji", "e\u0301 combined"],
    ]
    generator = random.Random(1)
    generator.shuffle(rows)
    damaged = []
    for row in rows * 4:
        words = row[0].split()
        generator.shuffle(words)
        damaged.append([" ".join(words[: generator.randint(1, len(words) + 1)]), *row[1:]])
    return odd + rows + damaged


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
