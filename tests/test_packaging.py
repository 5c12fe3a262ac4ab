"""What an installation brings, which versions are tried, and what a release says of itself."""

import re
import sys
from collections.abc import Iterable
from configparser import ConfigParser
from importlib.metadata import distribution, distributions, packages_distributions

import pytest
import srsly

import spacy_gladis
from tests.support.imports import PACKAGE, imports
from tests.support.paths import ROOT

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

SETUP = ConfigParser()
SETUP.read(ROOT / "setup.cfg", "utf8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf8"))["project"]
DISTRIBUTIONS = packages_distributions()
BROUGHT = {
    "distributed": "dask",
    "docutils": "sphinx",
    "haystack": "haystack-ai",
    "langchain_core": "langchain-core",
    "llama_index": "llama-index-core",
    "starlette": "fastapi",
}
"""Packages that a requirement stands for."""
CHANGES = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


def requirements(lines: Iterable[str]) -> set[str]:
    names = (re.match(r"[\w.-]+", line) for line in lines)
    return {normal(name[0]) for name in names if name}


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


INSTALLED = {normal(distribution.name) for distribution in distributions()}
CORE = requirements(PROJECT["dependencies"])
EXTRAS = {
    name: requirements(lines.splitlines())
    for name, lines in SETUP["options.extras_require"].items()
}
OF_EXTRAS = {
    "mkdocs": EXTRAS["mkdocs"],
    "pandoc": EXTRAS["pandoc"],
    "sphinx": EXTRAS["sphinx"],
    "haystack": EXTRAS["haystack"],
    "langchain": EXTRAS["langchain"],
    "llama_index": EXTRAS["llama-index"],
    "serve": EXTRAS["serve"],
    "mcp": EXTRAS["mcp"],
    "lsp": EXTRAS["lsp"],
    "torch": EXTRAS["gpu"],
}
"""Folders and files that only an extra loads."""


def undeclared(names: list[str], declared: set[str]) -> set[str]:
    """The packages among modules' names that no declared distribution brings."""
    packages = {name.split(".")[0] for name in names} - {PACKAGE.name, *sys.stdlib_module_names}
    return {
        package
        for package in packages
        if not {
            normal(name)
            for name in (BROUGHT.get(package, package), *DISTRIBUTIONS.get(package, ()))
        }
        & declared
    }


@pytest.mark.parametrize("half", ["library", "research"])
def test_every_package_that_is_imported_is_declared(half):
    declared = CORE.union(*EXTRAS.values())
    for path in PACKAGE.rglob("*.py"):
        if ("research" in path.parts) == (half == "research"):
            assert not undeclared(imports(path), declared), path


def test_what_the_library_imports_first_comes_with_a_plain_installation():
    for path in PACKAGE.rglob("*.py"):
        if "research" not in path.parts:
            names = path.with_suffix("").parts
            extras = [extra for name, extra in OF_EXTRAS.items() if name in names]
            assert not undeclared(imports(path, late=False), CORE.union(*extras)), path


def test_the_readme_names_every_extra():
    rows = re.findall(r"^\| (`.+?`) \|", (ROOT / "README.md").read_text("utf8"), re.MULTILINE)
    assert set(EXTRAS) <= {name for row in rows for name in re.findall(r"`([\w-]+)`", row)}


def test_the_hook_and_the_action_of_the_linter_bring_no_torch():
    (hook,) = srsly.read_yaml(ROOT / ".pre-commit-hooks.yaml")
    steps = srsly.read_yaml(ROOT / "action.yml")["runs"]["steps"]
    installed = [hook["additional_dependencies"][0], *(step.get("run", "") for step in steps)]
    extras = {name for requirement in installed for name in re.findall(r"\[(\w+)\]", requirement)}
    assert extras == {"documents"}
    brought, result = CORE.union(*(EXTRAS[name] for name in extras)) & INSTALLED, set()
    while brought:
        result.add(name := brought.pop())
        lines = [line for line in distribution(name).requires or () if "extra ==" not in line]
        brought |= (requirements(lines) & INSTALLED) - result
    assert {"spacy", "markdown-it-py"} <= result and "torch" not in result


def test_the_versions_of_python_that_are_promised_are_tried():
    jobs = srsly.read_yaml(ROOT / ".github/workflows/tests.yml")["jobs"]
    promised = re.findall(r"Python :: (3\.\d+)$", "\n".join(PROJECT["classifiers"]), re.MULTILINE)
    assert jobs["all"]["strategy"]["matrix"]["python"] == promised
    assert PROJECT["requires-python"] == f">={promised[0]}"


def test_the_changelog_has_an_entry_for_each_release():
    text = (ROOT / "CHANGELOG.md").read_text("utf8")
    titles = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert titles[0] == "[Unreleased]"
    assert any(title.startswith(f"[{spacy_gladis.__version__}] - ") for title in titles)
    assert set(re.findall(r"^### (.+)$", text, re.MULTILINE)) <= CHANGES


def test_the_example_for_pre_commit_names_the_version_that_there_is():
    page = (ROOT / "docs" / "how-to" / "lint.md").read_text("utf8")
    assert re.findall(r"^ *rev: (.+)$", page, re.MULTILINE) == [f"v{spacy_gladis.__version__}"]
