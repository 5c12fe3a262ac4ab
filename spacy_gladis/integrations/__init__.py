"""Plugins for documentation generators."""
