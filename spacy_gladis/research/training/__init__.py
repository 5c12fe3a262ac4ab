"""Training of AcroBERT and other models: samples, objectives, the training loop and checkpoints."""
