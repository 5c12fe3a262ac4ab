"""`python -m spacy_gladis` is `spacy-gladis`."""

from .cli import main

if __name__ == "__main__":
    main()
