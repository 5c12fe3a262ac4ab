"""The settings of the linter, from a project's file and the command line."""

import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from glob import escape
from importlib.resources import files
from pathlib import Path
from typing import Any, ClassVar, Protocol

from ..dictionary.user_entries import read_user_entries
from ..errors import FormatError, InputError, unknown_name
from ..text import base_form
from .finding import SEVERITIES, Severity
from .suppressions import BaselineKey, read_baseline

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

SETTINGS_FILE = ".spacy-gladis.toml"
PROJECT_FILE = "pyproject.toml"
SCOPES = ("document", "section", "project")
ALL = "ALL"
_LISTS = ("select", "ignore", "exclude", "known", "extend-known")
_FILES = ("known-file", "glossary")
NAMES = (*_LISTS, *_FILES, "least-uses", "scope", "per-file-ignores", "severity")


@cache
def packaged_known() -> dict[str, str]:
    """Load the packaged list of acronyms that general readers know.

    Returns:
        A mapping from each acronym to its long form.
    """
    text = files("spacy_gladis.lint").joinpath("known.txt").read_text("utf8")
    rows = (line.partition("\t") for line in text.splitlines() if not line.startswith("#"))
    return {acronym: long_form for acronym, _, long_form in rows}


class SelectableRule(Protocol):
    """The attributes of a rule that the settings use.

    Attributes:
        code: The rule's code.
        is_default: Whether the rule is checked if no rules are selected.
    """

    code: ClassVar[str]
    is_default: ClassVar[bool]


