"""The project's own pages have their acronyms in order, by the project's own settings."""

from spacy_gladis.documents.sources import NamedSources
from spacy_gladis.lint.run import lint
from spacy_gladis.lint.settings import find_settings
from spacy_gladis.problem import ProblemLog
from tests.support.paths import ROOT


def test_the_projects_own_pages_are_clean():
    problems = ProblemLog()
    paths = [str(ROOT / "docs"), str(ROOT / "README.md")]
    read = list(NamedSources(paths).read_paths(problems))
    assert len(read) > 20 and not problems.counts
    assert [str(finding) for finding in lint(read, find_settings(ROOT))] == []
