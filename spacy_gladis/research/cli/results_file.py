"""What the commands write of their results: JSON that names the command, and reports."""

import json
import sys
from pathlib import Path
from typing import Any

from ...files import writing


def command_line() -> str:
    """The command as it was typed, for the results file."""
    return " ".join(["spacy-gladis", *sys.argv[1:]])


def as_json(results: dict[str, Any]) -> str:
    """Results as the files under `benchmarks/results` hold them."""
    return json.dumps(results, indent=1, ensure_ascii=False) + "\n"


def write_text(path: Path, text: str) -> None:
    """Write a report: whole, or not at all."""
    with writing(path) as temporary:
        temporary.write_text(text, encoding="utf-8")
