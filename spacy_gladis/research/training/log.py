"""A run's log: JSON lines, a record every so many steps, the held-out scores."""

import json
import math
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any


class Log:
    """`log.jsonl`, cut back to the checkpoint so that a resumed run writes no step twice.

    done: steps of the checkpoint. report: is given every new record. writes: whether this process
    is the one that writes and reports.
    """

    def __init__(
        self, path: Path, done: int, report: Callable[[dict[str, Any]], None], *, writes: bool
    ) -> None:
        self.path, self.report, self.writes = path, report, writes
        self.best, self.stale = -math.inf, 0
        self.records: list[dict[str, Any]] = []
        for record in read_log(path) if path.is_file() else []:
            if record["step"] <= done:
                self._note(record)
        if writes:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("".join(json.dumps(r) + "\n" for r in self.records), "utf8")

    def add(self, record: dict[str, Any]) -> bool:
        """Keep a record; returns whether it holds the best held-out score yet."""
        if self.writes:
            with self.path.open("a", encoding="utf8") as file:
                file.write(json.dumps(record) + "\n")
            self.report(record)
        return self._note(record)

    def _note(self, record: dict[str, Any]) -> bool:
        self.records.append(record)
        if "score" not in record:
            return False
        better: bool = record["score"] > self.best
        self.best = max(self.best, record["score"])
        self.stale = 0 if better else self.stale + 1
        return better


def read_log(path: Path) -> list[dict[str, Any]]:
    """The records of a log file."""
    records: list[Any] = []
    for line in path.read_text("utf8").splitlines():
        with suppress(ValueError):  # the last line of a killed run may be a part
            records.append(json.loads(line))
    return [record for record in records if isinstance(record, dict) and "step" in record]
