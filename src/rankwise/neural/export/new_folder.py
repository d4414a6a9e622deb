"""A folder that is there whole or not at all."""

import json
import tempfile
from collections.abc import Callable
from pathlib import Path

from rankwise.errors import DataError
from rankwise.neural.model_folder import SETTINGS, ModelSettings


def new_folder(folder: str | Path, write: Callable[[Path], ModelSettings]) -> ModelSettings:
    """What *write* gives, with the folder it filled and its settings moved to the new *folder*.

    Nothing is left behind where it fails.
    """
    target = Path(folder)
    if target.exists():
        raise DataError(f"{target} exists already; name a new folder")
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{target.name}.") as temporary:
        place = Path(temporary) / "model"
        place.mkdir()
        settings = write(place)
        document = json.dumps(settings.document(), indent=2, ensure_ascii=False)
        (place / SETTINGS).write_text(document + "\n", encoding="utf-8")
        place.rename(target)
    return settings
