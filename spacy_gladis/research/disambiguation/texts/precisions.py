"""The precision that each threshold gave, for a model to choose a threshold by."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ....errors import FormatError, InputError
from ....files import write_json
from ....modeling.acrobert import Settings

SETTINGS = "acrobert.json"


def precisions(results: Sequence[dict[str, Any]]) -> list[tuple[float, float]]:
    """Each threshold with the precision by sense of the answers from it on, the sets' mean.

    Thresholds at which a set has no answer are left out. results: what `evaluate texts` wrote of
    each set. Raises FormatError for other results.
    """
    try:
        sets = [one["undefined"]["by sense"]["thresholds"] for one in results]
        measured = [
            (float(rows[0]["threshold"]), sum(row["precision"] for row in rows) / len(rows))
            for rows in zip(*sets, strict=True)
            if all(row["precision"] is not None for row in rows)
        ]
    except (KeyError, TypeError, ValueError) as error:
        raise FormatError(f"These are no results of 'evaluate texts': {error!r}") from None
    return [(threshold, round(precision, 4)) for threshold, precision in measured]


def write_precisions(paths: Sequence[Path], folder: Path) -> list[tuple[float, float]]:
    """Put what results files say into a model's settings; see `precisions`.

    Raises InputError and FormatError where a file cannot be used.
    """
    place = folder / SETTINGS
    try:
        found = precisions([json.loads(path.read_text("utf8")) for path in paths])
        record = json.loads(place.read_text("utf8"))
    except OSError as error:
        raise InputError(f"{error.filename} cannot be read: {error.strerror}.") from None
    except ValueError as error:
        raise FormatError(f"This is no JSON: {error}") from None
    settings = Settings.from_dict({**record, "precisions": found}, str(place))
    write_json(place, settings.to_dict())
    return found
