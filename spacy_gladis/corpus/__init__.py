"""Raw corpora in; mined definitions and samples out."""
