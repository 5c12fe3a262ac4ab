"""Show the progress of long commands, as a bar on a terminal or as a line every half minute."""

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")
Count = Callable[[], int | None]
"""A function that returns the number of items, or None if they must be read to count them."""

DOCUMENTS = "documents"

SECONDS = 30.0
"""Number of seconds between two lines of progress if standard error is not a terminal."""


def with_progress(
    items: Iterable[Item],
    count: Count = lambda: None,
    *,
    what: str = DOCUMENTS,
    quiet: bool = False,
    shown: bool = True,
) -> Iterator[Item]:
    """Iterate over items, and report the progress on standard error.

    Args:
        items: The items to iterate over.
        count: Function that returns the number of items, or None if it is unknown.
        what: Plural noun for the items, used in the messages.
        quiet: Whether to report no progress.
        shown: Whether the items are printed to standard output. On a terminal, the bar is then
            hidden while an item is printed.

    Yields:
        The items, in order.
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
    """Iterate over items, and print a line of progress every `SECONDS` seconds, for logs.

    Args:
        items: The items to iterate over.
        count: Function that returns the number of items, or None if it is unknown.
        clock: Function that returns the time in seconds.
        what: Plural noun for the items, used in the messages.

    Yields:
        The items, in order.
    """
    last_line, total = clock(), ""
    for number, item in enumerate(items, 1):
        yield item
        if clock() - last_line >= SECONDS:
            if not total and (number_of_items := count()):
                total = f" of {number_of_items:,}"
            print(f"{number:,}{total} {what}", file=sys.stderr)
            last_line = clock()