@dataclass(frozen=True)
class Settings:
    """The settings that determine what the linter checks and reports.

    Attributes:
        select: Codes of the rules to check, their beginnings, or ``ALL``. None selects the rules
            that are checked by default.
        ignore: Codes to leave out, their beginnings, or ``ALL``. Takes precedence over `select`.
        per_file_ignores: Codes to leave out by pattern of the file, as in `Path.match`.
        exclude: Patterns of files and folders to skip when a folder is read.
        known: Acronyms that need no definition (AC001, AC002).
        long_forms: Long forms of acronyms that a document doesn't define (AC010).
        glossary: The organisation's glossary, as long forms by the base form of the acronym
            (AC014). Its acronyms need no definition.
        least_uses: Minimum number of uses of a defined acronym after its definition (AC005), 0 or
            more.
        scope: Where an acronym must be defined: in the same "document", "section" or "project".
        baseline: The number of times that an earlier run reported each finding. These findings
            aren't reported again.
        severities: Severities of findings by code, beginning of a code, or ``ALL``. The longest
            match counts.
    """

    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()
    per_file_ignores: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    exclude: tuple[str, ...] = ()
    known: frozenset[str] = field(default_factory=lambda: frozenset(packaged_known()))
    long_forms: Mapping[str, str] = field(default_factory=packaged_known)
    glossary: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    least_uses: int = 1
    scope: str = "document"
    baseline: Mapping[BaselineKey, int] = field(default_factory=dict)
    severities: Mapping[str, Severity] = field(default_factory=dict)

    @property
    def glossary_acronyms(self) -> frozenset[str]:
        """The acronyms in the organisation's glossary, which may have any shape."""
        return frozenset(self.glossary)

    def is_known(self, *forms: str) -> bool:
        """Return whether an acronym needs no definition.

        Args:
            *forms: Spellings of the acronym, such as its base form. One known spelling is enough.

        Returns:
            True if the acronym is in the list of known acronyms or in the glossary.
        """
        return any(form in self.known or form in self.glossary for form in forms)

    def is_included(self, path: Path) -> bool:
        """Return whether a file is checked when its folder is passed to the linter.

        Args:
            path: Path of the file.

        Returns:
            False if a pattern of `exclude` matches.
        """
        return not any(_matches(path, pattern) for pattern in self.exclude)

    def is_checked(self, rule: SelectableRule) -> bool:
        """Return whether the settings select a rule for checking.

        Args:
            rule: The rule.

        Returns:
            True if the rule is selected, or a default rule if no rules are selected, and it isn't
            ignored in all files.
        """
        if self.select is None:
            is_selected = rule.is_default
        else:
            is_selected = _matches_code(self.select, rule.code)
        return is_selected and not _matches_code(self.ignore, rule.code)

    def is_ignored(self, code: str, path: str) -> bool:
        """Return whether findings of a rule are left out in a file.

        Args:
            code: The rule's code.
            path: Path of the file.

        Returns:
            True if the code is in `ignore`, or in `per_file_ignores` for a pattern of the file.
        """
        ignored = list(self.ignore)
        for pattern, codes in self.per_file_ignores.items():
            if _matches(Path(path), pattern):
                ignored += codes
        return _matches_code(ignored, code)

    def severity_of(self, code: str) -> Severity:
        """Return the severity of a rule's findings.

        Args:
            code: The rule's code.

        Returns:
            The severity that the settings give, "warning" by default.
        """
        prefixes = [
            prefix for prefix in self.severities if prefix == ALL or code.startswith(prefix)
        ]
        longest = max(
            prefixes, key=lambda prefix: 0 if prefix == ALL else len(prefix), default=None
        )
        return "warning" if longest is None else self.severities[longest]

    def check(self, codes: Collection[str]) -> None:
        """Check that codes and values are valid.

        Args:
            codes: The codes of all rules.

        Raises:
            InputError: If a code is unknown, or a value is out of its range.
        """
        ignored = (code for codes in self.per_file_ignores.values() for code in codes)
        for prefix in (*(self.select or ()), *self.ignore, *ignored, *self.severities):
            if prefix != ALL and (not prefix or not any(code.startswith(prefix) for code in codes)):
                raise unknown_name("rule", prefix, [*codes, ALL])
        for severity in self.severities.values():
            if severity not in SEVERITIES:
                raise unknown_name("severity", severity, SEVERITIES)
        if self.scope not in SCOPES:
            raise unknown_name("scope", self.scope, SCOPES)
        if self.least_uses < 0:
            raise InputError(f"least-uses must be 0 or more, got {self.least_uses}.")

    def override(
        self,
        *,
        select: Sequence[str] = (),
        ignore: Sequence[str] = (),
        known_file: Path | None = None,
        glossaries: Iterable[Path] = (),
        baseline: Path | None = None,
    ) -> "Settings":
        """Return a copy of the settings with the options of a command line applied.

        Args:
            select: Codes that replace the selected ones, unless empty.
            ignore: Codes that replace the ignored ones, unless empty.
            known_file: A list of additional acronyms that need no definition.
            glossaries: Additional glossaries of the organisation.
            baseline: The JSON output of an earlier run, whose findings are not reported again.

        Returns:
            The new settings.

        Raises:
            InputError: If a file can't be read.
            FormatError: If a glossary or the baseline has another format.
        """
        settings = self
        if select:
            settings = replace(settings, select=tuple(select))
        if ignore:
            settings = replace(settings, ignore=tuple(ignore))
        if known_file:
            settings = settings.with_known_file(known_file)
        for path in glossaries:
            settings = settings.with_glossary(path)
        if baseline:
            settings = replace(settings, baseline=read_baseline(baseline))
        return settings

    def with_known(self, acronyms: Iterable[str]) -> "Settings":
        """Return a copy of the settings with more acronyms that need no definition.

        Args:
            acronyms: The acronyms. Their base forms are added, too.

        Returns:
            The new settings.
        """
        spellings = ((acronym, base_form(acronym)) for acronym in acronyms)
        return replace(self, known=self.known.union(*spellings))

    def with_known_file(self, path: Path) -> "Settings":
        """Return a copy of the settings with the acronyms of a list, which need no definition.

        Args:
            path: Path of the list. It is not checked as a document.

        Returns:
            The new settings.

        Raises:
            InputError: If the list can't be read.
        """
        return self.with_known(read_known(path))._with_excluded(path)

    def with_glossary(self, path: Path) -> "Settings":
        """Return a copy of the settings with an organisation's glossary added.

        Args:
            path: Path of a table of acronyms and long forms. It is not checked as a document.

        Returns:
            The new settings.

        Raises:
            InputError: If the file can't be read.
            FormatError: If the file isn't such a table.
        """
        glossary = dict(self.glossary)
        for entry in read_user_entries([path]):
            if entry.long_form:
                key = base_form(entry.acronym)
                glossary[key] = (*glossary.get(key, ()), entry.long_form)
        return replace(self, glossary=glossary)._with_excluded(path)

    def _with_excluded(self, path: Path) -> "Settings":
        return replace(self, exclude=(*self.exclude, escape(str(path.resolve()))))


def _matches_code(prefixes: Iterable[str], code: str) -> bool:
    return any(prefix == ALL or code.startswith(prefix) for prefix in prefixes)


