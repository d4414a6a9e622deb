"""The metrics whose models ship keep their numbers, to the last bit."""

import pytest

import rankwise as rw

HYPOTHESES = ["the cat sat on a mat", "a dog", "Das Haus ist sehr gross.", "", "他去了商店。"]
REFERENCES = [
    "the cat sat on the mat",
    ["the dog barks", "a dog barked"],
    "Das Haus ist groß.",
    "nothing here",
    "他去商店了。",
]
# Scores of the segments, then of all of them, with the models of these hashes.
KNOWN = {
    "softmatch:weights=close:sha256=dd326eeaa316": (
        [
            0.7774166315793991,
            0.6430367976427078,
            0.7077014229726046,
            0.18474447331391275,
            0.7099764999002218,
        ],
        0.6045751650817692,
    ),
    "softmatch:weights=soft:sha256=6f047486502a": (
        [
            0.808829735731706,
            0.40504279895685613,
            0.6194061804562807,
            0.15171636012382805,
            0.5372928427532315,
        ],
        0.5044575836043805,
    ),
    "beer:version=2014:sha256=5c591e7b4ce3": (
        [
            0.8173816886264831,
            0.601440041558817,
            0.734384199604392,
            0.20494386344216764,
            0.44819505978375673,
        ],
        0.5612689706031233,
    ),
    "beer:version=2014:language=de:sha256=5c591e7b4ce3": (
        [
            0.8173816886264831,
            0.601440041558817,
            0.7170496233738959,
            0.20494386344216764,
            0.7782957148738205,
        ],
        0.6238221863750368,
    ),
}


@pytest.mark.parametrize("name", KNOWN)
def test_numbers_stay(name):
    segments, corpus = KNOWN[name]
    metric = rw.metric(name)
    assert segments == metric.segments(HYPOTHESES, REFERENCES).tolist()
    assert corpus == metric.corpus(HYPOTHESES, REFERENCES)


def test_the_name_says_which_weights():
    assert str(rw.metric("softmatch")) == "softmatch"
    assert str(rw.metric("softmatch:weights=soft")) == "softmatch:weights=soft"
    assert rw.metric("softmatch").signature.startswith("softmatch:weights=close:sha256=")
    with pytest.raises(rw.DataError, match="unknown weights 'beer'; choose from close, soft"):
        rw.metric("softmatch:weights=beer")
