"""Entry point of ``python -m spacy_gladis``, the same as the ``spacy-gladis`` command."""

from .cli import main

if __name__ == "__main__":
    main()
