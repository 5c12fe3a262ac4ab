"""Inventories of concepts: readers of the vocabularies in use, and one store for all of them."""

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
