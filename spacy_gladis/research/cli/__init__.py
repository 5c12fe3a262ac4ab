"""The commands of research: evaluate, train, corpus, audit, dataset, convert."""
