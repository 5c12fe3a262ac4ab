"""How many acronyms of real texts the pipeline answers, and answers rightly."""
