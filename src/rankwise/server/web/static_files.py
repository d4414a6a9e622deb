"""Scripts, styles and pictures: read once, packed once, and kept by browsers for good.

Their addresses hold a digest of all of them, so that a browser never asks twice for what it has and
never mixes two versions. Written by hand because Starlette's ``StaticFiles`` neither packs nor
names by content.
"""

import gzip
import hashlib
import mimetypes
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath

from fastapi import APIRouter, HTTPException, Request
from starlette.responses import Response

from rankwise.errors import DataError

FOLDER = Path(__file__).parents[1] / "static"
#: What the digest in an address looks like.
DIGEST_LENGTH = 12
FOR_GOOD = "public, max-age=31536000, immutable"
_IMPORT = re.compile(
    r"""^\s*(?:import\s*|(?:import|export)\b[^"';]*?\bfrom\s*)["'](\.[^"']+)["']""", re.MULTILINE
)

router = APIRouter()


@dataclass(frozen=True, slots=True)
class StaticFile:
    """A file as it is sent: plain or packed."""

    content: bytes
    packed: bytes
    kind: str
    tag: str

    @classmethod
    def of(cls, name: str, content: bytes) -> "StaticFile":
        """The file *name* with its bytes."""
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        charset = "; charset=utf-8" if kind.startswith("text/") else ""
        tag = hashlib.sha256(content).hexdigest()[:32]
        return cls(content, gzip.compress(content, 9, mtime=0), kind + charset, tag)


@dataclass(frozen=True)
class StaticFiles:
    """All files by their names, and the digest of them all."""

    files: dict[str, StaticFile]
    digest: str

    @classmethod
    def of(cls, folder: Path) -> "StaticFiles":
        """What lies in *folder*."""
        found = {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for path in sorted(folder.rglob("*"))
            if path.is_file()
        }
        whole = hashlib.sha256()
        for name, content in found.items():
            whole.update(name.encode() + b"\0" + hashlib.sha256(content).digest())
        files = {name: StaticFile.of(name, content) for name, content in found.items()}
        return cls(files, whole.hexdigest()[:DIGEST_LENGTH])

    def address(self, name: str) -> str:
        """Where a page finds the file *name*."""
        if name not in self.files:
            raise DataError(f"there is no static file {name!r}")
        return f"/static/{self.digest}/{name}"

    def imported(self, name: str) -> list[str]:
        """What the module *name* imports, near ones first, itself not among them.

        A browser that is told asks for all of them at once; it would find them one after another.
        """
        seen = {name}
        for module in (waiting := [name]):
            for found in _IMPORT.findall(self.files[module].content.decode()):
                imported = _joined(PurePosixPath(module).parent, found)
                if imported not in seen:
                    seen.add(imported)
                    waiting.append(imported)
        return waiting[1:]


def _joined(folder: PurePosixPath, relative: str) -> str:
    """The name of what *relative* means in *folder*.

    >>> _joined(PurePosixPath("judge/document"), "../dom.js")
    'judge/dom.js'
    """
    parts = list(folder.parts)
    for part in PurePosixPath(relative).parts:
        if part == "..":
            parts.pop()
        else:
            parts.append(part)
    return "/".join(parts)


@cache
def static_files() -> StaticFiles:
    """The files of this installation."""
    return StaticFiles.of(FOLDER)


@router.api_route("/static/{name:path}", methods=["GET", "HEAD"])
def send(name: str, request: Request) -> Response:
    """A file, packed where the browser takes it so; nothing where the browser has it."""
    kept = static_files()
    file = kept.files.get(_without_digest(name))
    if file is None:
        raise HTTPException(404)
    packed = "gzip" in request.headers.get("accept-encoding", "")
    tag = f'"{file.tag}-gzip"' if packed else f'"{file.tag}"'
    # a page from before an update, or somebody who typed the plain name, must ask again
    caching = FOR_GOOD if name.startswith(f"{kept.digest}/") else "no-cache"
    headers = {"Cache-Control": caching, "ETag": tag, "Vary": "Accept-Encoding"}
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    if packed:
        headers["Content-Encoding"] = "gzip"
    return Response(file.packed if packed else file.content, media_type=file.kind, headers=headers)


def _without_digest(name: str) -> str:
    """The name without the digest of this or another version.

    >>> _without_digest("0123456789ab/judge/main.js"), _without_digest("judge/main.js")
    ('judge/main.js', 'judge/main.js')
    """
    return re.sub(rf"^[0-9a-f]{{{DIGEST_LENGTH}}}/", "", name)
