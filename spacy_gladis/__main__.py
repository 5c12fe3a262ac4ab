"""Entry point of ``python -m spacy_gladis``, which runs the ``spacy-gladis`` command."""

from .cli import main

if __name__ == "__main__":
    main()
