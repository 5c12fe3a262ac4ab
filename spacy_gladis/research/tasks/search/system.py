"""The interface of searches, and their registry."""

from ..registry import Registry
from ..system import System
from .data import Query, Ranking, Training


class SearchSystem(System[Training, Query, Ranking]):
    """A search of the chunks of a collection."""


SYSTEMS: Registry[SearchSystem] = Registry(f"{__package__}.systems")
