"""Pure text: definitions in a string, acronym shapes and variants, merge keys, BIO codec."""

from spacy_gladis.rules.definition import Definition
from spacy_gladis.rules.schwartz_hearst import schwartz_hearst

__all__ = ["Definition", "schwartz_hearst"]
