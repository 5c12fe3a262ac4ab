"""The component `acronym_llm`: asks a language model what the linker is not sure of."""

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from hashlib import sha256
from typing import Any, ClassVar

from spacy.language import Language
from spacy.pipeline.pipe import Pipe
from spacy.tokens import Doc
from spacy.util import registry
from spacy.vocab import Vocab

from ..errors import GladisError, InputError, require
from ..problem import Problem, Report, log_problem
from ..resolution import Resolution
from ..settings import THRESHOLD
from .acrobert_linker import AcroBERTLinker
from .annotations import ACRONYMS, DOCUMENT
from .component import Component
from .expansion_task import CERTAINTY, AcronymExpansion, Question, Reply, read_reply
from .openai_compatible import OpenAICompatible

CHARACTERS_A_TOKEN = 4
"""By which tokens are told before a model counts them."""

_REPLY = "reply"


class BudgetSpentError(GladisError):
    """As much was asked as may be."""


class Budget:
    """What may be sent, and what was: calls, and tokens of prompts and replies (about).

    None: as much as there is.
    """

    def __init__(self, calls: int | None = None, tokens: int | None = None) -> None:
        self.most_calls, self.most_tokens = calls, tokens
        self.calls = self.tokens = 0

    def take(self, prompt: str) -> None:
        """Count a call. Raises BudgetSpentError where it is one too many."""
        cost = self.tokens_of(prompt)
        calls, tokens = self.calls + 1, self.tokens + cost
        if calls > (self.most_calls or calls) or tokens > (self.most_tokens or tokens):
            raise BudgetSpentError(
                f"The budget is spent: {self.calls:,} calls, about {self.tokens:,} tokens."
            )
        self.calls, self.tokens = calls, tokens

    def add(self, reply: str) -> None:
        """Count a reply's tokens."""
        self.tokens += self.tokens_of(reply)

    @staticmethod
    def tokens_of(text: str) -> int:
        """About how many tokens a text has."""
        return len(text) // CHARACTERS_A_TOKEN


for _kind, _name, _made in (
    ("llm_models", "spacy-gladis.OpenAICompatible.v1", OpenAICompatible),
    ("llm_tasks", "spacy-gladis.AcronymExpansion.v1", AcronymExpansion),
):
    # These registries are spacy-llm's, which makes them where they are not there yet: a config can
    # be read without it, and our own error says that it is not installed.
    if not hasattr(registry, _kind):
        registry.create(_kind, entry_points=True)
    getattr(registry, _kind).register(_name, func=_made)


