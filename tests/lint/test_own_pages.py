"""The project's own pages have their acronyms in order, by the project's own settings."""

from pathlib import Path

from spacy_gladis.documents.sources import read_paths
from spacy_gladis.lint.detector import load_detector
from spacy_gladis.lint.run import lint
from spacy_gladis.lint.settings import find_settings
from spacy_gladis.problem import ProblemLog

ROOT = Path(__file__).parents[2]


def test_the_projects_own_pages_are_clean():
    settings = find_settings(ROOT)
    assert not settings.propose and settings.allows("HTML")
    problems = ProblemLog()
    nlp = load_detector()
    paths = [str(ROOT / "docs"), str(ROOT / "README.md")]
    pairs = [(one, nlp(one.text)) for one in read_paths(paths, problems)]
    assert len(pairs) > 20 and not problems.counts
    assert [str(found) for found in lint(pairs, settings)] == []
