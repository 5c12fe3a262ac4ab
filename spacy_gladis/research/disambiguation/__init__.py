"""Which long form does an acronym mean here? (GLADIS, EACL 2023; SciAD, COLING 2020)."""
