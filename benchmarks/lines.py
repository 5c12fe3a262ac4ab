"""What stands on the page of the benchmarks: figures of results files beside a peer or limit."""

from typing import NamedTuple

Keys = tuple[str | int, ...]


class Line(NamedTuple):
    """A figure of a results file beside a peer's (keys) or a limit (a number).

    ours, other: keys into the file. less: the lower the better.
    """

    what: str
    unit: str
    ours: Keys
    peer: str
    other: Keys | float
    less: bool = False


class Section(NamedTuple):
    """The lines of one results file."""

    title: str
    name: str
    lines: tuple[Line, ...]


PAPERS, ABSTRACTS = ("full-text papers", "MB/s"), ("abstracts", "MB/s")
RUST = "abbreviation_extractor"
TOKENISED = ("pipelines", "tokens", "words_per_cpu_second")


def _piped(name: str, figure: str = "words_per_cpu_second") -> Keys:
    return ("pipelines", name, figure)


def _linked(candidates: str) -> Line:
    rate = "mentions_per_cpu_second"
    of = ("by_candidates", candidates)
    what = f"{candidates} candidates: retriever over cached vectors, BERT-base in a pass for each"
    return Line(what, "mentions/s", (*of, "linker", rate), "BERT-base", (*of, "bert_base", rate))


def _grown(what: str, name: str, limit: float = 1.1) -> Line:
    return Line(what, "slope", (name, "slope_of_last_step"), "linear, and a tenth", limit, True)


def _runtime(
    what: str, unit: str, figure: str, runtime: str = "onnxruntime", less: bool = False
) -> Line:
    return Line(what, unit, (runtime, figure), "torch", ("torch", figure), less)


