"""Pictures, sounds and videos of a campaign of Pearmut: HTML with addresses of hosted files."""

import pytest

from media import png, wav
from rankwise import DataError
from rankwise.server.campaign.plan.other_tools.pearmut_campaigns import read_pearmut
from rankwise.server.campaign.plan.size_limits import USUAL_ASSETS, AssetLimits
from server.campaign.test_pearmut import item, written

ASSETS = {"source": "videos", "destination": "assets/mine"}


@pytest.fixture
def hosted(tmp_path):
    (tmp_path / "videos" / "a b").mkdir(parents=True)
    (tmp_path / "videos" / "sun.png").write_bytes(png())
    (tmp_path / "videos" / "a b" / "tone.wav").write_bytes(wav())
    return tmp_path


def read(folder, *sources, limits=USUAL_ASSETS, assets=ASSETS):
    data = [[item(number, src=source) for number, source in enumerate(sources)]]
    return read_pearmut(written(folder, {"assets": assets}, data), limits=limits)


def test_a_file_is_taken_over_and_the_text_beside_it(hosted):
    sun = '<img src="assets/mine/sun.png" width="600" alt="A sun &amp; a sea."/>'
    tone = '<audio controls=""><source src="/assets/mine/a%20b/tone.wav">Too old.</audio>'
    found = read(hosted, sun, f"{tone}<p>Das <b>Meer</b>.</p>", "Only text, 1 < 2.")
    assert found.warnings == ()
    assert [one.source for one in found.testset.segments] == ["", "Das Meer.", "Only text, 1 < 2."]
    first, second, third = found.media.rows
    assert (first.file.kind, first.words) == ("image/png", "A sun & a sea.")
    assert (second.file.kind, second.words, third) == ("audio/wav", "", None)


@pytest.mark.parametrize(
    "source",
    [
        '<video src="https://example.org/film.mp4"></video>',
        '<iframe src="https://example.org/"></iframe>',
        '<img src="assets/mine/sun.png"><img src="assets/mine/a b/tone.wav">',
        '<img src="assets/others/sun.png">',
    ],
)
def test_what_is_elsewhere_or_twice_stays_and_is_told(hosted, source):
    found = read(hosted, source, "b")
    assert found.testset.segments[0].source == source
    assert not found.media
    (warning,) = found.warnings
    assert warning.startswith("the picture, sound or video of 1 sources is shown as its HTML")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("../x.json", "expected the name of a file within 'videos', without '..'"),
        ("%2e%2e/x.json", "expected the name of a file within 'videos', without '..'"),
        ("gone.png", "there is no file 'gone.png'"),
    ],
)
def test_an_address_leads_to_a_file_within_the_folder(hosted, name, message):
    with pytest.raises(DataError, match=rf"x\.json: the source of item 'i0': .*{message}"):
        read(hosted, f'<img src="assets/mine/{name}">')


@pytest.mark.parametrize("assets", [1, {}, {"source": "videos"}, {**ASSETS, "source": "gone"}])
def test_what_is_no_folder_and_address(hosted, assets):
    with pytest.raises(DataError, match=r"'info\.assets' (is|has) .*; expected"):
        read(hosted, "a", assets=assets)


def test_limits_hold(hosted):
    with pytest.raises(DataError, match="expected at most"):
        read(hosted, '<img src="assets/mine/sun.png">', limits=AssetLimits(10, 10))


def test_a_file_that_somebody_sent_does_not_say_what_is_read(hosted):
    source = '<img src="assets/mine/sun.png">'
    found = read(hosted, source, limits=None)
    assert found.testset.segments[0].source == source
    assert not found.media
    assert found.warnings[0].startswith("'info.assets' is not taken over: ")


def test_places_light_up_unless_the_file_says_no(hosted):
    assert read_pearmut(written(hosted)).plan.highlight is True
    assert read_pearmut(written(hosted, {"show_alignment": False})).plan.highlight is False
