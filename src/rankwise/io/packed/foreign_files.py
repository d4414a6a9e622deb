"""What a file is that is no text in UTF-8, by its first bytes: more help than a wrong byte."""

#: How many bytes tell all of them.
FOREIGN_BYTES = 512
#: The beginnings of texts in other encodings.
ENCODINGS = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16", b"\x00\x00\xfe\xff": "UTF-32"}
#: The beginnings of other files, what they are, and what to do with them.
KINDS = {
    b"PK\x03\x04": ("a ZIP archive, as workbooks are", "unpack it, or save a workbook as CSV"),
    b"\xd0\xcf\x11\xe0": ("an old Office file", "save it as text or CSV"),
    b"7z\xbc\xaf\x27\x1c": ("a 7z archive", "unpack it"),
    b"Rar!\x1a\x07": ("a RAR archive", "unpack it"),
    b"%PDF-": ("a PDF", "copy its text"),
    b"SQLite format 3\x00": ("an SQLite database", "export its tables"),
}
#: Where a tar archive says so.
_TAR, _TAR_PLACE = b"ustar", 257


def foreign_file(head: bytes) -> str:
    r"""What a file that begins with *head* is, and what to do; empty for what may be text.

    >>> foreign_file("text".encode("utf-16"))
    'is UTF-16; expected UTF-8 (iconv -f UTF-16 -t UTF-8)'
    >>> foreign_file(b"PK\x03\x04...")
    'is a ZIP archive, as workbooks are; expected text (unpack it, or save a workbook as CSV)'
    >>> foreign_file(b"PKWARE wrote it")
    ''
    """
    encoding = next((name for mark, name in ENCODINGS.items() if head.startswith(mark)), None)
    encoding = encoding or _without_mark(head)
    if encoding is not None:
        return f"is {encoding}; expected UTF-8 (iconv -f {encoding} -t UTF-8)"
    found = next((said for mark, said in KINDS.items() if head.startswith(mark)), None)
    if found is None and head.startswith(_TAR, _TAR_PLACE):
        found = ("a tar archive", "unpack it")
    return "" if found is None else f"is {found[0]}; expected text ({found[1]})"


def _without_mark(head: bytes) -> str | None:
    r"""UTF-16 that does not begin with its mark: of Latin letters every other byte is 0.

    >>> _without_mark("a\tb".encode("utf-16-le")), _without_mark("ab\tb".encode("utf-16-be"))
    ('UTF-16LE', 'UTF-16BE')
    """
    even, odd = head[:64:2], head[1:64:2]
    if not odd or any(even) == any(odd):
        return None
    return "UTF-16LE" if any(even) else "UTF-16BE"
