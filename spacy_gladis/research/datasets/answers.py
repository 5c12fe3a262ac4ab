"""What systems answered, row by row, in files that `spacy-gladis audit --predictions` reads."""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ...files import writing

Record = dict[str, Any]


def write_answers(folder: Path | None, set_name: str, name: str, records: Iterable[Record]) -> None:
    """Write `SET-NAME.jsonl` into the folder, one record a row; without a folder, nothing.

    name: that of a system, or of a part of the set whose rows are kept beside the answers.
    """
    if folder is None:
        return
    stem = re.sub(r"[^\w.]+", "-", f"{set_name} {name}").strip("-")
    with writing(folder / f"{stem}.jsonl") as path, path.open("w", encoding="utf-8") as file:
        for record in records:
            file.write(json.dumps(record, ensure_ascii=False) + "\n")
