"""What texts define or spell out, read by the rules alone: no model, no tokens."""

from collections.abc import Callable, Iterable
from pathlib import Path

from spacy.language import Language

from ..dictionary.folder_definitions import FolderDefinitions
from ..documents.source import Source
from ..errors import GladisError, InputError
from ..problem import ProblemLog
from .acrobert_linker import AcroBERTLinker
from .acronym_detector import AcronymDetector

Sources = Callable[[], Iterable[Source]]
"""Gives the texts of some documents from the first one on, each time it is called."""


def learn_sources(nlp: Language, read: Sources) -> FolderDefinitions:
    """The definitions in texts, and phrases that have the letters of what none of them defines.

    read: is called twice; one text is held at a time. The names of the sources are the names of the
        documents, and their folders count as those of paths.
    """
    learnt = learn_definitions(nlp, read())
    if undefined := learnt.undefined:
        for source in read():
            learnt.add_phrases(source.text, undefined, source.name)
    return learnt


def learn_definitions(nlp: Language, sources: Iterable[Source]) -> FolderDefinitions:
    """The definitions in texts and those that their format marks, such as a glossary's; and the
    acronyms that they use without one.

    nlp: its detector says what is an acronym; without one a detector as it comes does.
    """
    detectors = (pipe for _, pipe in nlp.pipeline if isinstance(pipe, AcronymDetector))
    detector = next(detectors, None) or AcronymDetector(nlp)
    learnt = FolderDefinitions()
    for source in sources:
        text, found = source.text, detector.find(source.text)
        marked = [(one.acronym, one.long_form) for one in source.definitions]
        defined = [(text[slice(*one.acronym)], one.words(text)) for one in found.definitions]
        learnt.add([*marked, *defined], source.name)
        learnt.use(text[slice(*place)] for place in found.undefined)
    return learnt


def learn_glossary(nlp: Language, path: Path) -> int:
    """Let the linker learn the entries of a glossary as what a document there defines. How many.

    Where the user's own entries say what an acronym means, they stand. A file that is none, or
    cannot be read, has no entries.
    """
    from ..dictionary.glossaries import read_glossary  # the readers of documents

    try:
        rows = list(read_glossary(path, "glossary", ProblemLog()))
    except (GladisError, OSError):
        return 0
    linker = linker_of(nlp)
    own = linker.dictionary.user_acronyms
    pairs = [
        (row.acronym, row.long_form) for row in rows if row.long_form and row.acronym not in own
    ]
    linker.learnt.add(pairs, str(path))
    return len(pairs)


def linker_of(nlp: Language, name: str = "The pipeline") -> AcroBERTLinker:
    """The pipeline's linker. Raises InputError where `name` has none."""
    for _, pipe in nlp.pipeline:
        if isinstance(pipe, AcroBERTLinker):
            return pipe
    raise InputError(f"{name} has no acrobert_linker; its pipes are {nlp.pipe_names}.")
