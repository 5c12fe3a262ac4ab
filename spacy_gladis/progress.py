"""How far a command is: a bar on a terminal, a line now and then elsewhere."""

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")
Count = Callable[[], int | None]
"""Counts what will come; None where that takes reading it."""

DOCUMENTS = "documents"

SECONDS = 30.0
"""Between two lines where nobody watches."""


def with_progress(
    items: Iterable[Item],
    count: Count = lambda: None,
    *,
    what: str = DOCUMENTS,
    quiet: bool = False,
    shown: bool = True,
) -> Iterator[Item]:
    """The items as they come, while standard error says how many they are.

    what: what to call so many of them. quiet: say nothing. shown: whether the items are written to
    standard output meanwhile; on a terminal the bar then makes way for each.
    """
    if quiet:
        yield from items
    elif sys.stderr.isatty():
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

        columns = (BarColumn(), MofNCompleteColumn(), what, TimeRemainingColumn())
        shared = shown and sys.stdout.isatty()
        with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
            for item in progress.track(items, total=count(), description=what):
                if shared:
                    progress.stop()
                yield item
                if shared:
                    progress.start()
    else:
        yield from with_lines(items, count, what=what)


def with_lines(
    items: Iterable[Item],
    count: Count,
    clock: Callable[[], float] = time.monotonic,
    what: str = DOCUMENTS,
) -> Iterator[Item]:
    """A plain line every SECONDS, so that a log shows that the work goes on."""
    said, total = clock(), ""
    for number, item in enumerate(items, 1):
        yield item
        if clock() - said >= SECONDS:
            if not total and (known := count()):
                total = f" of {known:,}"
            print(f"{number:,}{total} {what}", file=sys.stderr)
            said = clock()
