"""The whole pipeline in one call, for the command line and for scripts."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import spacy
from confection import Config
from spacy.language import Language
from spacy.tokenizer import Tokenizer  # type: ignore[import-not-found]  # compiled
from spacy.util import (
    compile_infix_regex,
    compile_prefix_regex,
    compile_suffix_regex,
    get_lang_class,
)

from ..dictionary.user_entries import read_user_entries
from ..errors import FormatError, GladisError, InputError, require
from ..settings import resolve_settings
from .acronym_detector import AcronymDetector
from .acronym_llm import AcronymLLM
from .languages import ANY
from .learn import linker_of

LONGEST_TEXT = 1_000_000_000
"""Characters; a tokenizer and our components need no parser's limit."""

_PEELED = "|".join(
    rf"(?=\S{{{length}}})(?:[\W_]{{{marks}}}|\S*\Z(?<=[\W_]{{{marks}}}))"
    for length, marks in ((1, 32), (256, 16), (2048, 2))
)
_ONE_TOKEN = rf"{_PEELED}|(?:\w{{1,4}}['’]){{16}}|\S*\Z(?<=(?:['’][sS]){{16}})|\S{{8192}}"
"""spaCy's tokenizer reads a word anew for each mark or elision that it peels off its ends, and
takes minutes for some ten thousand, or for some hundred around a long word."""


def load_pipeline(
    model: str | Path | None = None,
    *,
    language: str = "en",
    dictionary: str | Path | None = None,
    overlay: Sequence[str | Path] | None = None,
    field: str | None = None,
    threshold: float | None = None,
    precision: float | None = None,
    top_k: int | None = None,
    any_language: bool = False,
    offensive: bool = False,
    llm: str | Path | None = None,
) -> Language:
    """A pipeline that finds and resolves acronyms, with its weights and dictionary opened.

    model: a saved spaCy pipeline with an `acrobert_linker`; or AcroBERT weights, as a folder or a
        name on the Hugging Face hub; None: the packaged weights.
    language: of the tokenizer; a saved pipeline has its own.
    overlay: files of own entries, added to those of a saved pipeline.
    any_language: ask the dictionary about texts in languages that it has not, too.
    offensive: also answer with offensive long forms.
    llm: a config file of a language model that is to be asked, as `language_model` reads it.
    The others are settings of the linker; None leaves what the pipeline has.
    Raises InputError and FormatError when one of them cannot be used, and where a threshold and a
    precision are given.
    """
    settings = {
        "dictionary": None if dictionary is None else str(dictionary),
        "overlay": [str(one) for one in overlay or ()] or None,
        "field": field,
        "threshold": threshold,
        "precision": precision,
        "top_k": top_k,
        "languages": [ANY] if any_language else None,
        "offensive": True if offensive else None,
    }
    given = resolve_settings({name: one for name, one in settings.items() if one is not None})
    if model is not None and (Path(model) / "meta.json").is_file():
        nlp = _load_saved(Path(model), given)
    else:
        if model is not None:
            given["model"] = {"@architectures": "spacy-gladis.AcroBERT.v1", "path": str(model)}
        nlp = _make(language, given)
    linker_of(nlp).open()
    if llm is not None:
        language_model(nlp, Path(llm))
    return nlp


def language_model(nlp: Language, path: Path) -> AcronymLLM:
    """Add the component `acronym_llm` that a config file describes to a pipeline.

    path: a file with a section [acronym_llm] of its settings and [acronym_llm.model]; where it
        names no cache, replies are kept beside it. Raises FormatError and InputError for what it
        cannot be made of, MissingExtraError.
    """
    require("spacy_llm", "llm", "spacy-llm")
    try:
        settings = Config().from_disk(path)["acronym_llm"]
        settings.setdefault("cache", str(path.with_suffix(".replies")))
        return cast(AcronymLLM, nlp.add_pipe("acronym_llm", config=settings))
    except GladisError:
        raise
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise FormatError(
            f"{path} describes no language model: {error}. Expected a section [acronym_llm] and a "
            "section [acronym_llm.model] with @llm_models, base_url and name."
        ) from error


def _make(language: str, settings: dict[str, Any]) -> Language:
    nlp = _blank(language)
    nlp.add_pipe("acronym_detector")
    nlp.add_pipe("acrobert_linker", config=settings)
    return nlp


def _blank(language: str) -> Language:
    """A pipeline of its tokenizer alone, which reads long words in linear time."""
    try:
        made = get_lang_class(language)
    except ImportError:
        raise InputError(
            f"spaCy has no language '{language}'. Give a code such as en, de or fr, or xx for none."
        ) from None
    kind = made.default_config["nlp"]["tokenizer"]["@tokenizers"]
    guarded = kind == "spacy.Tokenizer.v1"
    nlp = made(create_tokenizer=_guarded_tokenizer) if guarded else made()
    nlp.max_length = LONGEST_TEXT
    return nlp


def _guarded_tokenizer(nlp: Language) -> Tokenizer:
    """Make the language's own tokenizer with _ONE_TOKEN among what is one token.

    It is made anew because setting `token_match` afterwards reads all special cases again.
    """
    defaults = nlp.Defaults
    own = getattr(defaults.token_match, "__self__", None)  # a pattern, or none
    guard = re.compile(
        f"{own.pattern}|{_ONE_TOKEN}" if own else _ONE_TOKEN, own.flags if own else 0
    )
    prefixes, suffixes, infixes = defaults.prefixes, defaults.suffixes, defaults.infixes
    return Tokenizer(
        nlp.vocab,
        rules=defaults.tokenizer_exceptions,
        prefix_search=compile_prefix_regex(prefixes).search if prefixes else None,
        suffix_search=compile_suffix_regex(suffixes).search if suffixes else None,
        infix_finditer=compile_infix_regex(infixes).finditer if infixes else None,
        token_match=guard.match,
        url_match=defaults.url_match,
    )


def _load_saved(path: Path, settings: dict[str, Any]) -> Language:
    try:
        nlp = spacy.load(path)
    except GladisError:
        raise
    except Exception as error:  # whatever a damaged folder makes spaCy raise
        raise FormatError(f"{path} is not a spaCy pipeline that loads: {error}") from error
    linker_of(nlp, str(path)).configure(**settings)
    nlp.max_length = LONGEST_TEXT
    return nlp


def load_detector(language: str = "en", overlay: Sequence[str | Path] = ()) -> Language:
    """A pipeline that finds acronyms and definitions by rules: no model runs.

    overlay: files of own entries: what is an acronym, and what is none. Raises InputError where
    spaCy has no such language, and as `read_user_entries` for wrong entries.
    """
    entries = read_user_entries(overlay)
    nlp = _blank(language)
    detector = cast(AcronymDetector, nlp.add_pipe("acronym_detector"))
    if entries:
        detector.dictionary.add_rows(entries)
    return nlp
