"""Collection of definitions from texts, which rules find without a model or tokens."""

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
"""Function that returns all texts of a set of documents. It can be called several times."""


def learn_sources(nlp: Language, read: Sources) -> FolderDefinitions:
    """Collect the definitions in texts, and the phrases that may explain undefined acronyms.

    The result helps to resolve the acronyms of other documents in the same project. Only one text
    is in memory at a time.

    Args:
        nlp: The pipeline whose detector finds the acronyms. A pipeline without a detector gets a
            default one.
        read: Function that returns the texts. It is called a second time if acronyms are undefined.

    Returns:
        The definitions, phrases and undefined acronyms.
    """
    definitions = learn_definitions(nlp, read())
    if undefined := definitions.undefined:
        for source in read():
            definitions.add_phrases(source.text, undefined, source.name)
    return definitions


def detector_of(nlp: Language) -> AcronymDetector:
    """Return the component of a pipeline that finds acronyms.

    Args:
        nlp: The pipeline whose components are searched.

    Returns:
        The pipeline's first `acronym_detector`, or a new one with default settings if it has none.
    """
    detectors = (pipe for _, pipe in nlp.pipeline if isinstance(pipe, AcronymDetector))
    return next(detectors, None) or AcronymDetector(nlp)


def learn_definitions(nlp: Language, sources: Iterable[Source]) -> FolderDefinitions:
    """Collect the definitions in texts and in their markup, and the acronyms without a definition.

    Args:
        nlp: The pipeline whose detector finds the acronyms. A pipeline without a detector gets a
            default one.
        sources: The texts, with the definitions that their markup contains, as in a glossary.

    Returns:
        The definitions and undefined acronyms.
    """
    detector = detector_of(nlp)
    definitions = FolderDefinitions()
    for source in sources:
        text, findings = source.text, detector.find(source.text)
        marked = [(definition.acronym, definition.long_form) for definition in source.definitions]
        defined = [
            (text[slice(*definition.acronym)], definition.words(text))
            for definition in findings.definitions
        ]
        definitions.add([*marked, *defined], source.name)
        definitions.use(text[slice(*place)] for place in findings.undefined)
    return definitions


def learn_glossary(nlp: Language, path: Path) -> int:
    """Add the entries of a glossary file to the linker's evidence from other documents.

    Unlike the definitions in other documents, these entries decide the answer. Only the document's
    own definitions and the user's own entries take precedence. If the file isn't a glossary or
    can't be read, nothing is added.

    Args:
        nlp: The pipeline whose linker gets the entries.
        path: Path of the glossary file, in any format that the package reads.

    Returns:
        The number of entries that were added.
    """
    from ..dictionary.glossaries import read_glossary  # loads the readers of documents

    try:
        rows = list(read_glossary(path, "glossary", ProblemLog()))
    except (GladisError, OSError):
        return 0
    linker = linker_of(nlp)
    user_entries = linker.dictionary.user_acronyms
    pairs = [
        (row.acronym, row.long_form)
        for row in rows
        if row.long_form and row.acronym not in user_entries
    ]
    linker.folder_definitions.add(pairs, str(path), is_glossary=True)
    return len(pairs)


def linker_of(nlp: Language, name: str = "The pipeline") -> AcroBERTLinker:
    """Return the component of a pipeline that resolves acronyms.

    Args:
        nlp: The pipeline whose components are searched.
        name: Name of the pipeline, which the error message mentions.

    Returns:
        The pipeline's first `acrobert_linker`.

    Raises:
        InputError: If the pipeline has no linker.
    """
    for _, pipe in nlp.pipeline:
        if isinstance(pipe, AcroBERTLinker):
            return pipe
    raise InputError(
        f"{name} has no acrobert_linker. Its components are {nlp.pipe_names}. Add one with "
        "nlp.add_pipe('acrobert_linker')."
    )
