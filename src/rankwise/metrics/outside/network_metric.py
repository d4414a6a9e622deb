"""What metrics with a model share: it is found at once, opened later, and known by its hash."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from rankwise.errors import DataError
from rankwise.metrics.outside.batch_metric import BatchMetric
from rankwise.types.named import check_choice

DEVICES = ("auto", "cpu", "cuda")


class FoundModel(Protocol):
    """A model that was found; it is opened when it first scores."""

    digest: str


@dataclass(frozen=True)
class NetworkMetric(BatchMetric):
    """A metric that a network computes.

    Those that derive from it have the options ``model``, ``device`` and ``sha256``.
    """

    #: Outputs that are handed to the model at once, which sorts them by length into smaller
    #: batches; then scores are kept and progress is told, on a slow machine after a minute.
    batch_size: ClassVar[int] = 128

    @abstractmethod
    def _looked_up(self, model: Any, device: str) -> FoundModel:
        """The model that the option ``model`` names."""

    def _find(self) -> None:
        """Find the model, and put down its hash; it is loaded when the first text is scored."""
        options = self.__dict__
        check_choice(self.name, "device", options["device"], DEVICES)
        found = self._looked_up(options["model"], options["device"])
        expected = options["sha256"]
        if expected is not None and expected != found.digest:
            raise DataError(
                f"{self.name}: {options['model']} has sha256 {found.digest}; expected {expected}: "
                "it is another model"
            )
        object.__setattr__(self, "sha256", found.digest)
        object.__setattr__(self, "_model", found)

    def _is_derived(self, option: str) -> bool:
        return option == "sha256"

    def __getstate__(self) -> dict[str, Any]:
        """What travels to another process: the options, and how batches are computed."""
        return {name: value for name, value in self.__dict__.items() if name != "_model"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """The same metric in another process, which finds the model there."""
        self.__dict__.update(state)
        self._find()

    @property
    def model_hash(self) -> str | None:
        """The hash of the model's files."""
        found: str = self.__dict__["sha256"]
        return found
