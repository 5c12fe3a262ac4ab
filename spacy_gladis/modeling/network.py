"""AcroBERT's network: one encoder that is retriever and cross-encoder at once.

The retriever encodes a context and a long form apart and compares the two vectors. The
cross-encoder reads the long form *in* the context: its tokens see the context's tokens at every
layer, while the context sees itself alone. So a context is encoded once for all its candidates,
and a candidate costs its own handful of tokens instead of a whole pass over the sentence. Both
use the same weights; the segment number tells the encoder which of the two it is doing.

GLADIS section 4.1 scores one pair at a time with BERT's next-sentence head: see
`next_sentence.py` for that network.
"""

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from .encoder import Encoder, EncoderConfig

ALONE, IN_CONTEXT = 0, 1
"""Segment numbers: a sequence read by itself, a long form read in a context."""


class AcroNetwork(nn.Module):
    """Scores how well long forms fit a mention's context.

    config: sizes of the encoder.
    domains: how many source domains the context is classified into (for the prior).
    """

    def __init__(self, config: EncoderConfig, domains: int) -> None:
        super().__init__()
        hidden = config.hidden_size
        self.bert = Encoder(config)
        self.mention = nn.Linear(hidden, hidden, bias=False)
        self.fit = nn.Sequential(nn.Linear(3 * hidden, hidden), nn.GELU(), nn.Linear(hidden, 1))
        self.domain = nn.Linear(hidden, domains)
        self.scale = nn.Parameter(torch.tensor(3.0))
        # The untrained network is the retriever alone, so that training starts from its score.
        nn.init.zeros_(self.mention.weight)
        nn.init.zeros_(self.fit[2].weight)  # type: ignore[arg-type]
        nn.init.zeros_(self.fit[2].bias)  # type: ignore[arg-type]

    def encode_long_forms(self, ids: Tensor, mask: Tensor) -> Tensor:
        """Unit vectors [n, hidden] of long forms; ids and mask: [n, tokens]."""
        states = self.bert(ids, positions_of(ids), torch.full_like(ids, ALONE), mask[:, None, None])
        return F.normalize(mean_of(states, mask).float(), dim=-1)

    def forward(
        self,
        ids: Tensor,
        mask: Tensor,
        mention: Tensor,
        candidate_ids: Tensor | None = None,
        candidate_mask: Tensor | None = None,
    ) -> tuple[Tensor, Tensor, Tensor | None]:
        """Encode contexts and, in the same pass, candidates read in them.

        ids, mask: [batch, tokens], the contexts.
        mention: booleans [batch, tokens], True on the mention's tokens.
        candidate_ids, candidate_mask: [batch, candidates, pieces].
        Returns the contexts' unit vectors [batch, hidden], the logits of their domains
        [batch, domains] and the cross-encoder's correction of the retriever's score
        [batch, candidates] (None without candidates).
        """
        batch, tokens = ids.shape
        if candidate_ids is None or candidate_mask is None:
            states = self.bert(
                ids, positions_of(ids), torch.full_like(ids, ALONE), mask[:, None, None]
            )
            pooled = self.pool(states, mask, mention)
            return F.normalize(pooled, dim=-1), self.domain(pooled), None
        n, pieces = candidate_ids.shape[1:]
        flat_ids = candidate_ids.flatten(1)
        joint_ids = torch.cat([ids, flat_ids], 1)
        positions = torch.cat(
            [positions_of(ids), torch.arange(pieces, device=ids.device).repeat(batch, n)], 1
        )
        segments = torch.full_like(joint_ids, IN_CONTEXT)
        segments[:, :tokens] = ALONE
        visible = self.visibility(mask, candidate_mask)
        states = self.bert(joint_ids, positions, segments, visible)
        pooled = self.pool(states[:, :tokens], mask, mention)
        read = states[:, tokens:].reshape(batch * n, pieces, -1)
        read = mean_of(read, candidate_mask.reshape(batch * n, pieces)).unflatten(0, (batch, n))
        beside = pooled.to(read.dtype)[:, None].expand_as(read)
        correction = self.fit(torch.cat([read, beside, read * beside], -1)).squeeze(-1)
        return F.normalize(pooled, dim=-1), self.domain(pooled), correction.float()

    def pool(self, states: Tensor, mask: Tensor, mention: Tensor) -> Tensor:
        """Mean of the context plus a learnt view of the mention's own tokens, [batch, hidden]."""
        return (mean_of(states, mask) + self.mention(mean_of(states, mention))).float()

    @staticmethod
    def visibility(mask: Tensor, candidate_mask: Tensor) -> Tensor:
        """Who sees whom, [batch, 1, all, all]: everyone the context, a candidate also itself."""
        batch, tokens = mask.shape
        n, pieces = candidate_mask.shape[1:]
        total = tokens + n * pieces
        visible = torch.zeros(batch, total, total, dtype=torch.bool, device=mask.device)
        visible[:, :, :tokens] = mask[:, None]
        own = torch.arange(n, device=mask.device).repeat_interleave(pieces)
        same = own[:, None] == own[None]
        visible[:, tokens:, tokens:] = same & candidate_mask.flatten(1)[:, None]
        return visible[:, None]


def positions_of(ids: Tensor) -> Tensor:
    """0, 1, 2... for each row of [batch, tokens]."""
    return torch.arange(ids.shape[1], device=ids.device).expand_as(ids)


def mean_of(states: Tensor, mask: Tensor) -> Tensor:
    """Mean over the tokens that `mask` [batch, tokens] keeps; zero where it keeps none."""
    weight = mask.to(states.dtype)[..., None]
    return (states * weight).sum(1) / weight.sum(1).clamp(min=1)
