"""Questions to a language model about the acronyms of many documents, one per acronym."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from operator import attrgetter

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
    """An acronym whose meaning is uncertain in all documents of a folder.

    Attributes:
        acronym: The acronym's base form, such as ``CNN`` for ``CNNs``.
        place: Document and line of its first mention, such as ``notes.txt:12``.
        answer: The most probable answer that the linker gave for one of its mentions.
        texts: Passages around its mentions, up to `CONTEXTS` in total. There is one passage per
            document, and longer passages are preferred.
    """

    acronym: str
    place: str
    answer: Resolution
    texts: list[str] = field(default_factory=list)

    @property
    def question(self) -> Question:
        """The question to the language model about this acronym."""
        return Question(self.acronym, tuple(self.texts), self.answer.candidates)


def gather_unsure(
    task: AcronymExpansion, annotated: Iterable[tuple[Source, Doc]]
) -> Iterator[Unsure]:
    """Collect the acronyms that no document defines and whose answers are all uncertain.

    Memory use grows with the number of acronyms, not with the length of the texts.

    Args:
        task: The task, which decides which answers are uncertain.
        annotated: Pairs of a text and its annotated document.

    Yields:
        The acronyms with their passages, in alphabetical order.
    """
    unsure: dict[str, Unsure] = {}
    certain: set[str] = set()
    for source, doc in annotated:
        text, longest = doc.text, dict[str, str]()
        for start, end, answer in mentions_of(doc):
            key = base_form(answer.acronym)
            if not task.is_unsure(answer):
                certain.add(key)
                continue
            if key not in unsure:
                place = f"{source.name}:{source.position(start).line}"
                unsure[key] = Unsure(key, place, answer)
            unsure[key].answer = max(unsure[key].answer, answer, key=attrgetter("probability"))
            longest[key] = max(longest.get(key, ""), words_around(text, start, end), key=len)
        for key, passage in longest.items():
            texts = sorted({*unsure[key].texts, passage}, key=lambda text: (-len(text), text))
            unsure[key].texts = texts[:CONTEXTS]
    yield from (unsure[key] for key in sorted(unsure.keys() - certain, key=str.casefold))


def ask_unsure(
    asker: AcronymLLM, unsure: Sequence[Unsure], report: Report
) -> Iterator[tuple[Unsure, Reply | None]]:
    """Ask a language model about uncertain acronyms, several in each prompt.

    Failures are reported. If the budget is spent, the acronyms that could not be asked about are
    reported too.

    Args:
        asker: The component that holds the language model.
        unsure: The uncertain acronyms, as `gather_unsure` yields them.
        report: Function that receives a `Problem` for each prompt without a reply.

    Yields:
        Pairs of an acronym and the model's reply, or None if the reply is not usable. Acronyms of
        prompts without a reply are left out.
    """
    rest = iter(unsure)
    spent: BudgetSpentError | None = None
    while part := list(islice(rest, asker.cfg["acronyms_per_prompt"])):
        acronyms = ", ".join(acronym.acronym for acronym in part)
        try:
            if spent is None or not asker.unknown_prompts([acronym.question for acronym in part]):
                replies = asker.ask([acronym.question for acronym in part])
                yield from zip(part, replies, strict=True)
                continue
        except BudgetSpentError as error:
            spent = error
        except GladisError:
            raise  # such an error affects all acronyms
        except Exception as error:
            report(Problem("language model failed", acronyms, None, str(error)))
            continue
        report(Problem("not asked", acronyms, None, str(spent)))
