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
    large = _seconds(run, STEP * size)
    assert large < 3 * STEP * small + NOISE


def _seconds(run: Callable[[int], object], size: int) -> float:
    started = time.process_time()
    run(size)
    return time.process_time() - started
