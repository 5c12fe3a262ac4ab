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
        self._bar: Bar | None = None
        self._name = ""
        self._total = self._done = 0
        self._began = self._said = 0.0

    def note(self, message: str) -> None:
        """Say something beside the progress."""
        self.console.print(message, markup=False, soft_wrap=True)

    @contextmanager
    def stage(self, name: str, total: int) -> Iterator[None]:
        """Show the progress of one stage over `total` bytes."""
        self._name, self._total, self._done = name, total, 0
        self._began = self._said = time.monotonic()
        if not total:
            yield
        elif not self.console.is_terminal:
            yield
            self._say()
        else:
            columns = (
                TextColumn("{task.description}"),
                BarColumn(),
                DownloadColumn(),
                TransferSpeedColumn(),
                TimeRemainingColumn(),
            )
            with Bar(*columns, console=self.console) as self._bar:
                self._bar.add_task(name, total=total)
                yield
            self._bar = None

    def advance(self, size: int) -> None:
        """`size` bytes more are done."""
        self._done += size
        if self._bar:
            self._bar.advance(self._bar.task_ids[0], size)
        elif time.monotonic() - self._said >= EVERY:
            self._say()

    def _say(self) -> None:
        self._said = time.monotonic()
        seconds = self._said - self._began
        rate = self._done / seconds if seconds else 0.0
        left = (self._total - self._done) / rate if rate else 0.0
        self.note(
            f"{self._name}: {self._done / 1e6:,.1f} of {self._total / 1e6:,.1f} MB, "
            f"{rate / 1e6:,.1f} MB/s, {seconds:,.0f} s, {left:,.0f} s left"
        )
