"""Copies of files with long forms inserted."""

import os
from collections import Counter
from pathlib import Path
from typing import Any

import typer

from . import documents
from .options import refuse_to_replace


def write_copies(
    given: list[str], output: Path, mode: str, overwrite: bool, **reading: Any
) -> None:
    """Write a copy of each text file, in its encoding, and of each DOCX, and say how many others
    have none. output: a folder; of one file that is given, its copy, unless it is a folder."""
    from ..documents.source import Source
    from ..files import writing
    from ..output.expansion import expand_file, expander
    from ..problem import Problem

    targets = _targets(given, output, mode, overwrite)
    expanded = expander(mode, expand_file, encoding=reading["encoding"])
    problems = documents.new_problems()
    sources: dict[str, Source] = {}
    endings: dict[str, str] = {}  # of the files without a copy, else empty
    for name, doc in documents.annotated(given, problems, sources, output=output, **reading):
        source = sources.pop(name)
        path = Path(source.path)
        target = targets.pop(source.path, None)  # a file may be given twice
        endings.setdefault(source.path, "" if target else path.suffix.lower() or name)
        if target is None:
            continue
        try:
            content = expanded(source, doc)
            with writing(target) as temporary:
                temporary.write_bytes(content)
        except (ValueError, OSError) as error:  # lxml's own for what XML cannot hold
            problems(Problem("not copied", name, None, str(error)))
    documents.say_numbers("Not copied", Counter(filter(None, endings.values())))
    documents.finish(problems)


def _targets(given: list[str], output: Path, mode: str, overwrite: bool) -> dict[str, Path]:
    """Where each file's copy goes: where it lies below the folder that holds all that is given.

    Raises BadParameter for a copy that would lie in what is read, or replace a file unasked.
    """
    from ..documents.sources import are_several, files_of, is_read_once, is_text
    from ..output.expansion import TOOLTIPS
    from ..output.markup import EDITABLE

    files = files_of(given, TOOLTIPS if mode == "tooltip" else (*EDITABLE, "docx"))
    is_folder = output.is_dir() or are_several(given)
    if mode == "tooltip" and not is_folder:
        raise typer.BadParameter("--expand tooltip is for HTML and Markdown, not for DOCX.")
    paths = [Path(one).absolute() for one in given if not (is_text(one) or is_read_once(one))]
    folders = [os.path.normpath(one if one.is_dir() else one.parent) for one in paths]
    common = os.path.commonpath(folders or ["."])
    read = {path.resolve() for path in (*paths, *files)}
    targets = {}
    for path in files:
        target = output / os.path.relpath(path, common) if is_folder else output
        real = target.resolve()
        if not read.isdisjoint([real, *real.parents]):
            raise typer.BadParameter(f"'{target}' would lie in what is read. Give another place.")
        refuse_to_replace(target, overwrite)
        targets[str(path)] = target
    return targets
