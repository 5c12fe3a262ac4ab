"""The linker, a language model, and the linker that asks the model, on the same mentions.

    python benchmarks/llm.py ../shared/benchmarks --endpoint http://localhost:8080/v1 --model qwen

Any server of the OpenAI interface will do; its key, if it wants one, is in OPENAI_API_KEY. Texts
are drawn from real/dev and documents/dev until each gave half of the mentions: the first three of
at most four acronyms a text. Each acronym of a text is asked about once, with the linker's
candidates and, for the model alone, without: it is told where the acronyms are. The probabilities
of the model's answers are fitted on one half of the sources and measured on the other, both ways.
Replies are kept in --cache: a run that is killed goes on.
"""

import argparse
import json
import random
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from measuring import RESULTS, write_results
from sklearn.linear_model import LogisticRegression
from spacy.tokens import Doc

from spacy_gladis.pipeline.acronym_llm import CHARACTERS_A_TOKEN, AcronymLLM
from spacy_gladis.pipeline.annotations import mentions_of
from spacy_gladis.pipeline.expansion_task import (
    CERTAINTY,
    AcronymExpansion,
    Question,
    Reply,
    json_object,
)
from spacy_gladis.pipeline.load import load_pipeline
from spacy_gladis.pipeline.openai_compatible import OpenAICompatible
from spacy_gladis.research.datasets.texts import GoldMention, LabelledText, read_texts
from spacy_gladis.research.tasks.texts.rows import equalities
from spacy_gladis.resolution import Resolution
from spacy_gladis.text import base_form

SETS = ("real/dev.jsonl", "documents/dev.jsonl")
ACRONYMS, MENTIONS = 4, 3
"""Of a text, and of each of these acronyms, at most."""
ASK_BELOW = (0.5, 0.9, 1.0)
TOKENS_A_REPLY = 40
ALL = AcronymExpansion(ask_below=1.01)  # also of what is certain
SAME = equalities()["by sense"]

Certainty = dict[str, tuple[float, float]]


class Text(NamedTuple):
    """A text, its annotated document, and what the model said by acronym."""

    gold: LabelledText
    doc: Doc
    replies: dict[str, Reply | None]
    alone: dict[str, str]


def main() -> None:
    """Ask, measure and write the result."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sets", type=Path)
    parser.add_argument("--endpoint", required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--mentions", type=int, default=300)
    parser.add_argument("--seed", type=int, default=23)
    parser.add_argument("--timeout", type=float, default=600)
    parser.add_argument("--minutes", type=float, default=1e9, help="ask nothing new after them")
    parser.add_argument("--cache", type=Path, default=Path("build/llm"))
    parser.add_argument("--output", type=Path, default=RESULTS / "llm.json")
    options = parser.parse_args()
    config = {"max_tokens": TOKENS_A_REPLY, "response_format": {"type": "json_object"}}
    model = OpenAICompatible(
        options.endpoint, options.model, timeout=options.timeout, config=config
    )
    nlp = load_pipeline()
    asker = AcronymLLM(nlp, model=model, cache=str(options.cache), acronyms_per_prompt=1)
    drawn = list(draw(options.sets, options.mentions, options.seed))
    docs = list(nlp.pipe(text.text for text in drawn))
    until = time.monotonic() + 60 * options.minutes
    texts: list[Text] = []
    seconds = {"with": 0.0, "alone": 0.0}
    for number, (gold, doc) in enumerate(zip(drawn, docs, strict=True), 1):
        questions = of_gold(gold, doc)
        prompts = [plain(question) for question in questions.values()]
        prompts += asker.unknown_prompts(list(questions.values()))
        if time.monotonic() > until and not all(map(asker.knows, prompts)):
            break
        began = time.monotonic()
        replies = dict(zip(questions, asker.ask(list(questions.values())), strict=True))
        between = time.monotonic()
        alone = dict(
            zip(
                questions,
                (as_said(asker, question) for question in questions.values()),
                strict=True,
            )
        )
        seconds["with"] += between - began
        seconds["alone"] += time.monotonic() - between
        texts.append(Text(gold, doc, replies, alone))
        print(f"{number} of {len(drawn)} texts, {asker.budget.calls} calls", flush=True)
    write_results(options.output, figures(texts, options.model, asker.budget.calls, seconds))


def draw(folder: Path, mentions: int, seed: int) -> Iterator[LabelledText]:
    """Texts of the sets in turn, until each gave its part of the mentions."""
    drawn = []
    for name in SETS:
        texts, left, chosen = read_texts(folder / name), mentions / len(SETS), list[LabelledText]()
        random.Random(seed).shuffle(texts)
        while left > 0 and texts:
            chosen.append(sampled(texts.pop(), seed))
            left -= len(chosen[-1].mentions)
        drawn.append([text for text in chosen if text.mentions])
    for place in range(max(map(len, drawn))):
        yield from (texts[place] for texts in drawn if place < len(texts))


def sampled(text: LabelledText, seed: int) -> LabelledText:
    """The text with some of the mentions of acronyms that it does not define."""
    counted = defaultdict[str, list[GoldMention]](list)
    for mention in text.mentions:
        if mention.long_forms and not mention.defined:
            counted[base_form(mention.acronym)].append(mention)
    chosen = random.Random(seed).sample(sorted(counted), min(ACRONYMS, len(counted)))
    return text._replace(mentions=tuple(m for key in chosen for m in counted[key][:MENTIONS]))


def of_gold(text: LabelledText, doc: Doc) -> dict[str, Question]:
    """The questions about gold mentions that the pipeline found."""
    wanted = {
        base_form(resolution.acronym) for _, resolution in answered(text, ours(doc)) if resolution
    }
    return {key: question for key, question in ALL.questions(doc).items() if key in wanted}


def ours(doc: Doc) -> dict[tuple[int, int], Resolution]:
    """The document's answers by their places."""
    return {(start, end): answer for start, end, answer in mentions_of(doc)}


