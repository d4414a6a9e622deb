"""Speed and memory of an exported COMET model of full size against the official package.

    python experiments/neural_speed.py TEXTS [--segments 200] [--systems 10] [--device cpu]

Speed does not depend on weights, so the model is random: XLM-RoBERTa large (24 layers of 1,024, 560
million numbers) with COMET's regression head. TEXTS is JSON with ``source`` and ``reference``,
lists of texts, and ``outputs``, such lists by system. Every way runs in a process of its
own, on the same texts, after one batch that does not count: the official package as ``comet-score``
calls it (system by system, its cache of sentence vectors on) but in single precision, exported in
float, in int8.
Needs unbabel-comet and onnx. Prints Markdown.
"""

import argparse
import json
import logging
import os
import resource
import subprocess
import sys
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np

LARGE = {
    "vocab_size": 250_002,
    "hidden_size": 1024,
    "num_hidden_layers": 24,
    "num_attention_heads": 16,
    "intermediate_size": 4096,
    "max_position_embeddings": 514,
    "type_vocab_size": 1,
    "layer_norm_eps": 1e-5,
}


def main() -> None:
    """Makes the model where there is none yet, measures every way, prints the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("texts", type=Path)
    parser.add_argument("--folder", type=Path, default=Path("build/neural-speed"))
    parser.add_argument("--segments", type=int, default=200)
    parser.add_argument("--systems", type=int, default=10)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--way", default="")
    parser.add_argument("--ways", default="official,float,int8")
    options = parser.parse_args()
    if options.way:
        print(json.dumps(measured(options.way, options)))
        return
    if not (options.folder / "model").exists():
        command = [sys.executable, __file__, str(options.texts), "--folder", str(options.folder)]
        subprocess.run([*command, "--way", "make"], check=True)
    print(
        "| way | systems | segments | seconds | per second | peak memory, MB | largest difference |"
    )
    print("|---|---:|---:|---:|---:|---:|---:|")
    for systems in sorted({1, options.systems}):
        scores: dict[str, Any] = {}
        for way in options.ways.split(","):
            command = [*sys.argv, "--way", way, "--systems", str(systems)]
            done = subprocess.run(
                [sys.executable, *command], capture_output=True, text=True, check=False
            )
            if done.returncode:
                print(done.stderr[-2000:], file=sys.stderr)
                continue
            found = json.loads(done.stdout.splitlines()[-1])
            scores[way] = np.array(found["scores"])
            first = next(iter(scores.values()))
            print(
                f"| {way} | {systems} | {found['segments']} | {found['seconds']:.1f} | "
                f"{len(scores[way]) / found['seconds']:.1f} | {found['memory']:.0f} | "
                f"{np.abs(scores[way] - first).max():.1e} |",
                flush=True,
            )


def measured(way: str, options: argparse.Namespace) -> dict[str, Any]:
    """One way over the texts: seconds without loading the model, peak memory, scores."""
    warnings.filterwarnings("ignore")
    logging.disable(logging.WARNING)
    texts = json.loads(options.texts.read_text(encoding="utf-8"))
    if way == "make":
        make(options.folder, [*texts["source"], *texts["reference"]])
        return {}
    sources = texts["source"][: options.segments]
    references = texts["reference"][: options.segments]
    names = list(texts["outputs"])[: options.systems]
    systems = [texts["outputs"][name][: options.segments] for name in names]
    score = official(options) if way == "official" else exported(way, options)
    score([["warm"], ["up"]], ["a", "b"], ["c", "d"])
    start = time.perf_counter()
    scores = score(systems, sources, references)
    seconds = time.perf_counter() - start
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {
        "seconds": seconds,
        "memory": memory,
        "segments": len(sources),
        "scores": [float(x) for x in scores],
    }


def official(options: argparse.Namespace) -> Any:
    """The official package, system by system, its cache on."""
    import comet

    gpus = int(options.device == "cuda")
    path = options.folder / "model" / "checkpoints" / "model.ckpt"
    model = comet.load_from_checkpoint(str(path), local_files_only=True)
    model.eval()
    model.set_embedding_cache()

    def score(systems: Any, sources: Any, references: Any) -> list[float]:
        found: list[float] = []
        for outputs in systems:
            columns = zip(sources, outputs, references, strict=False)
            rows = [{"src": s, "mt": o, "ref": r} for s, o, r in columns]
            done = model.predict(rows, batch_size=16, gpus=gpus, progress_bar=False, num_workers=0)
            found += done.scores
        return found

    return score


def exported(way: str, options: argparse.Namespace) -> Any:
    """An exported folder, all systems."""
    from rankwise.neural import open_model

    model = open_model(options.folder / way, device=options.device)

    def score(systems: Any, sources: Any, references: Any) -> list[float]:
        found: list[float] = []
        for outputs in systems:
            n = len(outputs)
            found += model.scored(outputs, sources[:n], references[:n]).scores.tolist()
        return found

    return score


def make(folder: Path, lines: list[str]) -> None:
    """The random model of full size: checkpoint, exported in float and in int8."""
    sys.path.insert(0, str(Path(__file__).parents[1] / "scripts"))
    import torch
    from comet.models import RegressionMetric
    from make_neural_models import save, unigram
    from transformers import XLMRobertaConfig

    from rankwise.neural.export import export_comet

    torch.manual_seed(1)
    encoder = folder / "encoder"
    encoder.mkdir(parents=True)
    unigram(lines, 8000).save_pretrained(encoder)
    XLMRobertaConfig(**LARGE).save_pretrained(encoder)
    model = RegressionMetric(
        pretrained_model=str(encoder), load_pretrained_weights=False, local_files_only=True
    )
    save(folder / "model", model, spread=0.03)
    del model
    for way in ("float", "int8"):
        export_comet(
            folder / "model" / "checkpoints" / "model.ckpt", folder / way, int8=way == "int8"
        )


if __name__ == "__main__":
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    main()
