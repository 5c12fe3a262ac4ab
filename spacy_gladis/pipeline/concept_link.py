"""What the pipeline says of one phrase that is linked to a concept."""

from typing import Any, NamedTuple

from .resolution import NIL


class ConceptCandidate(NamedTuple):
    """A concept's id, its preferred name, and its probability, 0..1."""

    concept: str
    name: str
    probability: float


class ConceptLink(NamedTuple):
    """A phrase's concept with its preferred name, how sure it is (0..1), and all candidates.

    `concept` and `name` are None where no concept is likely enough. `candidates` are the best
    first, the chosen one included.
    """

    phrase: str
    concept: str | None
    name: str | None
    probability: float
    candidates: tuple[ConceptCandidate, ...] = ()

    @property
    def kb_id(self) -> str:
        """The concept's id or NIL: what the span's `kb_id_` holds."""
        return NIL if self.concept is None else self.concept

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it: a dictionary of strings, numbers and lists."""
        return {**self._asdict(), "candidates": [list(one) for one in self.candidates]}

    @classmethod
    def from_dict(cls, record: dict[str, Any]) -> "ConceptLink":
        """Read what `to_dict` wrote, JSON or msgpack between them."""
        candidates = tuple(ConceptCandidate(*one) for one in record["candidates"])
        return cls(**{**record, "candidates": candidates})
