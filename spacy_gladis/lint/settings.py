"""The settings of the linter, which come from a project's settings file and the command line."""

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
    """Load the packaged list of acronyms that general readers know, such as ``PDF``.

    Returns:
        A mapping from each acronym to its long form.
    """
    text = files("spacy_gladis.lint").joinpath("known.txt").read_text("utf8")
    rows = (line.partition("\t") for line in text.splitlines() if not line.startswith("#"))
    return {acronym: long_form for acronym, _, long_form in rows}


class SelectableRule(Protocol):
    """The attributes of a lint rule that decide whether the settings select the rule.

    Attributes:
        code: Code of the rule, such as ``AC001``.
        is_default: Whether the rule is checked if the settings select no rules.
    """

    code: ClassVar[str]
    is_default: ClassVar[bool]


@dataclass(frozen=True)
class Settings:
    """The settings that determine what the linter checks and reports.

    Attributes:
        select: Codes of the rules to check, such as ``AC001``, beginnings of codes, or ``ALL``.
            None selects the rules that are checked by default.
        ignore: Codes of rules not to check, beginnings of codes, or ``ALL``. This setting takes
            precedence over `select`.
        per_file_ignores: Codes of rules not to report in certain files, by a pattern of the file's
            path, as in `Path.match`.
        exclude: Patterns of files and folders to skip when a folder is read. With the option
            `--force-exclude`, files that are named on the command line are skipped, too.
        known: Acronyms that AC001 and AC002 accept without a definition.
        long_forms: Long forms, by acronym, that AC010 uses for acronyms that a document doesn't
            define.
        glossary: Long forms of the organisation's glossary, by the base form of the acronym. AC014
            checks that documents use them. The acronyms need no definition.
        least_uses: Number of times, 0 or more, that a defined acronym must be used after its
            definition (AC005).
        scope: Where an acronym must be defined: in the same "document", "section" or "project".
        baseline: Number of times that an earlier run reported each finding. So many occurrences of
            the finding aren't reported again.
        severities: Severities of findings by the rule's code, the beginning of a code, or ``ALL``.
            If several match a code, the longest decides.
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
        """The acronyms in the organisation's glossary, as base forms of any shape."""
        return frozenset(self.glossary)

    def is_known(self, *forms: str) -> bool:
        """Return whether an acronym needs no definition in a document.

        Args:
            *forms: Spellings of the same acronym, such as the spelling in the text and the base
                form.

        Returns:
            True if one of the spellings is a known acronym or is in the organisation's glossary.
        """
        return any(form in self.known or form in self.glossary for form in forms)

    def is_included(self, path: Path) -> bool:
        """Return whether a file is checked when its folder is passed to the linter.

        Args:
            path: Path of the file.

        Returns:
            False if a pattern of `exclude` matches the file or a folder that contains it.
        """
        return not any(_matches(path, pattern) for pattern in self.exclude)

    def is_checked(self, rule: SelectableRule) -> bool:
        """Return whether the settings select a lint rule for checking.

        If the settings select no rules, the rules that are checked by default are selected.

        Args:
            rule: Lint rule, of which only the code and `is_default` are used.

        Returns:
            True if the rule is selected and `ignore` doesn't exclude it.
        """
        if self.select is None:
            is_selected = rule.is_default
        else:
            is_selected = _matches_code(self.select, rule.code)
        return is_selected and not _matches_code(self.ignore, rule.code)

    def is_ignored(self, code: str, path: str) -> bool:
        """Return whether the settings leave out the findings of a rule in a file.

        Args:
            code: Code of the rule, such as ``AC001``.
            path: Path of the file.

        Returns:
            True if `ignore` excludes the rule, or if `per_file_ignores` excludes it for a pattern
            that matches the file.
        """
        ignored = list(self.ignore)
        for pattern, codes in self.per_file_ignores.items():
            if _matches(Path(path), pattern):
                ignored += codes
        return _matches_code(ignored, code)

    def severity_of(self, code: str) -> Severity:
        """Return the severity that the settings give to the findings of a rule.

        Args:
            code: Code of the rule, such as ``AC001``.

        Returns:
            Severity of the longest entry of `severities` that the code begins with, or of ``ALL``
            if there is none. The default is "warning".
        """
        prefixes = [
            prefix for prefix in self.severities if prefix == ALL or code.startswith(prefix)
        ]
        longest = max(
            prefixes, key=lambda prefix: 0 if prefix == ALL else len(prefix), default=None
        )
        return "warning" if longest is None else self.severities[longest]

    def check(self, codes: Collection[str]) -> None:
        """Check that the codes and values in the settings are valid.

        Args:
            codes: Codes of all rules, including the rules of other packages.

        Raises:
            InputError: If a code, severity or scope is unknown, or `least_uses` is negative.
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
            select: Codes that replace the setting `select`. Empty keeps the setting.
            ignore: Codes that replace the setting `ignore`. Empty keeps the setting.
            known_file: Path of a list with more acronyms that need no definition.
            glossaries: Paths of tables whose entries are added to the organisation's glossary.
            baseline: Path of the JSON output of an earlier run, whose findings are not reported
                again.

        Returns:
            New settings. The original settings are not changed.

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
            acronyms: Acronyms to add to `known`. Their base forms are added, too.

        Returns:
            New settings. The original settings are not changed.
        """
        spellings = ((acronym, base_form(acronym)) for acronym in acronyms)
        return replace(self, known=self.known.union(*spellings))

    def with_known_file(self, path: Path) -> "Settings":
        """Return a copy of the settings with a list of acronyms that need no definition.

        Args:
            path: Path of the list, with one acronym per line. The linter doesn't check this file
                as a document.

        Returns:
            New settings. The original settings are not changed.

        Raises:
            InputError: If the list can't be read.
        """
        return self.with_known(read_known(path))._with_excluded(path)

    def with_glossary(self, path: Path) -> "Settings":
        """Return a copy of the settings with an organisation's glossary added.

        Args:
            path: Path of a table of acronyms and long forms. The linter doesn't check this file as
                a document.

        Returns:
            New settings. The original settings are not changed.

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
    """Read a list of known acronyms from a file with one acronym per line.

    Text after a tab is ignored, and ``#`` begins a comment.

    Args:
        path: Path of the list, encoded in UTF-8.

    Returns:
        Acronyms in the order of the list.

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
    """Read the linter's settings that apply to the documents in a folder.

    The settings are in ``.spacy-gladis.toml``, or in the table ``[tool.spacy-gladis.lint]`` of
    ``pyproject.toml``. The nearest such file counts, in the folder itself or above it.

    Args:
        start: Folder at which the search starts.

    Returns:
        Settings of the file, or the default settings if there is no file.

    Raises:
        FormatError: If the file isn't valid TOML.
        InputError: If a setting is unknown or has a wrong type.
    """
    table, path = find_table(start)
    return Settings() if path is None else _parse_settings(table, path)


def find_table(start: Path) -> tuple[Mapping[str, Any], Path | None]:
    """Read the table of linter settings that applies to a folder, without checking its values.

    The search is the same as that of `find_settings`.

    Args:
        start: Folder at which the search starts.

    Returns:
        The table and the path of its file, or an empty table and None if there is no file.

    Raises:
        FormatError: If the file isn't valid TOML.
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
