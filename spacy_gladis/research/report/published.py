"""What the papers and shared tasks publish, to stand beside what is measured here.

Only figures that a source at hand states; the others are left out. "Known figure" marks one that
is stated without the table it stands in.
"""

from typing import NamedTuple


class Published(NamedTuple):
    """A published figure and where it stands; scores are shares, None where none is given."""

    system: str
    source: str
    scores: tuple[float | None, ...]

    @property
    def cells(self) -> tuple[str | float | None, ...]:
        """A table's row, marked as another's."""
        return (f"*{self.system}*", *self.scores, f"*{self.source}*")


ACROBERT = "AcroBERT as published"
_A1 = "GLADIS Table A1, whole sets"

SMALL_SETS = {  # accuracy, macro F1 (GLADIS)
    "uad": Published(ACROBERT, _A1, (0.937, 0.888)),
    "sciad": Published(ACROBERT, _A1, (0.720, 0.580)),
    "bio_umls": Published(ACROBERT, _A1, (0.653, 0.675)),
}

DICTIONARY = Published("GLADIS", "GLADIS section 3", (1_500_000, 6_400_000))
"""Acronyms and long forms."""

SCIAI = (  # precision, recall, macro F1
    Published("rule baseline", "SDU-21 task 1, its repository, dev", (0.9322, 0.7890, 0.8546)),
    Published("MadDog's rules", "known figure, dev", (None, None, 0.913)),
    Published("LSTM-CRF", "SciAI paper (COLING 2020), test", (None, None, 0.866)),
    Published("winner of SDU-21", "SDU-21 overview, test", (None, None, 0.933)),
    Published("people", "SciAI paper (COLING 2020), test", (None, None, 0.961)),
)

AB3P = (  # F1
    Published("Ab3P", "known figure, Ab3P corpus", (0.897,)),
    Published("BIOADI", "known figure, Ab3P corpus", (0.899,)),
)

LINKING = (  # Acc@1 on test sets
    Published("SapBERT", "SapBERT (NAACL 2021), NCBI disease, test", (0.923,)),
    Published("SapBERT", "SapBERT (NAACL 2021), BC5CDR diseases, test", (0.935,)),
    Published("SapBERT", "SapBERT (NAACL 2021), BC5CDR chemicals, test", (0.965,)),
)

WIC_TSV = {  # accuracy of BERT-base on the test set, by task
    "1": Published("BERT-base", "WiC-TSV paper (EACL 2021), test", (0.753,)),
    "2": Published("BERT-base", "WiC-TSV paper (EACL 2021), test", (0.714,)),
    "3": Published("BERT-base", "WiC-TSV paper (EACL 2021), test", (0.766,)),
}

BC2GM = {  # mean best similarity for uni-, bi- and trigrams
    "texts": Published("paper", "Table 2, 15,000 training sentences", (0.3319, 0.1312, 0.0420)),
    "annotations": Published("paper", "Table 2, 15,000 sentences", (0.7077, 0.1955, 0.0541)),
}

_SDU21, _GLADIS = "SDU-21 shared task 2, its repository", "Chen et al. 2023 (GLADIS)"
_UNTRAINED = "AcroBERT, without training on the set"

SUPERVISED: list[dict[str, str | float]] = [  # rows: what it was measured on beside ours
    {
        "set": "sciad",
        "system": "most-frequent",
        "source": _SDU21,
        "rows": "trained on 50,034 rows, tested on the 6,189 of which ours are half",
        "sdu_macro_precision": 0.8903,
        "sdu_macro_recall": 0.4494,
        "sdu_macro_f1": 0.5973,
    },
    {
        "set": "sciad",
        "system": _UNTRAINED,
        "source": _GLADIS,
        "rows": "all 6,189, of which our test rows are a part",
        "accuracy": 0.720,
        "gladis_macro_f1": 0.580,
    },
    {
        "set": "uad",
        "system": _UNTRAINED,
        "source": _GLADIS,
        "rows": "all 7,001, of which our test rows are a part",
        "accuracy": 0.937,
        "gladis_macro_f1": 0.888,
    },
]
