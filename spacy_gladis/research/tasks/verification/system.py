"""Base class and registry of the systems that verify the sense of a word in its context."""

from ...datasets.wic_tsv import TargetSense
from ..registry import Registry
from ..system import System
from .data import Training


class VerificationSystem(System[Training, TargetSense, float]):
    """Base class of systems that predict the probability that a word has a given sense.

    A probability of 0.5 or more counts as the answer "yes".
    """


SYSTEMS: Registry[VerificationSystem] = Registry(f"{__package__}.systems")
