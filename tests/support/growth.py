"""How the work of a function grows with its input, whatever the machine and its load."""

import time
from collections.abc import Callable

STEP = 8
"""The larger input is so many times the smaller one."""
NOISE = 0.05
"""CPU seconds that say nothing."""


def assert_linear(run: Callable[[int], object], size: int) -> None:
    """`run(size)` takes an eighth of the CPU time of `run(8 * size)`, not a sixty-fourth."""
    small = min(_seconds(run, size) for _ in range(3))
    most = 3 * STEP * small + NOISE
    # Twice, as another process may have taken the caches: what is quadratic fails both times.
    assert any(_seconds(run, STEP * size) < most for _ in range(2))


def _seconds(run: Callable[[int], object], size: int) -> float:
    started = time.process_time()
    run(size)
    return time.process_time() - started
