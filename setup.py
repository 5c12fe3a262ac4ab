"""Compiles the rules where a wheel is built: mypyc makes C of the same files.

Without a C compiler, or with `SPACY_GLADIS_PURE=1`, they stay Python: the same answers, at half the
speed. An editable installation is never compiled, so that what is edited is what runs.
"""

import os
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

RULES = "spacy_gladis/rules"
LEFT = ("__init__", "mention")
"""Stay Python: whoever gives offsets of their own, such as numpy's, makes mentions."""
MODULES = sorted(one for one in Path(RULES).glob("*.py") if one.stem not in LEFT)
MYPY = ("--config-file=", "--ignore-missing-imports", "--follow-imports=skip", "--no-incremental")


def hint(error: object) -> None:
    """Say that the rules stay Python, and why."""
    print(f"The rules are not compiled and take twice the time: {error}", file=sys.stderr)


class AllOrNone(build_ext):
    """Builds all of the modules or, where one cannot be compiled, none; older ones go."""

    def run(self) -> None:
        self.remove_built()
        try:
            super().run()
        except Exception as error:  # a missing compiler says so in many ways
            hint(error)
            for output in self.get_outputs():
                Path(output).unlink(missing_ok=True)
            self.remove_built()

    def remove_built(self) -> None:
        """Compiled modules of the rules that are left in the build folder."""
        for kind in ("*.so", "*.pyd"):
            for built in Path(self.build_lib, RULES).glob(kind):
                built.unlink()


def modules() -> list[Extension]:
    """What is compiled: nothing unless a wheel is built."""
    if "bdist_wheel" not in sys.argv or os.environ.get("SPACY_GLADIS_PURE"):
        return []
    try:
        from mypyc.build import mypycify

        files = [str(path) for path in MODULES]
        return mypycify([*MYPY, *files], debug_level="0", group_name="spacy_gladis")
    except (Exception, SystemExit) as error:  # mypyc ends the program where a type is wrong
        hint(error)
        return []


setup(ext_modules=modules(), cmdclass={"build_ext": AllOrNone})
