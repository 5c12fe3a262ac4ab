"""The vocabulary and the sizes of a tiny AcroBERT."""

from tokenizers.implementations import BertWordPieceTokenizer

from spacy_gladis.modeling.encoder import EncoderConfig
from spacy_gladis.modeling.tokens import WordPieces

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "[unused1]", "[unused2]")
WORDS = (
    "the a of in to and model learns from potassium diet grams daily intake adequate "
    "artificial intelligence aromatase inhibitor breast cancer drug ai"
)
CONFIG = EncoderConfig(len(SPECIAL) + len(WORDS.split()), 48, 2, 2, 64, hidden_dropout_prob=0.0)


def make_pieces() -> WordPieces:
    numbers = {word: number for number, word in enumerate([*SPECIAL, *WORDS.split()])}
    return WordPieces(BertWordPieceTokenizer(numbers, lowercase=True)._tokenizer)
