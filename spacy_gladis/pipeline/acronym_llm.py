"""The component `acronym_llm`, which asks a language model about uncertain acronyms."""

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
"""Assumed average number of characters in a token, with which the cost of a prompt is estimated."""

_REPLY = "reply"


class BudgetSpentError(GladisError):
    """Raised if a prompt would exceed the budget of calls or tokens for a language model."""


class Budget:
    """Limits on the calls and tokens for a language model, and the numbers used so far.

    A budget keeps a run over many documents from costing more than planned. The numbers of tokens
    are estimates.

    Attributes:
        most_calls: Maximum number of calls. None for no limit.
        most_tokens: Maximum number of tokens in prompts and replies. None for no limit.
        calls: Number of calls so far.
        tokens: Estimated number of tokens so far.
    """

    def __init__(self, calls: int | None = None, tokens: int | None = None) -> None:
        """Create a budget of which nothing has been used yet.

        Args:
            calls: Maximum number of calls. None sets no limit.
            tokens: Maximum number of tokens in prompts and replies. None sets no limit.
        """
        self.most_calls, self.most_tokens = calls, tokens
        self.calls = self.tokens = 0

    def take(self, prompt: str) -> None:
        """Count a call to the language model and the estimated tokens of its prompt.

        Args:
            prompt: The prompt that is about to be sent.

        Raises:
            BudgetSpentError: If the call would exceed the budget. The call isn't counted then.
        """
        cost = self.tokens_of(prompt)
        calls, tokens = self.calls + 1, self.tokens + cost
        if calls > (self.most_calls or calls) or tokens > (self.most_tokens or tokens):
            raise BudgetSpentError(
                f"The budget is spent after {self.calls:,} calls with about {self.tokens:,} tokens."
            )
        self.calls, self.tokens = calls, tokens

    def add(self, reply: str) -> None:
        """Count the estimated tokens of a reply.

        Args:
            reply: The language model's reply.
        """
        self.tokens += self.tokens_of(reply)

    @staticmethod
    def tokens_of(text: str) -> int:
        """Estimate the number of tokens in a text from its length.

        Args:
            text: A prompt or a reply.

        Returns:
            The estimated number of tokens: one per `CHARACTERS_A_TOKEN` characters.
        """
        return len(text) // CHARACTERS_A_TOKEN


for _kind, _name, _function in (
    ("llm_models", "spacy-gladis.OpenAICompatible.v1", OpenAICompatible),
    ("llm_tasks", "spacy-gladis.AcronymExpansion.v1", AcronymExpansion),
):
    # These registries belong to spacy-llm. Creating them here lets spaCy read a config without
    # spacy-llm, so that our error can name the missing extra.
    if not hasattr(registry, _kind):
        registry.create(_kind, entry_points=True)
    getattr(registry, _kind).register(_name, func=_function)


