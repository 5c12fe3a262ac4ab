"""Inventories of a vocabulary's concepts and their names, and readers of published vocabularies."""

from .build import build_inventory, merge_concepts, write_inventory
from .inventory import Concept, ConceptMention, Inventory

__all__ = [
    "Concept",
    "ConceptMention",
    "Inventory",
    "build_inventory",
    "merge_concepts",
    "write_inventory",
]