@Language.factory(
    "acronym_llm",
    requires=["doc.spans"],
    assigns=["doc.spans"],
    default_config={"model": None},
)
class AcronymLLM(Component, Pipe):
    """Asks a model of spacy-llm about the acronyms whose answers are open or not sure.

    An answer that it changes has the source `llm`. A document whose questions fail keeps the
    linker's answers, and is reported.
    """

    report: Report = staticmethod(log_problem)
    """Told which documents failed."""

    def __init__(
        self,
        nlp: Language,
        name: str = "acronym_llm",
        *,
        model: Any = None,
        spans_key: str = ACRONYMS,
        ask_below: float = 0.9,
        acronyms_per_prompt: int = 8,
        threshold: float | None = None,
        certainty: Mapping[str, Sequence[float]] = CERTAINTY,
        cache: str | None = None,
    ) -> None:
        """Set up; nothing is sent before there is a document.

        model: of the registry `llm_models`, such as `spacy-gladis.OpenAICompatible.v1`.
        spans_key, ask_below, acronyms_per_prompt, certainty: as `AcronymExpansion` has them.
        threshold: the probability, 0..1, below which there is no answer; None: the linker's.
        cache: a folder that keeps the replies, so that nothing is asked twice; None: no replies
            are kept.
        Raises InputError without a model and for a setting out of range, MissingExtraError.
        """
        require("spacy_llm", "llm", "spacy-llm")
        if model is None:
            raise InputError(
                f"{name} needs a model, such as config={{'model': {{'@llm_models': "
                "'spacy-gladis.OpenAICompatible.v1', 'base_url': 'http://localhost:8080/v1', "
                "'name': 'qwen2.5'}}."
            )
        self.model = model
        self.budget = Budget()
        linkers = (one for _, one in nlp.pipeline if isinstance(one, AcroBERTLinker))
        self.linker = next(linkers, None)
        self._cache: Any = None
        cfg = {
            "spans_key": spans_key,
            "ask_below": ask_below,
            "acronyms_per_prompt": acronyms_per_prompt,
            "threshold": threshold,
            "certainty": {kind: list(both) for kind, both in {**CERTAINTY, **certainty}.items()},
            "cache": cache,
        }
        self._begin(nlp, name, cfg)

    @property
    def task(self) -> AcronymExpansion:
        """What is asked, and what a reply is worth, by the settings as they are."""
        names = ("ask_below", "spans_key", "acronyms_per_prompt", "certainty")
        threshold = self.cfg["threshold"]
        if threshold is None:
            threshold = self.linker.resolve_threshold() if self.linker else THRESHOLD
        return AcronymExpansion(threshold=threshold, **{name: self.cfg[name] for name in names})

    def beside(self, linker: AcroBERTLinker) -> "AcronymLLM":
        """The same component with another linker's threshold; this one stays as it is."""
        other = copy(self)
        other.cfg = {**self.cfg, "threshold": linker.resolve_threshold()}
        return other

    def predict(self, docs: Iterable[Doc]) -> list[list[Resolution]]:
        """The answers to each document's spans, in order; those that are sure as they are."""
        task = self.task
        found = []
        for doc in docs:
            replies = dict[str, Reply | None]()
            asked = task.questions(doc)
            try:
                replies = dict(zip(asked, self.ask(list(asked.values())), strict=True))
            except GladisError:
                raise  # it concerns all documents
            except Exception as error:
                name = doc.user_data.get(DOCUMENT) or f"{doc.text[:40]!r}"
                self.report(Problem("language model failed", name, None, str(error)))
            found.append(task.answers(doc, replies))
        return found

    def ask(self, questions: Sequence[Question]) -> list[Reply | None]:
        """What the model says of each question; what the cache knows is not asked.

        Raises BudgetSpentError, and what the model raises.
        """
        return [
            one
            for prompt, part in self.task.prompts(questions)
            for one in read_reply(self.say(prompt), part)
        ]

    def unknown_prompts(self, questions: Sequence[Question]) -> list[str]:
        """The prompts that `ask` would send."""
        prompts = (prompt for prompt, _ in self.task.prompts(questions))
        return [prompt for prompt in prompts if not self.knows(prompt)]

    def knows(self, prompt: str) -> bool:
        """Whether the cache has the reply to a prompt."""
        return self._key(prompt) in self._replies()

    def say(self, prompt: str) -> str:
        """The reply to a prompt, from the cache if it knows one. Raises as `ask`."""
        replies, key = self._replies(), self._key(prompt)
        if key in replies:
            return str(replies[key].user_data[_REPLY])
        self.budget.take(prompt)
        [[reply]] = self.model([[prompt]])
        self.budget.add(reply)
        key.user_data[_REPLY] = reply
        replies.add(key)
        return str(reply)

    def _key(self, prompt: str) -> Doc:
        """A document that stands for a prompt in spacy-llm's cache: the text itself is not kept."""
        asked = f"{getattr(self.model, 'name', '')}\n{prompt}"
        return Doc(self._cache_vocab, words=[sha256(asked.encode()).hexdigest()])

    _cache_vocab: ClassVar[Vocab] = Vocab()

    def _replies(self) -> Any:
        """spacy-llm's cache, a reply a file: one that is there was paid for."""
        if self._cache is None:
            cache = require("spacy_llm.cache", "llm", "spacy-llm")
            try:
                self._cache = cache.BatchCache(
                    self.cfg["cache"], batch_size=1, max_batches_in_mem=1
                )
                self._cache.initialize(self._cache_vocab, self.task)
            except ValueError as error:
                raise InputError(f"{self.cfg['cache']} cannot keep replies: {error}") from None
        return self._cache
