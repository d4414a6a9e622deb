#!/usr/bin/env python3
"""Compares exported BLEURT models with transformers and sentencepiece.

    python scripts/check_bleurt.py [FOLDER]

Small random models of both architectures (RemBERT with SentencePiece as in BLEURT-20, BERT with
WordPiece as before it) are made with the classes of ``transformers``, saved under the names that
bleurt-pytorch has for the weights, exported, and both score thousands of pairs. Tokens of the first
come from sentencepiece itself, cut and joined as the makers of BLEURT say. Scores must agree to
1e-4. With FOLDER the exported RemBERT and the official numbers of some pairs are written there
(tests/neural/models).
"""

import json
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import sentencepiece
import torch
from check_neural import texts
from make_neural_models import SIZES, VOCABULARY, wordpiece
from transformers import (
    BertConfig,
    BertForSequenceClassification,
    RemBertConfig,
    RemBertForSequenceClassification,
    logging,
)

from rankwise.neural import open_model
from rankwise.neural.export import export_bleurt

KEPT = 40
LONGEST = 64


def main(target: Path | None) -> None:
    """Makes, exports, compares; writes what tests need into *target* if there is one."""
    logging.set_verbosity_error()
    torch.manual_seed(1)
    torch.set_num_threads(1)
    rows = texts()
    rows.append(["[CLS] a mark [SEP] within", "", "[MASK] [PAD]"])
    pairs = [(reference, output) for output, _, reference in rows]
    lines = [text for pair in pairs for text in pair]
    with tempfile.TemporaryDirectory() as temporary:
        for name, make in (("bleurt", of_rembert), ("bleurt-of-bert", of_bert)):
            folder, exported = (Path(temporary) / part / name for part in ("made", "exported"))
            folder.mkdir(parents=True)
            network, ids_of, marks = make(folder, lines)
            export_bleurt(folder, exported)
            export_bleurt(folder, exported.with_name(f"{name}-int8"), int8=True)
            theirs = official_scores(network, [joined(pair, ids_of, marks) for pair in pairs])
            compared(name, exported, pairs, theirs)
            if target is not None and name == "bleurt":
                shutil.rmtree(target / name, ignore_errors=True)
                shutil.copytree(exported, target / name)
                kept = {"pairs": pairs[:KEPT] + pairs[-1:]}
                kept["scores"] = [*theirs[:KEPT].tolist(), float(theirs[-1])]
                written = json.dumps(kept, ensure_ascii=False, indent=1)
                (target / "official_bleurt.json").write_text(written + "\n")


def compared(name: str, exported: Path, pairs: list[tuple[str, str]], theirs: Any) -> None:
    """Both ways over all pairs."""
    references, outputs = (list(column) for column in zip(*pairs, strict=True))
    ours, small = (
        open_model(folder, threads=1).scored(outputs, None, references).scores
        for folder in (exported, exported.with_name(f"{name}-int8"))
    )
    worst, spread = np.abs(theirs - ours).max(), theirs.std()
    print(
        f"{name}: {len(pairs)} pairs, largest difference {worst:.1e} (standard deviation "
        f"{spread:.2f}); int8 {np.abs(ours - small).max():.1e}"
    )
    if not (worst < 1e-4 < spread):
        place = int(np.abs(theirs - ours).argmax())
        sys.exit(f"{name}: exported scores differ by {worst}: {pairs[place]}")


def joined(pair: tuple[str, str], ids_of: Any, marks: tuple[int, int]) -> tuple[list[int], int]:
    """The tokens of a pair, and how many are of the reference with its marks.

    The longer text loses its last token until both fit, of equally long ones the output.
    """
    one, two = (list(ids_of(text)) for text in pair)
    while len(one) + len(two) > LONGEST - 3:
        (one if len(one) > len(two) else two).pop()
    begin, end = marks
    return [begin, *one, end, *two, end], len(one) + 2


def official_scores(network: Any, sequences: list[tuple[list[int], int]]) -> Any:
    """The scores of the class of transformers, one pair at a time."""
    found = []
    with torch.inference_mode():
        for ids, first in sequences:
            types = [0] * first + [1] * (len(ids) - first)
            said = network(torch.tensor([ids]), token_type_ids=torch.tensor([types]))
            found.append(float(said.logits[0, 0]))
    return np.array(found)


# -- the models ------------------------------------------------------------------------------------


def of_rembert(folder: Path, lines: list[str]) -> tuple[Any, Any, tuple[int, int]]:
    """A random RemBERT with a linear head, and how its texts become tokens."""
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(lines),
        model_prefix=str(folder / "spm"),
        vocab_size=VOCABULARY,
        pad_id=0,
        unk_id=1,
        bos_id=-1,
        eos_id=-1,
        pad_piece="[PAD]",
        unk_piece="[UNK]",
        control_symbols=["[CLS]", "[SEP]", "[MASK]"],
        minloglevel=2,
    )
    pieces = sentencepiece.SentencePieceProcessor(model_file=str(folder / "spm.model"))
    config = RemBertConfig(
        **SIZES, input_embedding_size=10, max_position_embeddings=LONGEST, num_labels=1
    )
    network = drawn(RemBertForSequenceClassification(config))
    names = {"rembert.": "bleurt.", "embedding_hidden_mapping_in": "embedding_projection"}
    save(folder, network, names, {"embedding_size": 10})
    return network, pieces.encode, (pieces.piece_to_id("[CLS]"), pieces.piece_to_id("[SEP]"))


def of_bert(folder: Path, lines: list[str]) -> tuple[Any, Any, tuple[int, int]]:
    """A random BERT with a linear head, and how its texts become tokens."""
    tokenizer = wordpiece(lines)
    tokenizer.save_pretrained(folder)
    config = BertConfig(
        **SIZES, max_position_embeddings=LONGEST, num_labels=1, hidden_act="gelu_new"
    )
    network = drawn(BertForSequenceClassification(config))
    save(folder, network, {"bert.": "bleurt."}, {})

    def ids_of(text: str) -> list[int]:
        return list(tokenizer.encode(text, add_special_tokens=False))

    return network, ids_of, (tokenizer.cls_token_id, tokenizer.sep_token_id)


def drawn(network: Any) -> Any:
    """Random weights of a size that keeps outputs apart."""
    for name, weight in network.named_parameters():
        centre = 1.0 if "LayerNorm.weight" in name else 0.0
        torch.nn.init.normal_(weight, centre, 0.1 if weight.dim() == 1 else 0.35)
    return network.eval()


def save(folder: Path, network: Any, names: dict[str, str], more: dict[str, Any]) -> None:
    """The weights and settings as bleurt-pytorch keeps them."""
    weights = {}
    for name, value in network.state_dict().items():
        kept = name
        for theirs, called in names.items():
            kept = kept.replace(theirs, called)
        weights[kept] = value
    torch.save(weights, folder / "pytorch_model.bin")
    named = (*SIZES, "max_position_embeddings", "hidden_act", "layer_norm_eps", "pad_token_id")
    settings = {name: getattr(network.config, name) for name in named}
    (folder / "config.json").write_text(json.dumps({"model_type": "bleurt", **settings, **more}))


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
