"""The stages of mining: each a function over a shard, a piece or a bucket."""
