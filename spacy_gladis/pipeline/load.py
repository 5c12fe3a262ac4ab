"""Functions that create or load a complete pipeline, for the command line and for scripts."""

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
"""Maximum number of characters in a text. spaCy's lower default is meant for parsers, which need
much memory for long texts."""

_PEELED = "|".join(
    rf"(?=\S{{{length}}})(?:[\W_]{{{marks}}}|\S*\Z(?<=[\W_]{{{marks}}}))"
    for length, marks in ((1, 32), (256, 16), (2048, 2))
)
_ONE_TOKEN = rf"{_PEELED}|(?:\w{{1,4}}['’]){{16}}|\S*\Z(?<=(?:['’][sS]){{16}})|\S{{8192}}"
"""Pattern of long words that are kept as one token.

spaCy's tokenizer reads a word again for each punctuation mark or elision that it strips from the
ends of the word. Ten thousand marks, or some hundred around a long word, would take minutes.
"""


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
    """Load a pipeline that finds and resolves acronyms, together with its weights and dictionary.

    The parameters after `language` are settings of the linker and of the language model. None keeps
    the value that the pipeline has.

    Args:
        model: Path of a saved spaCy pipeline with an `acrobert_linker`, path of a folder with
            AcroBERT weights, or name of weights on the Hugging Face hub (owner/name). None selects
            the packaged weights.
        language: Code of the tokenizer's language, such as "en". A saved pipeline keeps its own
            tokenizer.
        dictionary: Path of a dictionary file, or of a JSON file in the published GLADIS format.
        overlay: Paths of files with user entries, which are added to the entries of a saved
            pipeline.
        field: Subject field of the texts, such as "clinical" (see `settings.FIELDS`).
        threshold: Minimum probability of an answer, between 0 and 1. Below it, the answer is NIL.
        precision: Target precision, between 0 and 1, from which the threshold is chosen. Set only
            one of the two.
        top_k: Number of candidates that each answer keeps with their probabilities.
        any_language: Whether to use the dictionary also for texts in languages that it doesn't
            cover.
        offensive: Whether offensive long forms in the dictionary can be answers.
        llm: Path of the config file of a language model that is asked about uncertain acronyms (see
            `language_model`). None asks no language model.

    Returns:
        A pipeline with an `acronym_detector` and an `acrobert_linker`, ready to use. A saved
        pipeline keeps its own components.

    Raises:
        InputError: If a setting is out of range, both `threshold` and `precision` are set, or a
            file doesn't exist.
        FormatError: If a file is damaged or has an invalid line.
    """
    settings = {
        "dictionary": None if dictionary is None else str(dictionary),
        "overlay": [str(path) for path in overlay or ()] or None,
        "field": field,
        "threshold": threshold,
        "precision": precision,
        "top_k": top_k,
        "languages": [ANY] if any_language else None,
        "offensive": True if offensive else None,
    }
    linker_settings = resolve_settings(
        {name: value for name, value in settings.items() if value is not None}
    )
    if model is not None and (Path(model) / "meta.json").is_file():
        nlp = _load_saved(Path(model), linker_settings)
    else:
        if model is not None:
            linker_settings["model"] = {
                "@architectures": "spacy-gladis.AcroBERT.v1",
                "path": str(model),
            }
        nlp = _make(language, linker_settings)
    linker_of(nlp).open()
    if llm is not None:
        language_model(nlp, Path(llm))
    return nlp


def language_model(nlp: Language, path: Path) -> AcronymLLM:
    """Add the component `acronym_llm` to a pipeline, with the settings of a config file.

    The section [acronym_llm] of the file has the component's settings. The section
    [acronym_llm.model] describes the language model. Without a setting `cache`, replies are stored
    in a folder next to the file.

    Args:
        nlp: The pipeline to which the component is added.
        path: Path of the config file, in spaCy's format.

    Returns:
        The component that was added.

    Raises:
        InputError: If a setting has an invalid value.
        FormatError: If the file can't be read or lacks a section.
        MissingExtraError: If spacy-llm isn't installed.
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
            f"{path} does not describe a language model: {error}. The file needs a section "
            "[acronym_llm] and a section [acronym_llm.model] with @llm_models, base_url and name."
        ) from error


def _make(language: str, settings: dict[str, Any]) -> Language:
    nlp = _blank(language)
    nlp.add_pipe("acronym_detector")
    nlp.add_pipe("acrobert_linker", config=settings)
    return nlp


def _blank(language: str) -> Language:
    """Create a pipeline that only has a tokenizer, which reads long words in linear time."""
    try:
        language_class = get_lang_class(language)
    except ImportError:
        raise InputError(
            f"spaCy has no language '{language}'. Give a code such as en, de or fr. Give xx for a "
            "tokenizer of no particular language."
        ) from None
    tokenizer = language_class.default_config["nlp"]["tokenizer"]["@tokenizers"]
    is_default = tokenizer == "spacy.Tokenizer.v1"
    nlp = language_class(create_tokenizer=_guarded_tokenizer) if is_default else language_class()
    nlp.max_length = LONGEST_TEXT
    return nlp


def _guarded_tokenizer(nlp: Language) -> Tokenizer:
    """Create a language's tokenizer, which also keeps words that match _ONE_TOKEN as one token.

    Setting `token_match` on an existing tokenizer would read all special cases again.
    """
    defaults = nlp.Defaults
    pattern = getattr(defaults.token_match, "__self__", None)  # None without a token_match
    guard = re.compile(
        f"{pattern.pattern}|{_ONE_TOKEN}" if pattern else _ONE_TOKEN,
        pattern.flags if pattern else 0,
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
    except Exception as error:  # spaCy may raise any error for a damaged folder
        raise FormatError(f"{path} cannot be loaded as a spaCy pipeline: {error}") from error
    linker_of(nlp, str(path)).configure(**settings)
    nlp.max_length = LONGEST_TEXT
    return nlp


def load_detector(language: str = "en", overlay: Sequence[str | Path] = ()) -> Language:
    """Create a pipeline that finds acronyms and their definitions by rules, without a model.

    It doesn't resolve acronyms that a text doesn't define. Use `load_pipeline` for that.

    Args:
        language: Code of the tokenizer's language, such as "en".
        overlay: Paths of files with user entries: acronyms, and words that aren't acronyms.

    Returns:
        A pipeline with an `acronym_detector`.

    Raises:
        InputError: If spaCy has no such language, or an overlay doesn't exist.
        FormatError: If an overlay has an invalid line.
    """
    entries = read_user_entries(overlay)
    nlp = _blank(language)
    detector = cast(AcronymDetector, nlp.add_pipe("acronym_detector"))
    if entries:
        detector.dictionary.add_rows(entries)
    return nlp
