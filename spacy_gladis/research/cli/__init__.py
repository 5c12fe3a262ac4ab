"""The commands for research: evaluate, train, corpus, audit, dataset and convert."""
