"""The vocabulary and the sizes of a tiny AcroBERT, and a tiny MPNet on disk."""

import json
from pathlib import Path

from tokenizers.implementations import BertWordPieceTokenizer
from tokenizers.processors import RobertaProcessing

from spacy_gladis.encoder.encoder import EncoderConfig
from spacy_gladis.encoder.word_pieces import WordPieces
from spacy_gladis.linking.model_folder import PACKAGED

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "[unused1]", "[unused2]")
WORDS = (
    "the a of in to and model learns from potassium diet grams daily intake adequate "
    "artificial intelligence aromatase inhibitor breast cancer drug ai"
)
CONFIG = EncoderConfig(len(SPECIAL) + len(WORDS.split()), 48, 2, 2, 64, hidden_dropout_prob=0.0)


def make_pieces(words: str = WORDS) -> WordPieces:
    """A tokenizer that knows these words and no parts of them."""
    numbers = {word: number for number, word in enumerate([*SPECIAL, *words.split()])}
    return WordPieces(BertWordPieceTokenizer(numbers, lowercase=True)._tokenizer)


def write_bert(folder: Path) -> Path:
    """A tiny BERT with random weights in transformers' own files, with the packaged vocabulary."""
    from transformers import BertConfig, BertForPreTraining, BertTokenizerFast

    tokenizer = BertTokenizerFast(tokenizer_file=str(PACKAGED / "tokenizer.json"))
    config = BertConfig(len(tokenizer), 32, 2, 2, 64, max_position_embeddings=256)
    BertForPreTraining(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


OWN = ("<s>", "<pad>", "</s>", "<unk>", "[PAD]", "[unused1]", "[unused2]")
MPNET_SPECIAL = (*OWN, "[UNK]", "[CLS]", "[SEP]", "[MASK]")


def write_mpnet(folder: Path) -> Path:
    """A tiny MPNet with random weights in transformers' own files, as the published ones are."""
    from transformers import MPNetConfig, MPNetModel

    words = [*MPNET_SPECIAL, *WORDS.split(), "<mask>"]
    config = MPNetConfig(
        vocab_size=len(words),
        hidden_size=24,
        num_hidden_layers=3,
        num_attention_heads=4,
        intermediate_size=32,
        max_position_embeddings=202,
    )
    folder.mkdir(parents=True, exist_ok=True)
    MPNetModel(config).save_pretrained(folder)
    tokenizer = BertWordPieceTokenizer({w: n for n, w in enumerate(words)}, lowercase=True)
    tokenizer.add_special_tokens(["<s>", "<pad>", "</s>", "<mask>"])
    tokenizer._tokenizer.post_processor = RobertaProcessing(("</s>", 2), ("<s>", 0))
    tokenizer.save(str(folder / "tokenizer.json"))
    named = {f"{kind}_token": token for kind, token in (("bos", "<s>"), ("eos", "</s>"))}
    named |= {"cls_token": "<s>", "sep_token": "</s>", "pad_token": "<pad>", "unk_token": "[UNK]"}
    settings = {"tokenizer_class": "MPNetTokenizer", "mask_token": "<mask>", **named}
    (folder / "tokenizer_config.json").write_text(json.dumps(settings))
    return folder
