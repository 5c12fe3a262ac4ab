"""Compiles the rules where a wheel is built: mypyc makes C of the same files.

Without a C compiler, or with `SPACY_GLADIS_PURE=1`, they stay Python: the same answers, at half the
speed. An editable installation is never compiled, so that what is edited is what runs.
"""

import os
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

MODULES = sorted(
    {*Path("spacy_gladis/rules").glob("*.py")} - {Path("spacy_gladis/rules/__init__.py")}
)
MYPY = ("--config-file=", "--ignore-missing-imports", "--follow-imports=skip", "--no-incremental")


def hint(error: object) -> None:
    """Say that the rules stay Python, and why."""
    print(f"The rules are not compiled and take twice the time: {error}", file=sys.stderr)


class AllOrNone(build_ext):
    """Builds all of the modules or, where one cannot be compiled, none."""

    def run(self) -> None:
        try:
            super().run()
        except Exception as error:  # a missing compiler says so in many ways
            hint(error)
            for output in self.get_outputs():
                Path(output).unlink(missing_ok=True)


def modules() -> list[Extension]:
    """What is compiled: nothing unless a wheel is built."""
    if "bdist_wheel" not in sys.argv or os.environ.get("SPACY_GLADIS_PURE"):
        return []
    try:
        from mypyc.build import mypycify

        files = [str(path) for path in MODULES]
        return mypycify([*MYPY, *files], debug_level="0", group_name="spacy_gladis")
    except (ImportError, SystemExit) as error:
        hint(error)
        return []


setup(ext_modules=modules(), cmdclass={"build_ext": AllOrNone})
