"""SciAI's files: sentences as lists of tokens with BIO labels."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeGuard

from ...errors import FormatError, InputError
from ...rules import repair_bio

LABELS = frozenset({"O", "B-short", "I-short", "B-long", "I-long"})
_NO_SPACE_BEFORE = frozenset({*",.;:)]}?!%", "'s", "’s", "n't", "'"})
_NO_SPACE_AFTER = frozenset("([{")


class Sentence(NamedTuple):
    """A sentence with its gold labels, and its text as it was before it was cut into tokens."""

    id: str
    labels: list[str]
    text: str
    offsets: list[tuple[int, int]]  # of each token in the text


class SciAI(NamedTuple):
    """The sentences of a file."""

    sentences: list[Sentence]
    repaired: int  # labels that continue nothing, which the official scorer passes over


def find_sets(path: Path, only: Sequence[str] = ()) -> dict[str, Path]:
    """The files to evaluate by name: `path` itself, or the JSON files below it.

    `only` keeps those whose name holds one of these. Raises InputError when none is left.
    """
    root = path if path.is_dir() else path.parent
    files = sorted(path.rglob("*.json")) if path.is_dir() else [path]
    named = {str(file.relative_to(root).with_suffix("")): file for file in files if file.is_file()}
    chosen = {
        name: file for name, file in named.items() if not only or any(part in name for part in only)
    }
    if not chosen:
        raise InputError(
            f"Nothing to evaluate in {path}"
            + (
                f": {', '.join(named)} do not hold {', '.join(only)}."
                if named
                else ": it is no JSON file and no folder of such files."
            )
        )
    return chosen


def read_sciai(path: Path) -> SciAI:
    """The sentences of a SciAI file.

    Raises FormatError, with the item, for what is no SciAI file, for labels of another number than
    the tokens and for unknown labels.
    """
    sentences = []
    repaired = 0
    for number, item in enumerate(read_items(path)):
        where = f"{path}, item {number} ({item.get('id', 'no id')})"
        tokens, labels = item.get("tokens"), item.get("labels")
        if not _are_strings(tokens) or not _are_strings(labels):
            raise FormatError(f"{where}: expected 'tokens' and 'labels', two lists of strings.")
        if len(tokens) != len(labels):
            raise FormatError(f"{where}: {len(tokens)} tokens but {len(labels)} labels.")
        unknown = set(labels) - LABELS
        if unknown:
            raise FormatError(
                f"{where}: unknown label {sorted(unknown)[0]!r}; "
                f"expected {', '.join(sorted(LABELS))}."
            )
        repaired += repair_bio(labels)[1]
        sentences.append(Sentence(str(item.get("id", number)), labels, *join_tokens(tokens)))
    return SciAI(sentences, repaired)


def read_items(path: Path) -> list[dict[str, Any]]:
    """The objects of a JSON list, at least one."""
    try:
        items = json.loads(path.read_text("utf8"))
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from error
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{path} is no JSON in UTF-8: {error}.") from error
    if not isinstance(items, list) or not items or not all(isinstance(i, dict) for i in items):
        raise FormatError(f"{path}: expected a JSON list of objects that is not empty.")
    return items


def join_tokens(tokens: Sequence[str]) -> tuple[str, list[tuple[int, int]]]:
    """The text that tokens come from, as near as their spelling tells, and their offsets in it."""
    text = before = ""
    offsets = []
    for token in tokens:
        if text and not (
            token in _NO_SPACE_BEFORE or before in _NO_SPACE_AFTER or "-" in (token, before)
        ):
            text += " "
        offsets.append((len(text), len(text) + len(token)))
        text += token
        before = token
    return text, offsets


def _are_strings(value: object) -> TypeGuard[list[str]]:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)
