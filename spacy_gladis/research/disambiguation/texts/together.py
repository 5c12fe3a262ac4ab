"""Texts with the definitions of the other texts of their repository."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from spacy.language import Language
from spacy.tokens import Doc

from ....dictionary.learnt import LearntDefinitions
from ....documents.source import Source
from ....pipeline.annotations import DOCUMENT
from ....pipeline.learn import learn_definitions, linker_of
from ...datasets.texts import LabelledText


def annotate_together(nlp: Language, texts: Sequence[LabelledText]) -> Iterator[Doc]:
    """Each text by a linker that has learnt of all others of its repository, and of nothing else.

    Other than in use, a text's own definitions are left out of what it is given as the others'.
    """
    linker = linker_of(nlp)
    found = [learn_definitions(nlp, [Source(text.name, text.text)]) for text in texts]
    together: defaultdict[str, list[int]] = defaultdict(list)
    for number, text in enumerate(texts):
        together[text.repository].append(number)
    for numbers in together.values():
        undefined = {acronym: None for number in numbers for acronym in found[number][1]}
        for number in numbers:
            found[number][0].add_phrases(texts[number].text, undefined, texts[number].name)
    for number, text in enumerate(texts):
        linker.learnt = LearntDefinitions()
        for other in together[text.repository] if text.repository else ():
            if other != number:
                linker.learnt.update(found[other][0])
        doc = nlp.make_doc(text.text)
        doc.user_data[DOCUMENT] = text.name
        yield nlp(doc)
    linker.learnt = LearntDefinitions()
