"""Registry of the systems that can be evaluated on a kind of task."""

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
"""Name that selects all systems on the command line."""
SEED = "seed"
"""Name of the field for a random seed. The runner runs a system or reader that has this field once
for each seed."""


@dataclass(frozen=True)
class Entry(Generic[S]):
    """A system that is registered under a name.

    A class can be registered under several names with different settings. For example, "gad 0.3"
    can stand for the class of "gad" with a learning rate of 0.3.

    Attributes:
        name: Name of the system on the command line and in results.
        summary: One line that says what the system does.
        source: Paper and section that describe the system, or "ours" for a system of this package.
        system: The class that implements the system.
        fixed: Settings that this name implies, by field name. They cannot be set on the command
            line.
    """

    name: str
    summary: str
    source: str
    system: type[S]
    fixed: Mapping[str, Any] = field(default_factory=dict)

    @property
    def fields(self) -> "dict[str, Field[Any]]":
        """Fields of the system's class that can be set, by name. Fixed settings are left out."""
        declared = fields(self.system)  # type: ignore[arg-type]
        return {item.name: item for item in declared if item.init and item.name not in self.fixed}

    @property
    def seeded(self) -> bool:
        """Whether the system has a random seed, on which its answers depend."""
        return SEED in self.fields

    def settings(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Select the options of a command that are settings of this system.

        Args:
            options: Values of the options that the user has set, by field name. Options of other
                systems are ignored.

        Returns:
            Keyword arguments for the system's class: the fixed settings and the selected options.
            The class has defaults for all others.

        Raises:
            InputError: If the system has a setting without a default that is not among the options.
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
    """A registry of the systems that the modules of a package define.

    A system registers itself with the class decorator that `register` returns. The modules are
    imported when the registry is first read.
    """

    def __init__(self, package: str) -> None:
        """Create an empty registry for the systems of a package.

        Args:
            package: Full name of the package whose modules define the systems.
        """
        self.package = package
        self._entries: dict[str, Entry[S]] = {}
        self._loaded = False

    def register(
        self, name: str, summary: str, source: str, **fixed: Any
    ) -> Callable[[type[S]], type[S]]:
        """Return a class decorator that registers a system under a name.

        To register a class under several names, use several decorators with different settings.

        Args:
            name: Name of the system on the command line and in results.
            summary: One line that says what the system does.
            source: Paper and section that describe the system, such as "GLADIS, section 4", or
                "ours".
            **fixed: Settings of the class that this name implies.

        Returns:
            A decorator that registers a class and returns it unchanged.

        Raises:
            ValueError: If another system has this name. The decorator raises it.
        """

        def add(system: type[S]) -> type[S]:
            if name in self._entries:
                raise ValueError(f"Two systems of {self.package} have the name {name!r}.")
            self._entries[name] = Entry(name, summary, source, system, fixed)
            return system

        return add

    @property
    def entries(self) -> dict[str, Entry[S]]:
        """All registered systems by name, in alphabetical order of the names."""
        if not self._loaded:
            self._loaded = True
            for module in iter_modules(import_module(self.package).__path__):
                import_module(f"{self.package}.{module.name}")
        return dict(sorted(self._entries.items()))

    def select(self, names: Iterable[str]) -> dict[str, tuple[Entry[S], bool]]:
        """Select systems by their full names or by the beginnings of their names.

        A beginning must end before a dot or a blank. For example, "s" selects "s.1" and "s 2", but
        not "strings".

        Args:
            names: Full names of systems, beginnings of names, or "all" for all systems.

        Returns:
            A mapping from the full name of each selected system to the system and a flag, in the
            order of `names`. The flag is True if `names` contains the full name.

        Raises:
            InputError: If no system matches one of the names.
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
