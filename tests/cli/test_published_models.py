"""Published models: looked for in the cache, and fetched only where somebody says so."""

import hashlib
import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from rankwise.errors import DataError
from rankwise.metrics.outside.published_models import allow_fetching, published_file

pytest.importorskip("huggingface_hub")

COMMIT = "0123456789abcdef" * 2 + "01234567"
#: A model of COMET as it is published, without its network, and the encoder that it names.
HUB = {
    "Somebody/some-comet": {
        "checkpoints/model.ckpt": b"weights",
        "hparams.yaml": b"class_identifier: x\npretrained_model: Somebody/some-encoder\n",
        "flax_model.msgpack": b"for another program",
    },
    "Somebody/some-encoder": {
        "config.json": b"{}",
        "tokenizer.json": b"{}",
        "pytorch_model.bin": b"many weights",
    },
}


class Hub(BaseHTTPRequestHandler):
    """What a hub of models says of those above."""

    protocol_version = "HTTP/1.1"

    def answer(self):
        self.server.asked.append(f"{self.command} {self.path}")
        headers, body = {}, None
        for name, files in HUB.items():
            if self.path.startswith(f"/api/models/{name}/tree/"):
                listed = [
                    {"type": "file", "path": file, "size": len(content), "oid": "0" * 40}
                    for file, content in files.items()
                ]
                body = json.dumps(listed).encode()
                headers["Content-Type"] = "application/json"
            elif self.path.startswith(f"/api/models/{name}"):
                listed = [{"rfilename": file} for file in files]
                body = json.dumps({"id": name, "sha": COMMIT, "siblings": listed}).encode()
                headers["Content-Type"] = "application/json"
            elif self.path.startswith(f"/{name}/resolve/{COMMIT}/"):
                body = files[self.path.rpartition(f"{COMMIT}/")[2]]
                headers["ETag"] = f'"{hashlib.sha256(body).hexdigest()}"'
                headers["X-Repo-Commit"] = COMMIT
        self.send_response(404 if body is None else 200)
        for header in headers.items():
            self.send_header(*header)
        self.send_header("Content-Length", str(len(body or b"")))
        self.end_headers()
        if self.command == "GET" and body:
            self.wfile.write(body)

    do_GET = do_HEAD = answer  # noqa: N815 - names of the standard library

    def log_message(self, *_):
        pass


@contextmanager
def serving():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    server.asked = []
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture
def hub(tmp_path, monkeypatch):
    with serving() as server:
        monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{server.server_port}")
        monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
        monkeypatch.setenv("HF_HUB_DISABLE_PROGRESS_BARS", "1")
        yield server
    allow_fetching(False)


def found():
    return published_file("comet", "Somebody/some-comet", "checkpoints/model.ckpt", "fetch it")


def test_nothing_is_fetched_unless_somebody_says_so(hub, tmp_path):
    with pytest.raises(DataError, match="nothing is downloaded, without --download: fetch it"):
        found()
    assert hub.asked == []
    assert not (tmp_path / "hub").exists()


def test_a_model_is_fetched_once_with_the_tokenizer_of_its_encoder(hub, tmp_path):
    allow_fetching(True)
    assert found().read_bytes() == b"weights"
    kept = {path.name for path in (tmp_path / "hub").rglob("*") if path.is_file()}
    assert {"model.ckpt", "hparams.yaml", "tokenizer.json", "config.json"} <= kept
    assert not {"flax_model.msgpack", "pytorch_model.bin"} & kept
    asked = len(hub.asked)
    assert found().read_bytes() == b"weights"
    assert len(hub.asked) == asked


def test_a_path_is_never_asked_for(hub):
    allow_fetching(True)
    for path in ("./model", "/tmp/model", "model", "a/b/c"):
        with pytest.raises(DataError, match="no such folder or checkpoint here;"):
            published_file("comet", path, "checkpoints/model.ckpt", "fetch it")
    assert hub.asked == []


def test_a_model_that_nobody_has_is_one_sentence(hub):
    allow_fetching(True)
    with pytest.raises(DataError, match="'Somebody/else' could not be fetched: ") as caught:
        published_file("comet", "Somebody/else", "checkpoints/model.ckpt", "fetch it")
    assert "\n" not in str(caught.value)


def test_a_hub_that_is_down_is_one_sentence(hub):
    allow_fetching(True)
    hub.shutdown()
    hub.server_close()
    with pytest.raises(DataError) as caught:
        found()
    assert str(caught.value) == (
        "comet: the model 'Somebody/some-comet' could not be fetched: Connection refused"
    )


def test_what_a_library_says_at_length_is_cut_and_shown_as_cut(hub, monkeypatch):
    def refuse(*_, **__):
        raise ValueError("no " * 200)

    allow_fetching(True)
    monkeypatch.setattr("huggingface_hub.snapshot_download", refuse)
    with pytest.raises(DataError, match=r"could not be fetched: (no ?)+\.\.\.$"):
        found()


@pytest.fixture
def texts(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("s", "r", "o"):
        (tmp_path / f"{name}.txt").write_text("a line\n", encoding="utf-8")
    return ["-s", "s.txt", "-r", "r.txt", "o.txt"]


def test_the_commands_fetch_with_the_option_alone(hub, texts, run, tmp_path):
    command = ["score", *texts, "-m", "comet:model=Somebody/some-comet"]
    done = run(*command)
    assert done.exit_code == 1
    assert "nothing is downloaded, without --download" in done.stderr
    assert hub.asked == []
    run(*command, "--download")  # it cannot be run here; it is there now
    assert found().is_file()
    (tmp_path / "hub").rename(tmp_path / "old")
    run("mbr", "o.txt", "-s", "s.txt", "-m", "comet:model=Somebody/some-comet", "--download")
    assert found().is_file()
    features = ("--features", "comet:model=Somebody/some-comet", "--download")
    (tmp_path / "hub").rename(tmp_path / "older")
    (tmp_path / "j.tsv").write_text("system\tsegment\tscore\no\t1\t5\n", encoding="utf-8")
    run("learn", *texts, "-j", "j.tsv", *features, "-o", "model")
    assert found().is_file()
    before = len(hub.asked)
    gone = run("score", *texts, "-m", "comet:model=Somebody/else")
    assert "nothing is downloaded" in gone.stderr, "allowed for one command, not for the next"
    assert len(hub.asked) == before
    run("neural", "export", "Somebody/some-encoder", "out", "--encoder", "--download")
    assert [line for line in hub.asked if "pytorch_model" in line], "an encoder has weights"
