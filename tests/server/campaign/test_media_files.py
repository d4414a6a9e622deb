"""Which files belong to which segments, and what is no file for judges."""

import re

import pytest

from media import png, wav
from rankwise import DataError
from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.campaign.plan.plan_files import load_media
from rankwise.server.campaign.plan.size_limits import AssetLimits
from rankwise.server.campaign.plan.sources.media_files import NO_MEDIA, read_media
from rankwise.server.campaign.plan.sources.media_kinds import kind_of
from server.campaign.made import make_testset

PLAN = {"name": "News", "source_language": "de", "target_language": "en"}
SVG = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"


@pytest.fixture
def folder(tmp_path):
    """A folder with files of every kind of name, and one outside."""
    inside = tmp_path / "assets"
    (inside / "more").mkdir(parents=True)
    (inside / "sun.png").write_bytes(png())
    (inside / "more" / "tone.wav").write_bytes(wav())
    (inside / "page.png").write_bytes(b"<!DOCTYPE html><script>alert(1)</script>")
    (inside / "drawing.png").write_bytes(b"\xef\xbb\xbf<?xml version='1.0'?>" + SVG)
    (inside / "empty.png").write_bytes(b"")
    (tmp_path / "outside.png").write_bytes(png())
    (inside / "link.png").symlink_to(tmp_path / "outside.png")
    (inside / "loop.png").symlink_to(inside / "loop.png")
    (inside / "there").symlink_to(tmp_path, target_is_directory=True)
    return inside


def read(folder, *lines, limits=None, count=None):
    (folder.parent / "list.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    more = {} if limits is None else {"limits": limits}
    return read_media(folder.parent / "list.tsv", folder, count or len(lines), **more)


def test_a_line_is_a_file_its_description_or_nothing(folder):
    found = read(folder, "sun.png\tA sun.", "", "more/tone.wav", "sun.png\t Again. ")
    first, nothing, tone, again = found.rows
    assert (first.file.kind, first.words, nothing) == ("image/png", "A sun.", None)
    assert (tone.file.kind, tone.words, again.words) == ("audio/wav", "", "Again.")
    assert first.file is again.file
    assert found.size == len(png()) + len(wav())  # each file once
    assert found and not NO_MEDIA


@pytest.mark.parametrize("name", ["page.png", "drawing.png", "empty.png"])
def test_the_content_says_what_a_file_is(folder, name):
    with pytest.raises(DataError, match=rf"list.tsv:1: '{name}' is none of these by its content"):
        read(folder, name)


@pytest.mark.parametrize(
    "name",
    [
        "../outside.png",
        "more/../sun.png",
        "/etc/passwd",
        "link.png",
        "loop.png",
        "there/outside.png",
        "more",
        "gone.png",
        ".",
        "a\x01.png",
        "x" * 300,
    ],
)
def test_no_name_leads_out_of_the_folder(folder, name):
    with pytest.raises(DataError) as caught:
        read(folder, name)
    assert "expected the name of a file within 'assets'" in str(caught.value)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    ("lines", "count", "message"),
    [
        (["sun.png"], 2, "has 1 line for 2 segments; expected one for each, empty where"),
        (["sun.png\ta\tb"], 1, "3 columns; expected a file's name and its description"),
        (["sun.png\t" + "x" * 2001], 1, "a description of 2,001 characters; expected at most 2000"),
    ],
)
def test_a_list_that_is_wrong(folder, lines, count, message):
    with pytest.raises(DataError, match=re.escape(message)):
        read(folder, *lines, count=count)


def test_a_folder_that_is_none(tmp_path):
    (tmp_path / "list.tsv").write_text("a\n")
    with pytest.raises(DataError, match="expected a folder with the files of"):
        read_media(tmp_path / "list.tsv", tmp_path / "assets", 1)


def test_files_have_a_size_alone_and_together(folder):
    size = len(wav())
    read(folder, "more/tone.wav", limits=AssetLimits(size, size))
    with pytest.raises(
        DataError, match=r"'more/tone\.wav' has 31\.3 KiB; expected at most 31\.3 KiB"
    ):
        read(folder, "more/tone.wav", limits=AssetLimits(size - 1, 1 << 30))
    with pytest.raises(DataError, match="the pictures, sounds and videos of the campaign have"):
        read(folder, "more/tone.wav", "sun.png", limits=AssetLimits(size, size))


def test_a_plan_names_a_folder_and_a_list(folder):
    read(folder, *["sun.png"] * 4)
    keys = {"source": "x", "assets": "assets", "media": "list.tsv"}
    plan = Plan.from_json({**PLAN, "texts": keys})
    assert len(load_media(plan, make_testset(2, 4), folder.parent).files) == 1
    assert load_media(Plan.from_json(PLAN), make_testset(2, 4), folder.parent) is NO_MEDIA


@pytest.mark.parametrize(("given", "missing"), [("assets", "media"), ("media", "assets")])
def test_one_of_both_is_not_enough(given, missing):
    with pytest.raises(DataError, match=rf"'texts\.{missing}'.*as there is '{given}'"):
        Plan.from_json({**PLAN, "texts": {"source": "x", given: "y"}})


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (png()[:64], "image/png"),
        (wav()[:64], "audio/wav"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF", "image/jpeg"),
        (b"GIF89a\x01\0", "image/gif"),
        (b"RIFF\0\0\0\0WEBPVP8 ", "image/webp"),
        (b"ID3\x04\0", "audio/mpeg"),
        (b"\xff\xfb\x90\x64", "audio/mpeg"),
        (b"OggS\0\x02" + bytes(22) + b"\x01\x13OpusHead", "audio/ogg"),
        (b"\0\0\0\x20ftypisom", "video/mp4"),
        (b"\0\0\0\x20ftypM4A ", "audio/mp4"),
        (b"\x1a\x45\xdf\xa3\x9fB\x86\x81\x01B\x82\x84webm", "video/webm"),
        (SVG, None),
        (b"%PDF-1.7", None),
        (b"\0\0\0\x20ftypheic", None),
        (b"RIFF\0\0\0\0AVI ", None),
        (b"OggS" + b"\0" * 60, None),
        (b"\xff\xff\xff\xff", None),
        (b"PK\x03\x04", None),
        (b"", None),
    ],
)
def test_kinds_by_their_first_bytes(head, kind):
    assert kind_of(head) == kind
