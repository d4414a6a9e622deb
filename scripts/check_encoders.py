#!/usr/bin/env python3
"""Compares exported encoders with sentence-transformers and bert-score.

    python scripts/check_encoders.py [--keep FOLDER] [MODEL...]

Small random encoders (BERT, DistilBERT) are saved as Hugging Face saves them, exported, and both
score the same pairs; every MODEL, a folder of an encoder at hand, is compared too. XLM-RoBERTa in
both sizes and every way of pooling are compared by their cosines. Cosines and BERTScore must agree
to 1e-4. --keep writes the small exported BERT and the official numbers
(tests/neural/models/encoder). Pairs whose tokens differ between the slow tokenizers that bert-score
takes and the fast ones that are exported are left out, and counted. bert-score is given one pair at
a time: in a batch it takes the cosine with padding, 0, for a token's nearest where all are below 0.
"""

import argparse
import json
import shutil
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import torch
from check_neural import texts
from make_neural_models import SIZES, unigram, wordpiece
from sentence_transformers import SentenceTransformer
from sentence_transformers.models import Dense, Normalize, Pooling, Transformer
from transformers import (
    AutoTokenizer,
    BertConfig,
    BertModel,
    DistilBertConfig,
    DistilBertModel,
    XLMRobertaConfig,
    XLMRobertaModel,
    XLMRobertaXLConfig,
    XLMRobertaXLModel,
)

from rankwise.metrics import Batching, metric
from rankwise.neural.export import export_encoder

LAYER = 2
KEPT = 40


