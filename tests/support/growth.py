"""How the work of a function grows with its input, whatever the machine and its load."""

import sys
import time
from collections.abc import Callable
from types import FrameType
from typing import Any

STEP = 8
"""The larger input is so many times the smaller one."""
NOISE = 0.05
"""CPU seconds that say nothing."""
STEADY = 200
"""Lines of Python that say nothing."""


def assert_linear(run: Callable[[int], object], size: int) -> None:
    """`run(size)` takes an eighth of the CPU time of `run(8 * size)`, not a sixty-fourth."""
    small = min(_seconds(run, size) for _ in range(3))
    most = 3 * STEP * small + NOISE
    # Twice, as another process may have taken the caches: what is quadratic fails both times.
    assert any(_seconds(run, STEP * size) < most for _ in range(2))


def assert_linear_steps(run: Callable[[int], object], size: int) -> None:
    """From 2 to 4 times the size `run` takes twice the lines of Python more than from 1 to 2 times.

    What is quadratic takes four times as many. What C does is not counted: see `assert_linear`.
    """
    run(size)  # imports, and what is made once
    once, twice, four = (_steps(run, times * size) for times in (1, 2, 4))
    assert four - twice < 3 * (twice - once) + STEADY, (once, twice, four)


def _steps(run: Callable[[int], object], size: int) -> int:
    steps, before = 0, sys.gettrace()

    def count(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal steps
        steps += event == "line"
        return count

    sys.settrace(count)
    try:
        run(size)
    finally:
        sys.settrace(before)
    return steps


def _seconds(run: Callable[[int], object], size: int) -> float:
    started = time.process_time()
    run(size)
    return time.process_time() - started
