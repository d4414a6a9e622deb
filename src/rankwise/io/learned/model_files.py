"""Learned models as files."""

from rankwise.io.files import StrPath, write_text
from rankwise.learning.learned_model import LearnedModel


def write_model(model: LearnedModel, path: StrPath) -> None:
    """Write a model as JSON, for ``rw.metric("learned:model=PATH")``.

    The model is that of what :func:`rankwise.learn` found, ``learned.model``.
    """
    with write_text(path) as stream:
        stream.write(model.to_json())
