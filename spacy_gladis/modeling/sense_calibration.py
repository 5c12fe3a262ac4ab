"""From one cosine to a probability: does this sense fit here, when no other is known?"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..arrays import Doubles, Numbers


@dataclass(frozen=True)
class Odds:
    """The logarithm of the odds that a sense fits: `cosine * (its cosine) + bias`.

    The defaults were fitted to the packaged weights, see docs/verification.md; `train export` fits
    those of other weights.
    """

    cosine: float = 6.7188
    bias: float = -2.9081

    def probabilities(self, cosines: Sequence[float] | Numbers) -> Doubles:
        """Probabilities [n] of cosines [n]."""
        logits = self.cosine * np.asarray(cosines, dtype=np.float64) + self.bias
        probabilities: Doubles = 1 / (1 + np.exp(-logits))
        return probabilities
