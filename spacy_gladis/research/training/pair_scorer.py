"""Fitting of the weights that tell definitions from chance matches (`text/scoring.py`).

An acronym can be aligned with words next to it although they are not its long form. A logistic
regression learns to recognise such alignments.
"""

from collections.abc import Callable, Collection, Iterable
from pathlib import Path

from ...files import write_json
from ...text.bracket_candidates import bracket_sites
from ...text.mention import Definition
from ...text.pairing import possible_pairings
from ...text.scoring import PairFeatures, features, probability
from ..datasets.bioc import read_bioc

Text = tuple[str, Collection[tuple[str, str]]]  # a text and its true (acronym, long form) pairs
REGULARISATION = 2.0  # scikit-learn's C


def fit_pair_scorer(texts: Iterable[Text]) -> dict[str, float]:
    """Fit a regularised logistic regression that tells definitions from chance matches.

    Every alignment of an acronym with words next to it is an example. The example is positive if
    the acronym and these words are among the true pairs of the text.

    Args:
        texts: Texts, each with its true pairs `(acronym, long form)`.

    Returns:
        A mapping from each feature, and from "bias", to its weight.
    """
    from sklearn.feature_extraction import DictVectorizer
    from sklearn.linear_model import LogisticRegression

    seen: list[dict[str, float]] = []
    right: list[bool] = []
    for text, true in texts:
        for site in bracket_sites(text):
            for pairing in possible_pairings(text, site):
                seen.append(features(pairing.seen))
                definition = Definition(site.acronym, pairing.place, ending=pairing.ending)
                right.append((text[slice(*site.acronym)], definition.words(text)) in true)
    vectorizer = DictVectorizer()
    model = LogisticRegression(C=REGULARISATION, max_iter=5000)
    model.fit(vectorizer.fit_transform(seen), right)
    names = vectorizer.get_feature_names_out()
    weights = dict(zip(map(str, names), map(float, model.coef_[0]), strict=True))
    return {"bias": float(model.intercept_[0]), **weights}


def scorer(weights: dict[str, float]) -> Callable[[PairFeatures], float]:
    """Return a function that scores pairs with given weights, for `find_definitions(score=...)`.

    Args:
        weights: A mapping from each feature, and from "bias", to its weight.

    Returns:
        A function from the properties of a pair to the probability that it is a definition.
    """
    return lambda seen: probability(seen, weights)


def write_pair_scorer(corpus: Path, output: Path) -> dict[str, float]:
    """Fit the weights on the abstracts of a BioC file, and write them for `text/scoring.py`.

    Args:
        corpus: Path of the BioC file, such as `Ab3P_bioc_gold.xml` (public domain).
        output: Path of the JSON file to write.

    Returns:
        The weights, rounded to four decimals.

    Raises:
        InputError: If the corpus cannot be read.
        FormatError: If the corpus is damaged.
    """
    weights = fit_pair_scorer(
        (abstract.text, abstract.definitions) for abstract in read_bioc(corpus)
    )
    rounded = {name: round(weight, 4) for name, weight in sorted(weights.items())}
    write_json(output, {"source": "Ab3P-BioC corpus (public domain)", "weights": rounded})
    return rounded