SECTIONS = (
    Section(
        "Start",
        "startup",
        (
            Line(
                "`spacy.blank`, the package installed",
                "CPU s",
                ("median_cpu_seconds", "with"),
                "not installed",
                ("median_cpu_seconds", "without"),
                True,
            ),
            Line(
                "first answer of `annotate`",
                "CPU s",
                ("median_cpu_seconds", "answer"),
                "`import spacy`, `spacy.blank`",
                ("median_cpu_seconds", "with"),
                True,
            ),
            Line(
                "the same, above the one made just before, in the median",
                "CPU s",
                ("first_answer_above_blank", "cpu_seconds"),
                "limit",
                1.2,
                True,
            ),
        ),
    ),
    Section(
        "Installation",
        "installation",
        (
            Line("all packages", "MB", ("megabytes",), "limit", 1_500, True),
            Line(
                "the package itself",
                "MB",
                ("largest", "spacy_gladis"),
                "torch",
                ("largest", "torch"),
                True,
            ),
        ),
    ),
    Section(
        "The encoder without torch (not packaged)",
        "encoder_runtimes",
        (
            _runtime("the runtime's package", "MB", "package_megabytes", less=True),
            _runtime("spaCy and the encoder ready", "CPU s", "start_cpu_seconds", less=True),
            _runtime("long forms encoded in onnxruntime", "a CPU s", "long_forms_per_cpu_second"),
            _runtime("contexts encoded in onnxruntime", "a CPU s", "contexts_per_cpu_second"),
            _runtime("mentions linked in onnxruntime", "a CPU s", "mentions_linked_per_cpu_second"),
            _runtime(
                "long forms encoded in numpy", "a CPU s", "long_forms_per_cpu_second", "numpy"
            ),
            _runtime("contexts encoded in numpy", "a CPU s", "contexts_per_cpu_second", "numpy"),
        ),
    ),
    Section(
        "Rules",
        "rules_speed",
        tuple(
            Line(f"`{ours}`, {of[0]}", "MB/s", (*of, ours), peer, (*of, peer))
            for of in (PAPERS, ABSTRACTS)
            for ours, peer in (
                ("schwartz_hearst", RUST),
                ("schwartz_hearst", "abbreviations"),
                ("schwartz_hearst", "scispacy"),
                ("find_definitions", RUST),
                ("find_definitions", "find_definitions, not compiled"),
                ("find_definitions", "scispacy"),
            )
        ),
    ),
    Section(
        "Pipelines",
        "pipes",
        (
            Line("detector", "words/s", _piped("detector"), "tokens alone", TOKENISED),
            Line(
                "detector",
                "words/s",
                _piped("detector"),
                "scispacy's AbbreviationDetector",
                _piped("scispacy_detector"),
            ),
            Line(
                "detector and linker",
                "words/s",
                _piped("both"),
                "scispacy's AbbreviationDetector, EntityLinker",
                _piped("scispacy_both"),
            ),
            Line(
                "acronyms linked",
                "spans",
                _piped("both", "linked"),
                "scispacy's AbbreviationDetector, EntityLinker",
                _piped("scispacy_both", "linked"),
            ),
            Line(
                "detector and linker, peak memory",
                "MB",
                _piped("both", "peak_megabytes"),
                "scispacy's AbbreviationDetector, EntityLinker",
                _piped("scispacy_both", "peak_megabytes"),
                True,
            ),
        ),
    ),
    Section("Linker", "linker", tuple(map(_linked, ("2-9", "10-99", "100+")))),
    Section(
        "Matrix products",
        "products",
        (
            Line(
                "the encoder's linear layers",
                "of the peak",
                ("share_of_peak", "linear_layers"),
                "target",
                0.6,
            ),
            Line("the whole encoder", "of the peak", ("share_of_peak", "encoder"), "target", 0.6),
        ),
    ),
    Section(
        "Documents",
        "annotate",
        (
            Line(
                "mentions, vectors of long forms computed",
                "mentions/CPU s",
                ("warm", "mentions_per_cpu_second"),
                "target, 2,000/s on two cores",
                1000,
            ),
        ),
    ),
    Section(
        "Processes",
        "processes",
        (
            Line(
                "two processes",
                "documents/s",
                ("documents_per_second", "2"),
                "one",
                ("documents_per_second", "1"),
            ),
        ),
    ),
    Section(
        "Contexts",
        "contexts",
        tuple(
            Line(
                f"the first {number} of an acronym's mentions in a document read",
                what,
                ("by_contexts_read", number, key),
                "all",
                ("by_contexts_read", "all", key),
                key == "read",
            )
            for number in ("1", "3")
            for key, what in (("accuracy", "accuracy"), ("read", "contexts"))
        ),
    ),
    Section(
        "Service",
        "serve",
        (
            Line(
                "paragraphs, 32 clients at once",
                "answers/s",
                ("load", 2, "requests_per_second"),
                "one client",
                ("load", 0, "requests_per_second"),
            ),
        ),
    ),
    Section(
        "Dictionary",
        "dictionary_store",
        tuple(
            Line(what, unit, ("store", key), peer, (of, key), less)
            for what, unit, key, less in (
                ("open", "s", "open_seconds", True),
                ("look-ups", "/s", "lookups_per_cpu_second", False),
                ("own memory", "bytes", "private_bytes", True),
            )
            for peer, of in (("JSON", "json"), ("SQLite", "sqlite"))
        ),
    ),
    Section(
        "Extraction",
        "extraction",
        (
            Line(
                "mining a corpus",
                "CPU s",
                ("cpu_ratio", "cpu_seconds", "extract"),
                "decompress, parse",
                ("cpu_ratio", "cpu_seconds", "parse"),
                True,
            ),
            Line(
                "mining a corpus with two workers",
                "s",
                ("scaling", "seconds", "two_workers"),
                "with one",
                ("scaling", "seconds", "one_worker"),
                True,
            ),
            Line(
                "a shard twice as large, peak memory",
                "MB",
                ("memory", "peak_megabytes", "doubled"),
                "the shard",
                ("memory", "peak_megabytes", "shard"),
                True,
            ),
            Line(
                "counting 100 million definitions, peak memory",
                "MB",
                ("group_by", "peak_megabytes"),
                "limit",
                2000,
                True,
            ),
        ),
    ),
    Section(
        "Tagger",
        "detector_speed",
        (
            Line(
                "detector with tagger",
                "words/s",
                ("words_per_cpu_second", "rules and tagger"),
                "spaCy's NER of the same width",
                ("words_per_cpu_second", "spaCy's NER"),
            ),
        ),
    ),
    Section(
        "Training",
        "training_speed",
        tuple(
            Line(
                name,
                "samples/s",
                ("samples_per_second", name),
                "published way",
                ("samples_per_second", "published way"),
            )
            for name in ("our loop, paper's recipe", "our loop, candidates")
        ),
    ),
    Section(
        "Leakage",
        "leakage_speed",
        (
            Line(
                "nearest of 10,000 sentences in 811,958",
                "CPU s",
                ("1-grams, 10,000 x 811,958", "cpu_seconds"),
                "in 100,000",
                ("1-grams, 10,000 x 100,000", "cpu_seconds"),
                True,
            ),
        ),
    ),
    Section(
        "Concepts",
        "concept_inventory",
        (
            Line(
                "nearest names, shortlist",
                "phrases/s",
                ("shortlist_phrases_per_cpu_second",),
                "exact",
                ("exact_phrases_per_cpu_second",),
            ),
        ),
    ),
    Section(
        "Growth",
        "growth",
        (
            _grown(
                "tokens and detector, document of 1 kB to 10 MB",
                "tokenise_and_detect_by_characters",
            ),
            _grown("linker, document of 1 to 100 kB", "link_by_characters"),
            _grown("import, 10^4 to 6.4 x 10^6 long forms", "import_by_long_forms"),
            _grown("open, 10^4 to 6.4 x 10^6 long forms", "open_by_long_forms"),
            _grown("look up, 10^4 to 6.4 x 10^6 long forms", "look_up_by_long_forms"),
            _grown("a mention, 1 to 5,000 candidates", "candidates"),
        ),
    ),
    Section("Wheel", "wheel", (Line("size", "bytes", ("bytes",), "limit", 80_000_000, True),)),
    Section(
        "Faults",
        "fuzz_texts",
        (Line("random inputs", "inputs", ("inputs",), "target", 10_000_000),),
    ),
    Section(
        "Kill and restart",
        "kill_restart",
        (
            Line(
                "runs that end with the same bytes",
                "runs",
                ("same",),
                "runs killed before",
                ("completed_runs",),
            ),
        ),
    ),
)
