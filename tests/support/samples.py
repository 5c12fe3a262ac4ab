"""Samples written in one line."""

from spacy_gladis.research.datasets.sample import Sample

HEART, STAFF = "heart rate", "human resources"


def sample(text: str, long_form: str = "", acronym: str = "HR") -> Sample:
    start = text.index(acronym)
    return Sample(acronym, long_form, text, start, start + len(acronym))
