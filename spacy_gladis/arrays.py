"""Type aliases for numpy arrays by the type of their elements, such as `Floats` for `float32`."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]
Numbers = NDArray[np.floating[Any]]
"""A numpy array of floats of any precision, such as `float32` or `float64`."""