def _matches(path: Path, pattern: str) -> bool:
    absolute = path.absolute()
    is_below = absolute.is_relative_to(Path.cwd())
    folders = (absolute.relative_to(Path.cwd()) if is_below else path).parents
    paths = (absolute, path.resolve(), path, *folders)
    return any(candidate.match(pattern) for candidate in paths)


def read_known(path: Path) -> list[str]:
    """Read a list of acronyms, with one acronym per line.

    A tab ends the acronym, and ``#`` begins a comment.

    Args:
        path: Path of the list, encoded in UTF-8.

    Returns:
        The acronyms in the order of the list.

    Raises:
        InputError: If the file can't be read.
    """
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"Cannot read the list of acronyms {path}: {error}") from None
    words = (line.partition("#")[0].split("\t")[0].strip() for line in lines)
    return [word for word in words if word]


def find_settings(start: Path) -> Settings:
    """Find the linter's settings for a folder and read them.

    They are read from ``.spacy-gladis.toml``, or else from ``[tool.spacy-gladis.lint]`` in
    ``pyproject.toml``, in the folder or its nearest ancestor that has either.

    Args:
        start: The folder.

    Returns:
        The settings, or the default settings if there is no file.

    Raises:
        FormatError: If the file isn't TOML.
        InputError: If a setting is unknown or has a wrong type.
    """
    table, path = find_table(start)
    return Settings() if path is None else _parse_settings(table, path)


def find_table(start: Path) -> tuple[Mapping[str, Any], Path | None]:
    """Find the table of settings of a folder, as `find_settings` does, without checking it.

    Args:
        start: The folder.

    Returns:
        The table and its file, or an empty table and None if there is no file.

    Raises:
        FormatError: If the file isn't TOML.
    """
    for folder in (start.absolute(), *start.absolute().parents):
        settings_file, project_file = folder / SETTINGS_FILE, folder / PROJECT_FILE
        if settings_file.is_file():
            table = _read_toml(settings_file)
            return table.get("lint", table), settings_file
        if project_file.is_file():
            table = _read_toml(project_file).get("tool", {}).get("spacy-gladis", {})
            if "lint" in table:
                return table["lint"], project_file
    return {}, None


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        table: dict[str, Any] = tomllib.loads(path.read_text("utf-8"))
    except RecursionError:
        raise FormatError(f"{path} is not TOML: its values are nested too deeply.") from None
    except (ValueError, OSError) as error:
        raise FormatError(f"{path} is not TOML: {error}") from None
    return table


def _parse_settings(table: Mapping[str, Any], path: Path) -> Settings:
    for name, value in table.items():
        if name not in NAMES:
            raise unknown_name(f"setting in {path}", name, NAMES)
        if name in _LISTS and not _are_strings(value):
            raise InputError(f"{path}: {name} must be a list of strings, got {value!r}.")
        if name in (*_FILES, "scope") and not isinstance(value, str):
            raise InputError(f"{path}: {name} must be a string, got {value!r}.")
        if name == "least-uses" and type(value) is not int:
            raise InputError(f"{path}: {name} must be a whole number, got {value!r}.")
        if name == "per-file-ignores" and not (
            isinstance(value, dict) and all(map(_are_strings, value.values()))
        ):
            raise InputError(
                f"{path}: {name} must be a table of patterns with lists of codes, got {value!r}."
            )
        if name == "severity" and not (
            isinstance(value, dict) and all(isinstance(level, str) for level in value.values())
        ):
            raise InputError(
                f"{path}: {name} must be a table of codes with severities, got {value!r}."
            )
    plain = {"least-uses": "least_uses", "scope": "scope"}
    values: dict[str, Any] = {plain[name]: table[name] for name in plain if name in table}
    for name in ("select", "ignore", "exclude"):
        if name in table:
            values[name] = tuple(table[name])
    if "known" in table:
        values["known"] = frozenset(table["known"])
    ignores = table.get("per-file-ignores", {})
    values["severities"] = dict(table.get("severity", {}))
    values["per_file_ignores"] = {pattern: tuple(codes) for pattern, codes in ignores.items()}
    settings = replace(Settings(), **values).with_known(table.get("extend-known", ()))
    if "known-file" in table:
        settings = settings.with_known_file(path.parent / table["known-file"])
    if "glossary" in table:
        settings = settings.with_glossary(path.parent / table["glossary"])
    return settings


def _are_strings(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)
