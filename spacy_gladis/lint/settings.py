"""The linter's settings: a project's file, then what the command line says."""

import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from glob import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

from ..dictionary.user_entries import read_user_entries
from ..errors import FormatError, InputError, unknown_name
from ..text import base_form
from .finding import SEVERITIES, Severity
from .passed_over import Told, read_baseline

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

OWN_FILE = ".spacy-gladis.toml"
PROJECT_FILE = "pyproject.toml"
SCOPES = ("document", "section", "project")
ALL = "ALL"
_LISTS = ("select", "ignore", "exclude", "known", "extend-known")
_FILES = ("known-file", "glossary")
NAMES = (*_LISTS, *_FILES, "least-uses", "scope", "per-file-ignores", "severity")


@cache
def packaged_known() -> dict[str, str]:
    """The packaged list of acronyms that a general reader needs no words for, with their words."""
    text = files("spacy_gladis.lint").joinpath("known.txt").read_text("utf8")
    rows = (line.partition("\t") for line in text.splitlines() if not line.startswith("#"))
    return {acronym: long_form for acronym, _, long_form in rows}


@dataclass(frozen=True)
class Settings:
    """What to report.

    select, ignore: codes or their beginnings, or ALL; ignore wins. None: the default rules.
    per_file_ignores: patterns of files, as in `Path.match`, with codes that they are let off.
    exclude: patterns of files and folders that folders are read without.
    known: acronyms that need no definition (AC001, AC002).
    long_forms: words of acronyms that a document does not define (AC010).
    listed: the organisation's glossary: acronyms with their long forms (AC014); they need no
        definition.
    least_uses: how often a defined acronym is to be used afterwards (AC005).
    scope: where an acronym is to be defined: "document", "section" or "project".
    baseline: how often an earlier run told which findings; they are passed over.
    severities: of findings, by their codes or the beginnings of codes; the longest one counts.
    """

    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()
    per_file_ignores: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    exclude: tuple[str, ...] = ()
    known: frozenset[str] = field(default_factory=lambda: frozenset(packaged_known()))
    long_forms: Mapping[str, str] = field(default_factory=packaged_known)
    listed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    least_uses: int = 1
    scope: str = "document"
    baseline: Mapping[Told, int] = field(default_factory=dict)
    severities: Mapping[str, Severity] = field(default_factory=dict)

    @property
    def own(self) -> frozenset[str]:
        """Acronyms of the organisation's glossary, which are such whatever their letters are."""
        return frozenset(self.listed)

    def knows(self, *forms: str) -> bool:
        """Whether an acronym, in one of these forms, needs no definition."""
        return any(form in self.known or form in self.listed for form in forms)

    def reads(self, path: Path) -> bool:
        """Whether a file of a folder is read."""
        return not any(_matches(path, pattern) for pattern in self.exclude)

    def selects(self, code: str, path: str = "", *, by_default: bool = True) -> bool:
        """Return whether findings of a rule are reported.

        Args:
            code: The rule's code.
            path: The file of the findings. Empty: any file.
            by_default: Whether the rule is checked where no rules are selected.
        """
        selected = by_default if self.select is None else _chooses(self.select, code)
        ignored = list(self.ignore)
        for pattern, codes in self.per_file_ignores.items():
            if path and _matches(Path(path), pattern):
                ignored += codes
        return selected and not _chooses(ignored, code)

    def severity_of(self, code: str) -> Severity:
        """Return how much findings of a code matter, by default a warning."""
        fitting = [one for one in self.severities if one == ALL or code.startswith(one)]
        longest = max(fitting, key=lambda one: 0 if one == ALL else len(one), default=None)
        return "warning" if longest is None else self.severities[longest]

    def check(self, codes: Collection[str]) -> None:
        """Raise an error for settings that cannot be used.

        Args:
            codes: The codes of all rules.

        Raises:
            InputError: If a code is unknown, or a value is out of its range.
        """
        ignored = (code for codes in self.per_file_ignores.values() for code in codes)
        for given in (*(self.select or ()), *self.ignore, *ignored, *self.severities):
            if given != ALL and (not given or not any(code.startswith(given) for code in codes)):
                raise unknown_name("rule", given, [*codes, ALL])
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
        """Return these settings with what a command line says.

        Args:
            select: Codes to report in place of the selected ones. Empty: the selected ones stay.
            ignore: Codes to leave out in place of the ignored ones. Empty: the ignored ones stay.
            known_file: A list of further acronyms that need no definition.
            glossaries: Further glossaries of the organisation.
            baseline: The findings of an earlier run, which are passed over.

        Raises:
            InputError: If a file is not there or is of another form.
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
        """These settings with more acronyms that need no definition."""
        return replace(self, known=self.known.union(*((one, base_form(one)) for one in acronyms)))

    def with_known_file(self, path: Path) -> "Settings":
        """These settings with the acronyms of a list, which itself is no document."""
        return self.with_known(read_known(path))._without(path)

    def with_glossary(self, path: Path) -> "Settings":
        """These settings with an organisation's glossary, which itself is no document.

        Raises InputError and FormatError as `read_user_entries`.
        """
        listed = dict(self.listed)
        for entry in read_user_entries([path]):
            if entry.long_form:
                key = base_form(entry.acronym)
                listed[key] = (*listed.get(key, ()), entry.long_form)
        return replace(self, listed=listed)._without(path)

    def _without(self, path: Path) -> "Settings":
        return replace(self, exclude=(*self.exclude, escape(str(path.resolve()))))


def _chooses(given: Iterable[str], code: str) -> bool:
    return any(one == ALL or code.startswith(one) for one in given)


def _matches(path: Path, pattern: str) -> bool:
    whole = path.absolute()
    inside = whole.is_relative_to(Path.cwd())
    folders = (whole.relative_to(Path.cwd()) if inside else path).parents
    return any(one.match(pattern) for one in (whole, path.resolve(), path, *folders))


def read_known(path: Path) -> list[str]:
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
    except RecursionError:
        raise FormatError(f"{path} is not TOML: it is nested too deeply") from None
    except (ValueError, OSError) as error:
        raise FormatError(f"{path} is not TOML that can be read: {error}") from None
    return table


def _settings(table: Mapping[str, Any], path: Path) -> Settings:
    for name, value in table.items():
        if name not in NAMES:
            raise unknown_name(f"setting in {path}", name, NAMES)
        if name in _LISTS and not _are_strings(value):
            raise InputError(f"{path}: {name} is a list of strings, not {value!r}.")
        if name in (*_FILES, "scope") and not isinstance(value, str):
            raise InputError(f"{path}: {name} is a string, not {value!r}.")
        if name == "least-uses" and type(value) is not int:
            raise InputError(f"{path}: {name} is a whole number, not {value!r}.")
        if name == "per-file-ignores" and not (
            isinstance(value, dict) and all(map(_are_strings, value.values()))
        ):
            raise InputError(f"{path}: {name} is a table of lists of codes, not {value!r}.")
        if name == "severity" and not (
            isinstance(value, dict) and all(isinstance(one, str) for one in value.values())
        ):
            raise InputError(f"{path}: {name} is a table of codes and severities, not {value!r}.")
    plain = {"least-uses": "least_uses", "scope": "scope"}
    given: dict[str, Any] = {plain[name]: table[name] for name in plain if name in table}
    given |= {name: tuple(table[name]) for name in ("select", "ignore", "exclude") if name in table}
    if "known" in table:
        given["known"] = frozenset(table["known"])
    ignores = table.get("per-file-ignores", {})
    given["severities"] = dict(table.get("severity", {}))
    given["per_file_ignores"] = {pattern: tuple(codes) for pattern, codes in ignores.items()}
    settings = replace(Settings(), **given).with_known(table.get("extend-known", ()))
    if "known-file" in table:
        settings = settings.with_known_file(path.parent / table["known-file"])
    if "glossary" in table:
        settings = settings.with_glossary(path.parent / table["glossary"])
    return settings


def _are_strings(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)
