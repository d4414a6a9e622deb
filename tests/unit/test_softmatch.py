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
    "softmatch:sha256=b1e011f99edc": (
        [
            0.8965258090756834,
            0.7805005805566907,
            0.8580500921234488,
            0.3003174897748977,
            0.8400344524998218,
        ],
        0.7350856848061085,
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
    assert rw.metric("softmatch").signature.startswith("softmatch:sha256=b1e011f99edc")
    with pytest.raises(rw.DataError, match="metric 'softmatch' has no option 'weights'"):
        rw.metric("softmatch:weights=soft")
