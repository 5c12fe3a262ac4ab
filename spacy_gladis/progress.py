"""Progress of long commands, as a bar on a terminal or as a line of text every half minute."""

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")
Count = Callable[[], int | None]
"""Type of a function that returns the number of items, or None if it isn't known in advance."""

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

    On a terminal, a bar shows how many items are done and how much time remains. Otherwise, for
    example in a log file, a line of text is printed every `SECONDS` seconds.

    Args:
        items: Items to iterate over, such as the documents that a command reads.
        count: Function that returns the number of items, or None if it is unknown.
        what: Plural noun that names the items in the output, such as ``"documents"``.
        quiet: Whether to report no progress at all.
        shown: Whether the caller prints the items to standard output. If that is a terminal, the
            bar is hidden while the caller handles an item.

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
    """Iterate over items, and print a line such as ``1,200 of 5,000 documents`` every half minute.

    Use it instead of a progress bar if standard error is a file or a log.

    Args:
        items: Items to iterate over.
        count: Function that returns the number of items, or None if it is unknown. It is called
            when a line is printed.
        clock: Function that returns the current time in seconds.
        what: Plural noun that names the items in the output, such as ``"documents"``.

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