def plain(question: Question) -> str:
    """What the model alone is asked: an acronym in its first text."""
    return (
        f"What does the acronym {json.dumps(question.acronym)} stand for in this text?\n"
        f"{json.dumps(question.texts[0], ensure_ascii=False)}\n"
        'Reply with one JSON object, {"long_form": "..."}, or {"long_form": "none"} where you do '
        "not know."
    )


def as_said(asker: AcronymLLM, question: Question) -> str:
    """What the model alone says, whether it spells the acronym or not."""
    answer = str(json_object(asker.say(plain(question))).get("long_form", "none"))
    return "" if answer.lower() == "none" else answer


def answered(
    text: LabelledText, resolutions: dict[tuple[int, int], Resolution]
) -> list[tuple[GoldMention, Resolution | None]]:
    """The mentions that count, each with the answer that overlaps it."""
    return [
        (
            mention,
            next(
                (a for (s, e), a in resolutions.items() if s < mention.end and mention.start < e),
                None,
            ),
        )
        for mention in text.mentions
    ]


def figures(
    texts: Sequence[Text], model: str, calls: int, seconds: dict[str, float]
) -> dict[str, Any]:
    """The table: each way to answer the same mentions, and the fitted probabilities."""
    halves = [of_half(texts, half) for half in (0, 1)]
    fitted = [fit(other) for other in (halves[1], halves[0])]
    words = sum(len(passage.gold.text.split()) for passage in texts)

    def run_cascade(ask_below: float) -> list[tuple[bool | None, float]]:
        judged = []
        for half, certainty in zip(halves, fitted, strict=True):
            task = AcronymExpansion(beyond(ask_below))
            task.certainty = dict(certainty)
            for text in half:
                answers = task.answers(text.doc, text.replies)
                judged += outcomes(text.gold, dict(zip(ours(text.doc), answers, strict=True)))
        return judged

    alone = [
        (None if not said else right(mention, said), 0.0)
        for passage in texts
        for mention, answer in answered(passage.gold, ours(passage.doc))
        for said in [passage.alone.get(base_form(answer.acronym)) if answer else None]
    ]
    rows = {
        "linker": summary(
            [o for passage in texts for o in outcomes(passage.gold, ours(passage.doc))]
        ),
        "model alone": {**summary(alone), **cost(texts, None, words)},
    }
    for ask_below in ASK_BELOW:
        row = {**summary(run_cascade(ask_below)), **cost(texts, ask_below, words)}
        rows[f"linker, model asked below {ask_below:g}"] = row
    return {
        "model": model,
        "texts": len(texts),
        "words": words,
        "mentions": sum(len(passage.gold.mentions) for passage in texts),
        "acronyms asked about": sum(len(passage.replies) for passage in texts),
        "calls of this run": calls,
        "seconds of this run": {name: round(value) for name, value in seconds.items()},
        "rows": rows,
        "what the model says": kinds(texts),
        "certainty fitted on all": fit(texts),
    }


