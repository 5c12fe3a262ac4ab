"""The option `--config`: a command's other options from a file, those that are typed first."""

from pathlib import Path

import typer
from confection import Config

from ...errors import InputError, unknown_name


def options_from_file(context: typer.Context, path: Path | None) -> Path | None:
    """Make the section of a settings file that has the command's name its options' defaults.

    Raises InputError where there is no such file or section, or a name that is no option's.
    """
    if path is None:
        return None
    command = context.command.name or ""
    try:
        options = dict(Config().from_disk(path)[command])
    except OSError as error:
        raise InputError(f"{path}: cannot read the settings ({error})") from None
    except (KeyError, ValueError) as error:
        raise InputError(f"{path}: no settings with a section [{command}] ({error})") from None
    known = [one.name or "" for one in context.command.params]
    for name in options:
        if name not in known:
            raise unknown_name(f"option of {command}", name, known)
    context.default_map = {**(context.default_map or {}), **options}
    return path
