"""Types of Wikidata's entities, such as Person or Place.

The types are the top-level classes of YAGO 4, as in section 3.2 of the GLADIS paper.
"""

from collections.abc import Iterable

from ...concepts import Concept

THING = "Thing"
"""Type of entities that belong to no top-level class."""

CLASS = "class"
"""Value of `Concept.domain` for a concept that is a subclass of another class."""

_CLASSES = {
    "Person": "Q5 Q215627",
    "Organization": "Q43229 Q4830453 Q783794 Q7278 Q327333 Q3918 Q3914 Q31855 Q847017 Q12973014 "
    "Q215380 Q245065 Q163740 Q176799 Q66344 Q1616075 Q79913",
    "Place": "Q2221906 Q17334923 Q486972 Q6256 Q41176 Q56061 Q1248784 Q82794 Q618123 Q811979",
    "CreativeWork": "Q17537576 Q7397 Q571 Q11424 Q7889 Q5398426 Q482994 Q7725634 Q1002697 Q49848 "
    "Q838948 Q188451 Q35127 Q317623 Q820655 Q131569",
    "Event": "Q1656682 Q1190554 Q198 Q27020041 Q500834 Q464980 Q2020153 Q18608583 Q15275719",
    "Product": "Q2424752 Q28877 Q42889 Q728 Q39546 Q3966 Q22645 Q1420 Q11436",
    "Taxon": "Q16521",
    "BioChemEntity": "Q11173 Q8054 Q7187 Q206229 Q11344 Q79529",
    "MedicalEntity": "Q12136 Q169872 Q796194 Q12140 Q179661",
    "Intangible": "Q28640 Q12737077 Q34770 Q8142 Q151885 Q618779 Q9143 Q4164871 Q7184903",
}
TOP_LEVEL = {id: name for name, ids in _CLASSES.items() for id in ids.split()}
"""A mapping from ids of Wikidata classes to the top-level classes of YAGO 4.

It was compiled by hand from the schema of YAGO 4.
"""


class EntityTypes:
    """Hierarchy of Wikidata's classes, for looking up the type of an entity, such as Person.

    The hierarchy is built by passing each concept of a Wikidata dump to `add`.
    """

    def __init__(self) -> None:
        """Create a hierarchy without classes."""
        self._above: dict[str, tuple[str, ...]] = {}

    def add(self, concept: Concept) -> None:
        """Add a concept of a Wikidata dump to the hierarchy, if the concept is a class.

        Concepts that are not classes are ignored.

        Args:
            concept: Concept of Wikidata. For a class, `parents` has the ids of its broader classes.
        """
        if concept.domain == CLASS:
            self._above[concept.id] = concept.parents

    def find(self, classes: Iterable[str]) -> str:
        """Find the type of an entity, which is the nearest top-level class above its classes.

        Args:
            classes: Ids of the Wikidata classes that the entity is an instance or a subclass of,
                such as ``["Q5"]``.

        Returns:
            Name of the type, such as ``"Person"``. If several are equally near, the one of the
            first class is returned. ``"Thing"`` if no top-level class is above the entity.
        """
        seen = dict.fromkeys(classes)
        layer = list(seen)
        while layer:
            for id in layer:
                if id in TOP_LEVEL:
                    return TOP_LEVEL[id]
            above = [parent for id in layer for parent in self._above.get(id, ())]
            layer = [id for id in dict.fromkeys(above) if id not in seen]
            seen |= dict.fromkeys(layer)
        return THING
