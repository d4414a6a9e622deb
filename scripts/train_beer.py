"""Learn the model that ships as the metric ``beer``, and write it into the package.

    python scripts/train_beer.py --cache FOLDER

From the direct assessments of WMT21 and 22: pairs of outputs of a segment more than 25 points of
100 apart. References that were judged as systems are left out. The features are BEER's without
anything that belongs to one language: words stand between white space and match exactly. The cost
of logistic ranking is chosen on three tracks that are not learned from.
"""

import argparse
import sys
from pathlib import Path

from wmt_texts import DA_TRACKS, HUMAN_SYSTEMS, read_human, read_texts

import rankwise as rw

FEATURES = "beer:language=other:modules=exact"
DEVELOPMENT = ("wmt21/is-en", "wmt22/de-en", "wmt22/zh-en")
TARGET = Path(__file__).parents[1] / "src/rankwise/metrics/models/beer.json"


def main() -> None:
    """Read, learn, write."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("-o", "--output", type=Path, default=TARGET)
    parser.add_argument("--cache", help="a folder to keep features in")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    tracks = {name: (read_texts(name), read_human(name)) for name in DA_TRACKS}
    train = [found for name, found in tracks.items() if name not in DEVELOPMENT]
    found = rw.learn(
        [testset for testset, _ in train],
        [human for _, human in train],
        features=FEATURES,
        learner="logistic",
        development=[tracks[name] for name in DEVELOPMENT],
        threshold=25.0,
        exclude=HUMAN_SYSTEMS,
        seed=options.seed,
        cache=rw.FeatureCache(options.cache) if options.cache else None,
    )
    options.output.parent.mkdir(parents=True, exist_ok=True)
    rw.write_model(found.model, options.output)
    for trial in found.trials:
        print(f"{trial.learner}: accuracy {trial.mean:.4f}", file=sys.stderr)
    print(found.model.training, file=sys.stderr)


if __name__ == "__main__":
    main()