def of_half(texts: Sequence[Text], half: int) -> list[Text]:
    """The texts of one half of the sources."""
    sources = sorted({passage.gold.repository or passage.gold.name for passage in texts})
    random.Random(0).shuffle(sources)
    chosen = set(sources[half::2])
    return [
        passage for passage in texts if (passage.gold.repository or passage.gold.name) in chosen
    ]


def said_of_mentions(texts: Sequence[Text]) -> Iterator[tuple[Resolution, Reply, bool]]:
    """Each mention with a reply that counts, and whether that is right."""
    for passage in texts:
        for mention, answer in answered(passage.gold, ours(passage.doc)):
            if answer and (reply := passage.replies.get(base_form(answer.acronym))):
                yield answer, reply, right(mention, reply.long_form)


def fit(texts: Sequence[Text]) -> Certainty:
    """The certainty of what the model says, by its kind, with a mild prior."""
    result = dict(CERTAINTY)
    task = AcronymExpansion(certainty=dict.fromkeys(CERTAINTY, (0.0, 1.0)))
    for kind in CERTAINTY:
        rows = [row for row in said_of_mentions(texts) if row[1].kind == kind]
        given = np.array([task.probability(answer, reply) for answer, reply, _ in rows])
        is_right = np.array([is_right for *_, is_right in rows], bool)
        if len(set(is_right.tolist())) == 2:
            odds = np.log(given / (1 - given))[:, None]
            model = LogisticRegression(C=1.0).fit(odds, is_right)
            result[kind] = round(float(model.intercept_[0]), 2), round(float(model.coef_[0, 0]), 2)
    return result


def kinds(texts: Sequence[Text]) -> dict[str, dict[str, int]]:
    """How often the model says what, and how often it is right."""
    counted = {kind: {"mentions": 0, "right": 0} for kind in CERTAINTY}
    for _, reply, is_right in said_of_mentions(texts):
        counted[reply.kind]["mentions"] += 1
        counted[reply.kind]["right"] += is_right
    return counted


def right(mention: GoldMention, long_form: str) -> bool:
    """Whether it is one of the long forms that the gold accepts."""
    return any(SAME(gold, long_form) for gold in mention.long_forms)


def outcomes(
    text: LabelledText, resolutions: dict[tuple[int, int], Resolution]
) -> list[tuple[bool | None, float]]:
    """Right or wrong, None without an answer; and the probability."""
    return [
        (None, 0.0)
        if answer is None or answer.long_form is None
        else (right(mention, answer.long_form), answer.probability)
        for mention, answer in answered(text, resolutions)
    ]


def summary(judged: Sequence[tuple[bool | None, float]]) -> dict[str, float]:
    """Shares in percent of all mentions, and of those that were answered."""
    given = [(is_right, sure) for is_right, sure in judged if is_right is not None]
    correct = sum(is_right for is_right, _ in given)
    row = {
        "right": percent(correct, len(judged)),
        "answered": percent(len(given), len(judged)),
        "precision": percent(correct, len(given)),
    }
    sure = sum(probability for _, probability in given)
    return row | ({"promised": percent(sure, len(given))} if sure else {})


def cost(texts: Sequence[Text], ask_below: float | None, words: int) -> dict[str, float]:
    """Calls and tokens of prompts, of all acronyms that are asked about; None: by `plain`."""
    row = {}
    for number, name in ((1, "an acronym a call"), (8, "eight acronyms a call")):
        prompts = [prompt for passage in texts for prompt in prompts_of(passage, ask_below, number)]
        row[f"calls a text, {name}"] = round(len(prompts) / len(texts), 2)
        row[f"calls per 1,000 words, {name}"] = round(1000 * len(prompts) / words, 1)
        tokens = sum(map(len, prompts)) / CHARACTERS_A_TOKEN
        row[f"tokens per 1,000 words, {name}"] = round(1000 * tokens / words)
        if ask_below is None:
            break
    return row


def prompts_of(text: Text, ask_below: float | None, acronyms: int) -> list[str]:
    """What is sent of a text."""
    if ask_below is None:
        return [plain(question) for question in ALL.questions(text.doc).values()]
    task = AcronymExpansion(beyond(ask_below), acronyms_per_prompt=acronyms)
    return [prompt for prompt, _ in task.prompts(task.questions(text.doc).values())]


def beyond(ask_below: float) -> float:
    """A bound that 1 lets what is certain below, too."""
    return 1.01 if ask_below == 1 else ask_below


def percent(part: float, whole: int) -> float:
    """A share in percent, to a tenth."""
    return round(100 * part / whole, 1) if whole else 0.0


if __name__ == "__main__":
    main()