def main(arguments: list[str] | None = None) -> None:
    """Makes, exports and compares."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--keep", type=Path)
    parser.add_argument("models", nargs="*", type=Path)
    options = parser.parse_args(arguments)
    rows = texts()[:120]
    pairs = [(output, reference) for output, _, reference in rows]
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        lines = [text for row in rows for text in row]
        small = small_models(folder, lines)
        for model in pooled_models(folder / "pooled", lines):
            exported = folder / "exported" / model.name
            export_encoder(model, exported)
            cosines_compared(model, exported, pairs)
        for model in [*small, *options.models]:
            exported = folder / "exported" / model.name
            export_encoder(model, exported)
            official = compared(model, exported, pairs, folder / "idf.txt")
            if options.keep is not None and model.name == "bert":
                shutil.rmtree(options.keep, ignore_errors=True)
                shutil.copytree(exported, options.keep)
                written = json.dumps(official, ensure_ascii=False, indent=1)
                (options.keep.parent / "official_encoder.json").write_text(written)


def small_models(folder: Path, lines: list[str]) -> list[Path]:
    """Random encoders as Hugging Face saves them."""
    torch.manual_seed(1)
    sizes = dict(SIZES)
    distil = {
        "dim": sizes["hidden_size"],
        "hidden_dim": sizes["intermediate_size"],
        "n_layers": sizes["num_hidden_layers"],
        "n_heads": sizes["num_attention_heads"],
        "vocab_size": sizes["vocab_size"],
    }
    made = {
        "bert": (BertModel(BertConfig(**sizes, max_position_embeddings=64)), wordpiece),
        "distilbert": (
            DistilBertModel(DistilBertConfig(**distil, max_position_embeddings=64)),
            wordpiece,
        ),
    }
    for name, (network, tokenizer) in made.items():
        draw(network)
        network.save_pretrained(folder / name)
        found = tokenizer(lines)
        found.model_max_length = 64
        found.save_pretrained(folder / name)
        settings = folder / name / "tokenizer_config.json"  # bert-score takes the slow tokenizer
        kept = json.loads(settings.read_text()) | {
            "do_lower_case": False,
            "model_input_names": ["input_ids", "attention_mask"],
        }
        settings.write_text(json.dumps(kept))
    return [folder / name for name in made]


def draw(network: torch.nn.Module) -> None:
    """Random weights of a size that keeps outputs apart."""
    for part, weight in network.named_parameters():
        centre = 1.0 if "norm.weight" in part.lower() else 0.0
        torch.nn.init.normal_(weight, centre, 0.1 if weight.dim() == 1 else 0.35)


def pooled_models(folder: Path, lines: list[str]) -> list[Path]:
    """Random XLM-RoBERTas as sentence-transformers saves them: all ways of pooling, with Dense."""
    sizes = {**SIZES, "max_position_embeddings": 66, "type_vocab_size": 1, "pad_token_id": 1}
    made = {
        "first-dense": (XLMRobertaModel(XLMRobertaConfig(**sizes)), "cls", True),
        "maximum": (XLMRobertaModel(XLMRobertaConfig(**sizes)), "max", False),
        "root": (XLMRobertaXLModel(XLMRobertaXLConfig(**sizes)), "mean_sqrt_len_tokens", False),
    }
    for name, (network, pooling, is_dense) in made.items():
        draw(network)
        plain = folder / "plain" / name
        network.save_pretrained(plain)
        tokenizer = unigram(lines)
        tokenizer.model_max_length = 64
        tokenizer.save_pretrained(plain)
        width = sizes["hidden_size"]
        parts = [Transformer(str(plain)), Pooling(width, pooling_mode=pooling)]
        if is_dense:
            parts += [Dense(width, 12), Normalize()]
            draw(parts[2])
        SentenceTransformer(modules=parts, device="cpu").save(str(folder / name))
    return [folder / name for name in made]


def cosines_compared(model: Path, exported: Path, pairs: list[tuple[str, str]]) -> None:
    """The cosines of all pairs both ways."""
    outputs, references = (list(part) for part in zip(*pairs, strict=True))
    theirs = metric(f"cosine:model={model}").segments(outputs, references)
    ours = metric(f"cosine:model={exported}").segments(outputs, references)
    worst = np.abs(theirs - ours).max()
    spread = theirs.std()
    print(f"{model.name}, cosine: {len(pairs)} pairs, largest difference {worst:.1e}")
    if not (worst < 1e-4 < spread):
        sys.exit(f"{model.name}: cosines differ by {worst} (their deviation is {spread})")


def is_cut_alike(model: Path, texts: tuple[str, ...]) -> bool:
    """Whether the slow and the fast tokenizer of *model* give the same tokens."""
    slow, fast = (_tokenizer(model, use_fast=use_fast) for use_fast in (False, True))
    return all(slow.encode(text.strip()) == fast.encode(text.strip()) for text in texts)


@cache
def _tokenizer(model: Path, *, use_fast: bool) -> Any:
    return AutoTokenizer.from_pretrained(model, use_fast=use_fast, local_files_only=True)


def compared(
    model: Path, exported: Path, pairs: list[tuple[str, str]], idf: Path
) -> dict[str, Any]:
    """Both ways over all pairs; what the official packages say of the first ones."""
    cut_alike = [pair for pair in pairs if is_cut_alike(model, pair)]
    print(f"{model.name}: {len(pairs) - len(cut_alike)} pairs are cut otherwise and left out")
    pairs = cut_alike
    outputs, references = (list(part) for part in zip(*pairs, strict=True))
    idf.write_text("\n".join(dict.fromkeys(r for r in references[:200] if r)) + "\n", "utf-8")
    found: dict[str, Any] = {"pairs": pairs[:KEPT], "idf": idf.read_text("utf-8").splitlines()[:50]}
    idf.write_text("\n".join(found["idf"]) + "\n", "utf-8")
    names = {"cosine": "cosine:model={}"}
    for score in ("precision", "recall", "f1"):
        names[score] = f"bertscore:model={{}}:layer={LAYER}:score_of={score}"
    names["f1 by rarity"] = f"bertscore:model={{}}:layer={LAYER}:idf={idf}"
    for name, metric_name in names.items():
        size = 16 if name == "cosine" else 1
        official = metric(metric_name.format(model)).computed_by(Batching(size=size))
        theirs = official.segments(outputs, references)
        ours = metric(metric_name.format(exported)).segments(outputs, references)
        worst = np.abs(theirs - ours).max()
        print(f"{model.name}, {name}: {len(pairs)} pairs, largest difference {worst:.1e}")
        if not worst < 1e-4:
            place = int(np.abs(theirs - ours).argmax())
            sys.exit(f"{model.name}: {name} differs by {worst}: {pairs[place]}")
        found[name] = theirs[:KEPT].tolist()
    return found


if __name__ == "__main__":
    main()
