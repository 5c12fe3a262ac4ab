"""A cross-encoder on the retriever's own encoder, which `reading = true` trains beside it.

It reads each long form *in* the context: its tokens see the context's tokens at every layer, while
the context sees itself alone. So a context is encoded once for all its candidates. The segment
number tells the encoder which of the two it is doing. The packaged encoder was trained so in its
first stage; with the other evidence the logit earned no weight, so the library has no such reader.
"""

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from ...modeling.encoder import EncoderConfig
from ...modeling.network import ALONE, AcroNetwork, Packed, mean_of_owners, same_owner

IN_CONTEXT = 1
"""The segment number of a long form that is read in a context."""


class ReadingNetwork(AcroNetwork):
    """The retriever's network with a head that scores long forms read in a context."""

    def __init__(self, config: EncoderConfig, domains: int) -> None:
        super().__init__(config, domains)
        hidden = config.hidden_size
        self.fit = nn.Sequential(nn.Linear(3 * hidden, hidden), nn.GELU(), nn.Linear(hidden, 1))
        # The untrained network is the retriever alone, so that training starts from its score.
        nn.init.zeros_(self.fit[2].weight)  # type: ignore[arg-type]
        nn.init.zeros_(self.fit[2].bias)  # type: ignore[arg-type]

    @classmethod
    def of(cls, network: AcroNetwork) -> "ReadingNetwork":
        """The retriever's own parameters, shared, and a head that was not trained."""
        made = cls(network.bert.config, network.domain.out_features)
        made.bert, made.mention, made.domain = network.bert, network.mention, network.domain
        made.scale = network.scale
        return made

    def read(
        self, ids: Tensor, mask: Tensor, mention: Tensor, candidates: Packed
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Encode contexts and, in the same pass, candidates read in them.

        ids, mask, mention: as in `forward`. candidates: those of each context, packed into its row.
        Returns what `forward` returns, and what is added to each candidate's score by the
        retriever, in the order of packing.
        """
        tokens = ids.shape[1]
        positions = torch.arange(tokens, device=ids.device).expand_as(ids)
        joint = torch.cat([ids, candidates.ids], 1)
        segments = torch.full_like(joint, IN_CONTEXT)
        segments[:, :tokens] = ALONE
        states = self.bert(
            joint,
            torch.cat([positions, candidates.positions], 1),
            segments,
            visibility(mask, candidates.owner)[:, None],
        )
        pooled = self.pool(states[:, :tokens], mask, mention)
        read = mean_of_owners(states[:, tokens:], candidates)
        beside = pooled.to(read.dtype)[rows_of(candidates)]
        logit = self.fit(torch.cat([read, beside, read * beside], -1)).squeeze(-1)
        return F.normalize(pooled, dim=-1), self.domain(pooled), logit.float()


def rows_of(packed: Packed) -> Tensor:
    """The row of each long form."""
    there = packed.owner >= 0
    rows = torch.zeros(packed.size, dtype=torch.long, device=packed.owner.device)
    return rows.scatter(0, packed.owner[there], there.nonzero()[:, 0])


def visibility(mask: Tensor, owner: Tensor) -> Tensor:
    """Who sees whom, [batch, all, all]: everyone the context, a candidate also itself."""
    batch, tokens = mask.shape
    total = tokens + owner.shape[1]
    visible = torch.zeros(batch, total, total, dtype=torch.bool, device=mask.device)
    visible[:, :, :tokens] = mask[:, None]
    visible[:, tokens:, tokens:] = same_owner(owner)
    return visible
