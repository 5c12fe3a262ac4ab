"""Figures that others publish for these sets, to stand beside ours."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Published:
    """A published figure: shares in 0..1, None where the source gives none.

    rows: what it was measured on, as far as it differs from ours.
    """

    set: str
    system: str
    source: str
    rows: str
    accuracy: float | None = None
    gladis_macro_f1: float | None = None
    sdu_macro_precision: float | None = None
    sdu_macro_recall: float | None = None
    sdu_macro_f1: float | None = None


_SDU21 = "SDU-21 shared task 2, its repository"
_GLADIS = "Chen et al. 2023 (GLADIS)"

PUBLISHED = (
    Published(
        "sciad",
        "most-frequent",
        _SDU21,
        "trained on 50,034 rows, tested on the 6,189 of which ours are half",
        sdu_macro_precision=0.8903,
        sdu_macro_recall=0.4494,
        sdu_macro_f1=0.5973,
    ),
    Published(
        "sciad",
        "AcroBERT, without training on the set",
        _GLADIS,
        "all 6,189, of which our test rows are a part",
        accuracy=0.720,
        gladis_macro_f1=0.580,
    ),
    Published(
        "uad",
        "AcroBERT, without training on the set",
        _GLADIS,
        "all 7,001, of which our test rows are a part",
        accuracy=0.937,
        gladis_macro_f1=0.888,
    ),
)
