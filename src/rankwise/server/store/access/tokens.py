"""Secrets that are given out once: random, known to the store by their SHA-256 only."""

import hashlib
import secrets

#: What a pseudonym is made of: no letter that is taken for another letter or digit.
_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"


def new_token() -> str:
    """A secret of 192 bits, as it stands in a link."""
    return secrets.token_urlsafe(24)


def token_hash(token: str) -> str:
    """What is stored for *token*; it needs no salt, since nobody can guess 192 bits."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def token_prefix(token: str) -> str:
    """The beginning of *token*, by which people recognise it."""
    return token[:6]


def new_pseudonym() -> str:
    """A name for a judge that says nothing about the judge."""
    return "judge-" + "".join(secrets.choice(_LETTERS) for _ in range(6))