@Language.factory(
    "acronym_llm",
    requires=["doc.spans"],
    assigns=["doc.spans"],
    default_config={"model": None},
)
class AcronymLLM(Component, Pipe):
    """Pipeline component that asks a language model about acronyms with uncertain answers.

    Put it after `acrobert_linker`. Answers that the model changed have the source `llm`. If the
    model fails on a document, the document keeps the linker's answers and the failure is reported.
    Nothing is sent to the model before the first document is processed.

    Attributes:
        report: Function that receives a `Problem` for each document on which the model failed.
        model: The language model, which is called with lists of prompts.
        budget: Limits on the calls and tokens. By default there are no limits.
        linker: The pipeline's `acrobert_linker`, or None if there is none.
    """

    report: Report = staticmethod(log_problem)

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
        """Initialize the component with a language model.

        Args:
            nlp: The pipeline to which the component belongs.
            name: Name of the component in the pipeline, which error messages mention.
            model: A model from spacy-llm's registry `llm_models`, such as
                `spacy-gladis.OpenAICompatible.v1`. It is required.
            spans_key: Key under which `doc.spans` holds the acronyms.
            ask_below: Probability, between 0 and 1, below which an answer is uncertain. NIL is
                always uncertain.
            acronyms_per_prompt: Maximum number of acronyms in a prompt.
            threshold: Minimum probability, between 0 and 1, of a revised answer. Below it, the
                answer is NIL. None uses the linker's threshold.
            certainty: A mapping from each kind of reply to the bias and the slope of the log odds
                that the model's long form is correct (see `expansion_task.CERTAINTY`). Missing
                kinds keep their defaults.
            cache: Folder in which replies are stored, so that no prompt is sent twice. None stores
                no replies on disk.

        Raises:
            InputError: If there is no model, or a setting is out of range.
            MissingExtraError: If spacy-llm isn't installed.
        """
        require("spacy_llm", "llm", "spacy-llm")
        if model is None:
            raise InputError(
                f"{name} needs a model. Add one, such as config={{'model': {{'@llm_models': "
                "'spacy-gladis.OpenAICompatible.v1', 'base_url': 'http://localhost:8080/v1', "
                "'name': 'qwen2.5'}}."
            )
        self.model = model
        self.budget = Budget()
        linkers = (pipe for _, pipe in nlp.pipeline if isinstance(pipe, AcroBERTLinker))
        self.linker = next(linkers, None)
        self._cache: Any = None
        cfg = {
            "spans_key": spans_key,
            "ask_below": ask_below,
            "acronyms_per_prompt": acronyms_per_prompt,
            "threshold": threshold,
            "certainty": {
                kind: list(weights) for kind, weights in {**CERTAINTY, **certainty}.items()
            },
            "cache": cache,
        }
        self._begin(nlp, name, cfg)

    @property
    def task(self) -> AcronymExpansion:
        """The task that writes the prompts and reads the replies.

        It is created from the current settings at each access.
        """
        names = ("ask_below", "spans_key", "acronyms_per_prompt", "certainty")
        threshold = self.cfg["threshold"]
        if threshold is None:
            threshold = self.linker.resolve_threshold() if self.linker else THRESHOLD
        return AcronymExpansion(threshold=threshold, **{name: self.cfg[name] for name in names})

    def with_linker(self, linker: AcroBERTLinker) -> "AcronymLLM":
        """Return a copy of this component that uses the threshold of another linker.

        Args:
            linker: The linker whose threshold is used.

        Returns:
            The copy. It isn't added to the pipeline.
        """
        other = copy(self)
        other.cfg = {**self.cfg, "threshold": linker.resolve_threshold()}
        return other

    def predict(self, docs: Iterable[Doc]) -> list[list[Resolution]]:
        """Ask the language model about the acronyms with uncertain answers in each document.

        The documents aren't changed.

        Args:
            docs: Documents that the linker has processed.

        Returns:
            For each document, an answer for each span, in the order of the spans. They include the
            answers about which the model wasn't asked.
        """
        task = self.task
        answers = []
        for doc in docs:
            replies = dict[str, Reply | None]()
            questions = task.questions(doc)
            try:
                replies = dict(zip(questions, self.ask(list(questions.values())), strict=True))
            except GladisError:
                raise  # such an error affects all documents
            except Exception as error:
                name = doc.user_data.get(DOCUMENT) or f"{doc.text[:40]!r}"
                self.report(Problem("language model failed", name, None, str(error)))
            answers.append(task.answers(doc, replies))
        return answers

    def ask(self, questions: Sequence[Question]) -> list[Reply | None]:
        """Ask the language model questions, and use cached replies where there are any.

        Args:
            questions: The questions, each about one acronym. Several of them share a prompt.

        Returns:
            For each question, the model's reply, or None if there is no usable reply.

        Raises:
            BudgetSpentError: If the budget is spent. Errors that the model raises are passed on.
        """
        return [
            answer
            for prompt, part in self.task.prompts(questions)
            for answer in read_reply(self.say(prompt), part)
        ]

    def unknown_prompts(self, questions: Sequence[Question]) -> list[str]:
        """Return the prompts that `ask` would send to the model, because no reply is cached.

        Use it to estimate the cost of questions before you ask them.

        Args:
            questions: The questions, each about one acronym.

        Returns:
            The prompts that have no cached reply.
        """
        prompts = (prompt for prompt, _ in self.task.prompts(questions))
        return [prompt for prompt in prompts if not self.knows(prompt)]

    def knows(self, prompt: str) -> bool:
        """Return whether the reply to a prompt is cached.

        Args:
            prompt: The complete text of the prompt.

        Returns:
            True if the reply is cached, so that the prompt needn't be sent.
        """
        return self._key(prompt) in self._replies()

    def say(self, prompt: str) -> str:
        """Return the reply to a prompt, from the cache if possible, otherwise from the model.

        Args:
            prompt: The complete text of the prompt.

        Returns:
            The text of the reply.

        Raises:
            BudgetSpentError: If the budget is spent. Errors that the model raises are passed on.
        """
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
        """Return a document that is the key of a prompt in spacy-llm's cache, without its text."""
        request = f"{getattr(self.model, 'name', '')}\n{prompt}"
        return Doc(self._cache_vocab, words=[sha256(request.encode()).hexdigest()])

    _cache_vocab: ClassVar[Vocab] = Vocab()

    def _replies(self) -> Any:
        """Return spacy-llm's cache of replies.

        It writes each reply to disk immediately, because replies can cost money.
        """
        if self._cache is None:
            cache = require("spacy_llm.cache", "llm", "spacy-llm")
            try:
                self._cache = cache.BatchCache(
                    self.cfg["cache"], batch_size=1, max_batches_in_mem=1
                )
                self._cache.initialize(self._cache_vocab, self.task)
            except ValueError as error:
                raise InputError(
                    f"The folder '{self.cfg['cache']}' cannot be used as a cache ({error}). Set "
                    "cache to a writable folder."
                ) from None
        return self._cache
