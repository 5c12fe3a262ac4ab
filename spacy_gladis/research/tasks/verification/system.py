"""Base class and registry of the systems for target sense verification."""

from ...datasets.wic_tsv import TargetSense
from ..registry import Registry
from ..system import System
from .data import Training


class VerificationSystem(System[Training, TargetSense, float]):
    """A system that predicts the probability that a target word has a given sense.

    A probability of 0.5 or more means yes.
    """


SYSTEMS: Registry[VerificationSystem] = Registry(f"{__package__}.systems")
