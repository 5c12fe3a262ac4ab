"""BERT with its next-sentence head, against transformers and against the published file's form."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch

from spacy_gladis.encoder.encoder import EncoderConfig
from spacy_gladis.encoder.word_pieces import WordPieces
from spacy_gladis.errors import FormatError, InputError
from spacy_gladis.linking.model_folder import PACKAGED
from spacy_gladis.research.training.next_sentence import (
    NextSentenceBERT,
    NextSentenceNetwork,
    load_next_sentence,
    make_pairs,
)
from spacy_gladis.text import Mention

PIECES = WordPieces.load(PACKAGED)
"""As of the published file."""

CONFIG = EncoderConfig(
    PIECES.tokenizer.get_vocab_size(), 128, 2, 2, 64, 64, hidden_dropout_prob=0.0
)
CONTEXT = Mention("the AI of potassium in the diet", 4, 6)
NAMES = ["artificial intelligence", "adequate intake", "a"]


def published(folder: Path) -> Path:
    """A file of exactly the published form: a state dict of `model.` + BERT's own names."""
    transformers = pytest.importorskip("transformers")
    torch.manual_seed(3)
    config = transformers.BertConfig(
        **{n: getattr(CONFIG, n) for n in CONFIG.__dataclass_fields__ if "dropout" not in n}
    )
    model = transformers.BertForNextSentencePrediction(config)
    torch.save({f"model.{n}": v for n, v in model.state_dict().items()}, folder / "acrobert.pt")
    (folder / "config.json").write_text(json.dumps(CONFIG.to_dict()), "utf8")
    return folder / "acrobert.pt"


@pytest.fixture
def bert(tmp_path: Path) -> NextSentenceBERT:
    """The published form, small, with its sizes beside the file."""
    bert = NextSentenceBERT.load(published(tmp_path))
    bert.precision = torch.float32
    return bert


def test_the_published_file_scores_as_transformers_does(bert: NextSentenceBERT) -> None:
    from transformers import BertConfig, BertForNextSentencePrediction

    assert bert.module.bert.config.num_attention_heads == 2
    reference = BertForNextSentencePrediction(BertConfig(**CONFIG.to_dict())).eval()
    reference.load_state_dict(bert.module.state_dict(), strict=False)
    cls, sep, tokenizer = PIECES.cls, PIECES.sep, PIECES.tokenizer
    (scores,) = bert.score([CONTEXT], [NAMES])
    for name, score in zip(NAMES, scores, strict=True):
        words = [
            tokenizer.encode(text, add_special_tokens=False).ids for text in (name, CONTEXT[0])
        ]
        ids = [[cls, *words[0], sep, *words[1], sep]]
        segments = [[0] * (len(words[0]) + 2) + [1] * (len(words[1]) + 1)]
        with torch.no_grad():
            logits = reference(torch.tensor(ids), token_type_ids=torch.tensor(segments)).logits
        # Class 0 of BERT's head: the second part belongs to the first.
        assert score == pytest.approx(torch.softmax(logits, -1)[0, 0].item(), abs=1e-5)


def test_words_as_transformers_has_them() -> None:
    from transformers import BertConfig, BertForPreTraining

    reference = BertForPreTraining(BertConfig(**CONFIG.to_dict())).eval()
    module = NextSentenceNetwork(CONFIG, words=True).eval()
    load_next_sentence(reference.state_dict(), module, Path("reference"))
    pairs = make_pairs([[2, 9, 3], [2, 9, 10, 3]], [[2, 8, 3], [2, 11, 12, 13, 3]], 0)
    with torch.no_grad():
        expected = reference(pairs.ids, pairs.mask.long(), pairs.segments)
        logits, states = module(pairs)
        words = module.word_logits(states[pairs.mask])
    torch.testing.assert_close(logits, expected.seq_relationship_logits, atol=1e-5, rtol=1e-4)
    torch.testing.assert_close(words, expected.prediction_logits[pairs.mask], atol=1e-5, rtol=1e-4)


