"""Registries of the systems for a kind of task."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Generic, TypeVar

from ...errors import InputError, unknown_name
from .options import help_of
from .system import System

S = TypeVar("S", bound=System[Any, Any, Any])

ALL = "all"
"""Name on the command line that selects all systems."""
SEED = "seed"
"""Name of the field that makes the runner run a system or reader once for each seed."""


@dataclass(frozen=True)
class Entry(Generic[S]):
    """A registered system.

    Attributes:
        name: The name on the command line and in results.
        summary: One line that says what the system does.
        source: Paper and section that describe the system, or "ours" for a system of this package.
        system: The class.
        fixed: Settings that the name implies, if a class is registered under several names.
    """

    name: str
    summary: str
    source: str
    system: type[S]
    fixed: Mapping[str, Any] = field(default_factory=dict)

    @property
    def fields(self) -> "dict[str, Field[Any]]":
        """Return the fields of the system that can be set, by name."""
        declared = fields(self.system)  # type: ignore[arg-type]
        return {item.name: item for item in declared if item.init and item.name not in self.fixed}

    @property
    def seeded(self) -> bool:
        """Return whether the system's answers depend on a random seed."""
        return SEED in self.fields

    def settings(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Select the system's settings from the options of a command.

        Args:
            options: A mapping from option names to values. Other settings have the system's
                defaults.

        Returns:
            Arguments for the system's class.

        Raises:
            InputError: If an option without a default is missing.
        """
        chosen = {name: options[name] for name in self.fields if name in options}
        for name, item in self.fields.items():
            optional = item.default is not MISSING or item.default_factory is not MISSING
            if name not in chosen and not optional:
                option = f"--{name.replace('_', '-')}"
                raise InputError(
                    f"The system '{self.name}' needs {option}: {help_of(self.system, name)}"
                )
        return {**self.fixed, **chosen}


class Registry(Generic[S]):
    """A registry of the systems that the modules of a package define."""

    def __init__(self, package: str) -> None:
        """Create a registry for the systems of a package.

        Args:
            package: The package whose modules hold the systems. They are imported when the registry
                is first read.
        """
        self.package = package
        self._entries: dict[str, Entry[S]] = {}
        self._loaded = False

    def register(
        self, name: str, summary: str, source: str, **fixed: Any
    ) -> Callable[[type[S]], type[S]]:
        """Return a class decorator that registers a system.

        Args:
            name: The name on the command line.
            summary: One line that says what the system does.
            source: The paper and section, such as "GLADIS, section 4".
            **fixed: Settings that this name implies.

        Returns:
            The decorator.

        Raises:
            ValueError: If the name is already registered (raised by the decorator).
        """

        def add(system: type[S]) -> type[S]:
            if name in self._entries:
                raise ValueError(f"Two systems of {self.package} have the name {name!r}.")
            self._entries[name] = Entry(name, summary, source, system, fixed)
            return system

        return add

    @property
    def entries(self) -> dict[str, Entry[S]]:
        """Return all systems by name, in alphabetical order."""
        if not self._loaded:
            self._loaded = True
            for module in iter_modules(import_module(self.package).__path__):
                import_module(f"{self.package}.{module.name}")
        return dict(sorted(self._entries.items()))

    def select(self, names: Iterable[str]) -> dict[str, tuple[Entry[S], bool]]:
        """Find systems by name or by the beginning of their names.

        A beginning ends before a dot or a blank: "s" finds "s.1" and "s.2".

        Args:
            names: Names, beginnings of names, or "all".

        Returns:
            The systems in the order of the names, each with a flag that is True if its full name
            was given.

        Raises:
            InputError: If a name matches no system.
        """
        selected: dict[str, tuple[Entry[S], bool]] = {}
        for name in names:
            if name in self.entries:
                selected[name] = self.entries[name], True
                continue
            starts = (f"{name}.", f"{name} ")
            matching = [
                entry
                for entry in self.entries.values()
                if name == ALL or entry.name.startswith(starts)
            ]
            if not matching:
                raise unknown_name("system", name, [ALL, *self.entries])
            for entry in matching:
                selected.setdefault(entry.name, (entry, False))
        return selected
