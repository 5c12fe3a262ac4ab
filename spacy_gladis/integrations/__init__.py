"""Plugins that bring the package into other programs."""
