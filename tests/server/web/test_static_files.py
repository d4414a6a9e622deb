"""Scripts and styles: packed, kept for good under a digest, and named where a page needs them."""

import gzip
import re

import pytest

from rankwise.errors import DataError
from rankwise.server.settings import Settings
from rankwise.server.web.app import create_app
from rankwise.server.web.static_files import FOLDER, StaticFiles, static_files
from web_client import browser


@pytest.fixture(scope="module")
def client(world):
    return browser(create_app(world.store, Settings(refresher=False)))


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "main.js").write_text(
        'import { a } from "./a.js";\nimport * as b from "./deep/b.js";\n'
    )
    (tmp_path / "a.js").write_text('import {\n  c,\n} from "./c.js";\nimport "./deep/b.js";\n')
    (tmp_path / "deep" / "b.js").write_text('export { c } from "../c.js";\n// import "./none.js"\n')
    (tmp_path / "c.js").write_text('export const c = "./none.js";\n')
    return tmp_path


def test_modules_are_found_however_deep_and_once(folder):
    assert StaticFiles.of(folder).imported("main.js") == ["a.js", "deep/b.js", "c.js"]


def test_a_change_anywhere_is_another_address(folder):
    before = StaticFiles.of(folder).address("main.js")
    (folder / "c.js").write_text("export const c = 2;\n")
    after = StaticFiles.of(folder).address("main.js")
    assert before != after and StaticFiles.of(folder).address("main.js") == after


def test_a_name_that_is_not_there_is_an_error(folder):
    with pytest.raises(DataError, match=r"no static file 'mian\.js'"):
        StaticFiles.of(folder).address("mian.js")


@pytest.mark.parametrize("name", sorted(static_files().files))
def test_every_file_comes_plain_and_packed(client, name):
    address, content = static_files().address(name), (FOLDER / name).read_bytes()
    plain = client.get(address, headers={"accept-encoding": "identity"})
    assert plain.content == content and "content-encoding" not in plain.headers
    packed = client.get(address, headers={"accept-encoding": "gzip"})
    assert packed.content == content and packed.headers["content-encoding"] == "gzip"
    assert int(packed.headers["content-length"]) == len(static_files().files[name].packed)
    assert packed.headers["vary"] == plain.headers["vary"] == "Accept-Encoding"
    assert packed.headers["etag"] != plain.headers["etag"]
    assert "immutable" in plain.headers["cache-control"]


def test_packing_pays():
    kept = static_files().files.values()
    assert sum(len(file.packed) for file in kept) < 0.5 * sum(len(file.content) for file in kept)
    assert all(gzip.decompress(file.packed) == file.content for file in kept)


@pytest.mark.parametrize("name", ["judge/main.js", "0123456789ab/judge/main.js"])
def test_another_version_asks_again(client, name):
    answer = client.get(f"/static/{name}")
    assert answer.status_code == 200 and answer.headers["cache-control"] == "no-cache"
    same = client.get(f"/static/{name}", headers={"if-none-match": answer.headers["etag"]})
    assert same.status_code == 304 and same.content == b""


@pytest.mark.parametrize(
    "name", ["..%2fapp.py", "%2e%2e/records.py", "judge", "", "0123456789ab/", "judge/main.js/"]
)
def test_nothing_else_is_reached(client, name):
    assert client.get(f"/static/{name}").status_code in (404, 307)


def test_pages_name_nothing_without_a_digest(client):
    page = client.get("/login").text
    found = re.findall(r'(?:src|href)="(/static/[^"]+)"', page)
    assert found and all(
        address.startswith(f"/static/{static_files().digest}/") for address in found
    )
