"""What texts define, read by the rules alone: no network, no tokens."""

from collections.abc import Callable, Iterable

from spacy.language import Language

from ..dictionary.learnt import LearntDefinitions
from ..documents.source import Source
from ..errors import InputError
from ..rules import Definition, find_definitions
from .acrobert_linker import AcroBERTLinker
from .acronym_detector import AcronymDetector

Find = Callable[[str], list[Definition]]


def learn_sources(nlp: Language, sources: Iterable[Source]) -> LearntDefinitions:
    """The definitions in texts, and those that their format marks, such as a glossary's.

    nlp: its detector says what is no acronym; without one the rules do. One text is held at a time.
    """
    find = _finder(nlp)
    learnt = LearntDefinitions()
    for source in sources:
        text = source.text
        marked = [(one.acronym, one.long_form) for one in source.definitions]
        found = [(text[slice(*one.acronym)], one.words(text)) for one in find(text)]
        learnt.add([*marked, *found], source.name)
    return learnt


def linker_of(nlp: Language) -> AcroBERTLinker:
    """The pipeline's linker. Raises InputError where there is none."""
    for _, pipe in nlp.pipeline:
        if isinstance(pipe, AcroBERTLinker):
            return pipe
    raise InputError(f"The pipeline has no acrobert_linker; its pipes are {nlp.pipe_names}.")


def _finder(nlp: Language) -> Find:
    for _, pipe in nlp.pipeline:
        if isinstance(pipe, AcronymDetector):
            detector = pipe
            return lambda text: detector.find(text).definitions
    return find_definitions
