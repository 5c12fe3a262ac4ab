"""The acronyms of many documents that a language model is to be asked about, each of them once."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from spacy.tokens import Doc

from ..documents.source import Source
from ..errors import GladisError
from ..problem import Problem, Report
from ..resolution import Resolution
from ..text import base_form
from .acronym_llm import AcronymLLM, BudgetSpentError
from .annotations import mentions_of
from .expansion_task import CONTEXTS, AcronymExpansion, Question, Reply, words_around


@dataclass
class Unsure:
    """An acronym that the linker is not sure of anywhere.

    place: of its first mention. answer: the linker's surest. texts: the longest words around it of
    each document, the CONTEXTS longest of all.
    """

    acronym: str
    place: str
    answer: Resolution
    texts: list[str] = field(default_factory=list)

    @property
    def question(self) -> Question:
        """What a model is asked."""
        return Question(self.acronym, tuple(self.texts), self.answer.candidates)


def gather_unsure(
    task: AcronymExpansion, annotated: Iterable[tuple[Source, Doc]]
) -> Iterator[Unsure]:
    """The acronyms that no document explains and none makes sure, in alphabetical order.

    What is kept grows with the acronyms, not with the texts.
    """
    found: dict[str, Unsure] = {}
    known: set[str] = set()
    for source, doc in annotated:
        text, longest = doc.text, dict[str, str]()
        for start, end, answer in mentions_of(doc):
            key = base_form(answer.acronym)
            if not task.is_unsure(answer):
                known.add(key)
                continue
            if key not in found:
                place = f"{source.name}:{source.position(start).line}"
                found[key] = Unsure(key, place, answer)
            found[key].answer = max(found[key].answer, answer, key=lambda one: one.probability)
            longest[key] = max(longest.get(key, ""), words_around(text, start, end), key=len)
        for key, around in longest.items():
            texts = sorted({*found[key].texts, around}, key=lambda one: (-len(one), one))
            found[key].texts = texts[:CONTEXTS]
    yield from (found[key] for key in sorted(found.keys() - known, key=str.casefold))


def ask_unsure(
    asker: AcronymLLM, unsure: Sequence[Unsure], report: Report
) -> Iterator[tuple[Unsure, Reply | None]]:
    """What the model says of each; what fails, or is more than the budget, is reported."""
    rest = iter(unsure)
    spent: BudgetSpentError | None = None
    while part := list(islice(rest, asker.cfg["acronyms_per_prompt"])):
        asked = ", ".join(one.acronym for one in part)
        try:
            if spent is None or not asker.unknown_prompts([one.question for one in part]):
                replies = asker.ask([one.question for one in part])
                yield from zip(part, replies, strict=True)
                continue
        except BudgetSpentError as error:
            spent = error
        except GladisError:
            raise  # it concerns all of them
        except Exception as error:
            report(Problem("language model failed", asked, None, str(error)))
            continue
        report(Problem("not asked", asked, None, str(spent)))
