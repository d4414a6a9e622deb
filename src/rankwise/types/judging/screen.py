"""A question for a judge."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Screen:
    """A question for a judge: rank what these systems made of this segment.

    ``segment`` is ``None`` where no segments are known. ``chance`` is the probability that the
    strategy chose just these systems, given everything before; ``None`` for screens of the floor
    and where there is no closed form.
    """

    systems: tuple[str, ...]
    segment: str | None = None
    chance: float | None = field(default=None, compare=False)
