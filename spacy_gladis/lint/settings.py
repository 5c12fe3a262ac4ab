"""The linter's settings: a project's file, then what the command line says."""

import sys
from collections.abc import Iterable
from dataclasses import dataclass, field, fields, replace
from glob import escape
from pathlib import Path
from typing import Any

from ..errors import FormatError, InputError, unknown_name
from ..rules import base_form

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

OWN_FILE = ".spacy-gladis.toml"
PROJECT_FILE = "pyproject.toml"


@dataclass(frozen=True)
class Settings:
    """What to report.

    select, ignore: codes or their beginnings; ignore wins.
    allow: acronyms that need no definition, in any form.
    own: acronyms that the user's own entries name: acronyms whatever their letters are.
    exclude: patterns of files and folders that folders are read without, as in `Path.match`.
    least_uses: AC005: how often a defined acronym is to be used afterwards.
    least_probability: 0..1, from which on the dictionary's long form counts as known.
    propose: look undefined acronyms up; without, no network runs.
    """

    select: tuple[str, ...] = ("AC",)
    ignore: tuple[str, ...] = ()
    allow: frozenset[str] = field(default_factory=frozenset)
    own: frozenset[str] = field(default_factory=frozenset)
    exclude: tuple[str, ...] = ()
    least_uses: int = 1
    least_probability: float = 0.8
    propose: bool = True

    def allows(self, *forms: str) -> bool:
        """Whether one of an acronym's forms is in the allowed list."""
        return any(form in self.allow for form in forms)

    def reads(self, path: Path) -> bool:
        """Whether a file of a folder is read."""
        whole = path.absolute()
        inside = whole.is_relative_to(Path.cwd())
        folders = (whole.relative_to(Path.cwd()) if inside else path).parents
        places = (whole, path.resolve(), *folders)
        return not any(one.match(pattern) for pattern in self.exclude for one in places)

    def wants(self, code: str) -> bool:
        """Whether findings of this code are reported."""
        return code.startswith(self.select) and not (self.ignore and code.startswith(self.ignore))

    def checked(self, codes: Iterable[str]) -> "Settings":
        """These settings. Raises InputError where a code selects none of those there are, or a
        number is out of its range."""
        known = list(codes)
        for given in (*self.select, *self.ignore):
            if not given or not any(code.startswith(given) for code in known):
                raise unknown_name("rule", given, known)
        if not 0 <= self.least_probability <= 1:
            probability = self.least_probability
            raise InputError(f"least-probability must be between 0 and 1, got {probability}.")
        if self.least_uses < 0:
            raise InputError(f"least-uses must be 0 or more, got {self.least_uses}.")
        return self

    def with_allowed(self, acronyms: Iterable[str]) -> "Settings":
        """These settings with more acronyms that need no definition."""
        forms = {form for one in acronyms for form in (one, base_form(one)) if one}
        return replace(self, allow=self.allow | forms)

    def with_allow_file(self, path: Path) -> "Settings":
        """These settings with the acronyms of a list, which itself is no document."""
        listed = escape(str(path.resolve()))
        return replace(self.with_allowed(read_allowed(path)), exclude=(*self.exclude, listed))


def read_allowed(path: Path) -> list[str]:
    """The acronyms of a list, one a line; after `#` is a comment. Raises InputError."""
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} is not a list of acronyms that can be read: {error}") from None
    words = (line.partition("#")[0].split("\t")[0].strip() for line in lines)
    return [word for word in words if word]


def find_settings(start: Path) -> Settings:
    """The settings of the folder or the nearest one above it that has any.

    They are `.spacy-gladis.toml`, or `[tool.spacy-gladis.lint]` in `pyproject.toml`. Raises
    FormatError for a file that is not TOML, InputError for settings that are none.
    """
    for folder in (start.absolute(), *start.absolute().parents):
        own, project = folder / OWN_FILE, folder / PROJECT_FILE
        if own.is_file():
            table = _read(own)
            return _settings(table.get("lint", table), own)
        if project.is_file():
            table = _read(project).get("tool", {}).get("spacy-gladis", {})
            if "lint" in table:
                return _settings(table["lint"], project)
    return Settings()


def _read(path: Path) -> dict[str, Any]:
    try:
        table: dict[str, Any] = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FormatError(f"{path} is not TOML: {error}") from None
    return table


def _settings(table: dict[str, Any], path: Path) -> Settings:
    known = {one.name.replace("_", "-"): one for one in fields(Settings) if one.name != "own"}
    given: dict[str, Any] = {}
    allowed: list[str] = []
    listed: Path | None = None
    for name, value in table.items():
        if name == "allow-file":
            listed = path.parent / str(value)
            continue
        if name not in known:
            raise unknown_name(f"setting in {path}", name, [*known, "allow-file"])
        default = getattr(Settings(), known[name].name)
        if isinstance(default, tuple | frozenset):
            if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
                raise InputError(f"{path}: {name} is a list of strings, not {value!r}.")
        elif type(value) is not type(default) and (type(value), type(default)) != (int, float):
            kind = type(default).__name__
            raise InputError(f"{path}: {name} is of the kind {kind}, not {value!r}.")
        if name == "allow":
            allowed += value
        else:
            given[known[name].name] = tuple(value) if isinstance(value, list) else value
    settings = replace(Settings(), **given).with_allowed(allowed)
    return settings.with_allow_file(listed) if listed else settings
