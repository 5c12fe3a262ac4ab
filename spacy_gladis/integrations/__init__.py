"""Integrations with site generators, search frameworks, editors, Pandoc and AI agents."""
