"""Training of the models: sampling, objectives, the training loop and checkpoints."""
