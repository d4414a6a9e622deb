"""Archives of the tests are unpacked as if a stranger had packed them."""

import io
import tarfile

import pytest

from archives import unpack


def packed(path, *members):
    """An archive at a path, of (name, type, content or target of the link)."""
    with tarfile.open(path, "w:xz") as archive:
        for name, kind, content in members:
            member = tarfile.TarInfo(name)
            member.type = kind
            if kind == tarfile.REGTYPE:
                member.size = len(content)
                archive.addfile(member, io.BytesIO(content))
            else:
                member.linkname = content
                archive.addfile(member)
    return path


def everything(folder):
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*")}


@pytest.fixture
def folder(tmp_path):
    place = tmp_path / "place"
    place.mkdir()
    return place


def test_files_and_folders_are_written_as_they_are(tmp_path, folder):
    files = {"set/a.txt": b"one\r\n", "set/deep/er/b.bin": bytes(range(256)) * 999, "c": b""}
    archive = packed(
        tmp_path / "a.tar.xz",
        ("set", tarfile.DIRTYPE, ""),
        ("set/empty", tarfile.DIRTYPE, ""),
        *((name, tarfile.REGTYPE, content) for name, content in files.items()),
    )
    unpack(archive, folder)
    assert {name: (folder / name).read_bytes() for name in files} == files
    assert everything(folder) == {*files, "set", "set/empty", "set/deep", "set/deep/er"}


@pytest.mark.parametrize(
    ("name", "kind", "content"),
    [
        ("/tmp/of-a-stranger", tarfile.REGTYPE, b"x"),
        ("../outside", tarfile.REGTYPE, b"x"),
        ("set/../../outside", tarfile.REGTYPE, b"x"),
        ("..", tarfile.DIRTYPE, ""),
        ("../outside", tarfile.DIRTYPE, ""),
        ("link", tarfile.SYMTYPE, "/etc"),
        ("link", tarfile.SYMTYPE, "set"),
        ("link", tarfile.LNKTYPE, "set/a.txt"),
        ("pipe", tarfile.FIFOTYPE, ""),
        ("device", tarfile.CHRTYPE, ""),
        ("disk", tarfile.BLKTYPE, ""),
    ],
)
def test_what_leads_out_or_is_no_file_is_refused_and_nothing_is_written(
    tmp_path, folder, name, kind, content
):
    good = ("set/a.txt", tarfile.REGTYPE, b"one\n")
    archive = packed(tmp_path / "a.tar.xz", good, (name, kind, content))
    before = everything(tmp_path)
    with pytest.raises(ValueError, match=r"of the archive (lies outside|is neither)") as caught:
        unpack(archive, folder)
    assert repr(name) in str(caught.value)
    assert everything(tmp_path) == before


def test_a_link_that_is_there_is_not_followed(tmp_path, folder):
    (tmp_path / "elsewhere").mkdir()
    (folder / "set").symlink_to(tmp_path / "elsewhere")
    archive = packed(tmp_path / "a.tar.xz", ("set/a.txt", tarfile.REGTYPE, b"one\n"))
    with pytest.raises(ValueError, match="leads out of"):
        unpack(archive, folder)
    assert everything(tmp_path / "elsewhere") == set()


def test_a_file_that_is_there_stays(tmp_path, folder):
    (folder / "a").write_text("mine")
    archive = packed(tmp_path / "a.tar.xz", ("a", tarfile.REGTYPE, b"theirs"))
    with pytest.raises(FileExistsError):
        unpack(archive, folder)
    assert (folder / "a").read_text() == "mine"
