"""The research commands: evaluate, train, corpus, audit, dataset, convert."""
