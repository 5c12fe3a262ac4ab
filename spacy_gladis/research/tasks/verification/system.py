"""What a system for target sense verification offers, and the registry of those there are."""

from ...datasets.wic_tsv import TargetSense
from ..registry import Registry
from ..system import System
from .data import Training


class VerificationSystem(System[Training, TargetSense, float]):
    """A system that gives the probability that a target has a sense; 0.5 and more is yes."""


SYSTEMS: Registry[VerificationSystem] = Registry(f"{__package__}.systems")
