"""Systems that label texts or tokens with neural networks."""
