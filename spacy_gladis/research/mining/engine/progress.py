"""Progress of a long job: a bar on a terminal, plain lines elsewhere; with rate and time left."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    TextColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)
from rich.progress import Progress as Bar

EVERY = 10.0  # seconds between plain lines


class Progress:
    """Progress in bytes, a stage at a time, written to standard error."""

    def __init__(self, console: Console | None = None) -> None:
        self.console = console or Console(file=sys.stderr, highlight=False)

    def note(self, message: str) -> None:
        """Say something beside the progress."""
        self.console.print(message, markup=False, soft_wrap=True)

    @contextmanager
    def stage(self, name: str, total: int) -> Iterator[None]:
        """Show the progress of one stage over `total` bytes."""
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            DownloadColumn(),
            TransferSpeedColumn(),
            TimeRemainingColumn(),
        )
        self._said = time.monotonic()
        shown = bool(total) and self.console.is_terminal
        with Bar(*columns, console=self.console, disable=not shown) as self._bar:
            self._bar.add_task(name, total=total)
            yield
        if total and not shown:
            self._say()

    def advance(self, size: int) -> None:
        """`size` bytes more are done."""
        self._bar.advance(self._bar.task_ids[0], size)
        if self._bar.disable and time.monotonic() - self._said >= EVERY:
            self._say()

    def _say(self) -> None:
        self._said = time.monotonic()
        task = self._bar.tasks[0]
        seconds, total = task.elapsed or 0.0, task.total or 0.0
        rate = task.completed / seconds if seconds else 0.0
        left = (total - task.completed) / rate if rate else 0.0
        self.note(
            f"{task.description}: {task.completed / 1e6:,.1f} of {total / 1e6:,.1f} MB, "
            f"{rate / 1e6:,.1f} MB/s, {seconds:,.0f} s, {left:,.0f} s left"
        )