def test_what_is_saved_loads_here_and_in_transformers(
    bert: NextSentenceBERT, tmp_path: Path
) -> None:
    from transformers import BertForNextSentencePrediction

    bert.window = 21
    bert.save(tmp_path / "ours")
    again = NextSentenceBERT.load(tmp_path / "ours")
    again.precision = torch.float32
    assert again.window == 21
    np.testing.assert_array_equal(
        again.score([CONTEXT], [NAMES])[0], bert.score([CONTEXT], [NAMES])[0]
    )
    theirs = BertForNextSentencePrediction.from_pretrained(tmp_path / "ours")
    for name, value in again.module.state_dict().items():
        torch.testing.assert_close(theirs.state_dict()[name], value)


def test_scores_do_not_depend_on_the_batch(bert: NextSentenceBERT) -> None:
    contexts = [CONTEXT, Mention("AI", 0, 2), Mention("a " * 30 + "AI", 60, 62)]
    names = [NAMES, [], NAMES[:1]]
    together = bert.score(contexts, names)
    assert [len(scores) for scores in together] == [3, 0, 1]
    for row in (0, 2):
        for name, score in zip(names[row], together[row], strict=True):
            assert bert.score([contexts[row]], [[name]])[0][0] == pytest.approx(score, abs=1e-5)
            assert 0 <= score <= 1


def test_a_start_may_lack_its_heads(tmp_path: Path) -> None:
    state = NextSentenceNetwork(CONFIG).state_dict()
    encoder = {
        name.removeprefix("bert."): value
        for name, value in state.items()
        if name.startswith(("bert.embeddings", "bert.encoder"))
    }
    load_next_sentence(encoder, NextSentenceNetwork(CONFIG), tmp_path, start=True)
    with pytest.raises(FormatError, match=r"Missing key.*bert\.pooler"):
        load_next_sentence(encoder, NextSentenceNetwork(CONFIG), tmp_path)


def test_other_architectures_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not exist"):
        NextSentenceBERT.load(tmp_path / "absent.pt")
    torch.save({"lstm.weight_ih_l0": torch.zeros(4, 4)}, tmp_path / "acrobert.pt")
    with pytest.raises(FormatError, match="not weights of a BERT"):
        NextSentenceBERT.load(tmp_path / "acrobert.pt")
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "roberta"}), "utf8")
    with pytest.raises(FormatError, match="roberta"):
        NextSentenceBERT.load(tmp_path / "acrobert.pt")
    (tmp_path / "config.json").write_text(json.dumps(CONFIG.to_dict()), "utf8")
    state = NextSentenceNetwork(CONFIG).state_dict()
    deeper = {**state, "bert.encoder.layer.2.output.dense.bias": torch.zeros(128)}
    torch.save(deeper, tmp_path / "acrobert.pt")
    with pytest.raises(FormatError, match=r"Unexpected key.*bert\.encoder\.layer\.2"):
        NextSentenceBERT.load(tmp_path / "acrobert.pt")
    wider = {**state, "cls.seq_relationship.weight": torch.zeros(3, 128)}
    torch.save(wider, tmp_path / "acrobert.pt")
    with pytest.raises(FormatError, match=r"size mismatch for cls\.seq_relationship\.weight"):
        NextSentenceBERT.load(tmp_path / "acrobert.pt")


def test_a_vocabulary_of_another_size_is_told(bert: NextSentenceBERT, tmp_path: Path) -> None:
    state = bert.module.state_dict()
    table = "bert.embeddings.word_embeddings.weight"
    torch.save({**state, table: torch.zeros(99, 128)}, tmp_path / "cased.pt")
    described = {**CONFIG.to_dict(), "vocab_size": 99}
    (tmp_path / "config.json").write_text(json.dumps(described), "utf8")
    with pytest.raises(FormatError, match=r"99 word vectors.*vocab\.txt"):
        NextSentenceBERT.load(tmp_path / "cased.pt")
