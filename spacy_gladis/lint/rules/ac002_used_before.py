"""An acronym is used before its definition.

Reports:
    The WHO met in May. The World Health Organization (WHO) has offices.
    We measured NDVI. ¶ The normalized difference vegetation index (NDVI) is a ratio of bands.
    The DEM is new. ¶ It is good. ¶ We made a digital elevation model (DEM).

Does not report:
    The World Health Organization (WHO) met in May. The WHO has offices.
    The PDF is long. A portable document format (PDF) file is a file.
    We reviewed the quarter (QBR). A quarterly business review (QBR) is short.
"""

from collections.abc import Iterator

from ..document import LintDocument
from ..finding import Found


def check(document: LintDocument) -> Iterator[Found]:
    """A finding at the first use of each acronym whose definition comes later."""
    explained = {one.key: one.start for one in reversed(document.explained)}
    for key, definitions in document.by_key.items():
        if key in document.defined_in_parts or any(one.glossary for one in definitions):
            continue
        for start, end in document.sections():
            inside = [
                one for one in definitions if one.acronym_at and start <= one.acronym_at[0] < end
            ]
            uses = [use for use in document.by_use.get(key, ()) if start <= use.start < end]
            if not inside or not uses or document.settings.knows(key, uses[0].acronym):
                continue
            place = document.offset(uses[0])
            if place < inside[0].offset and explained.get(key, uses[0].start) >= uses[0].start:
                message = (
                    f"'{uses[0].acronym}' is used here and defined at "
                    f"{document.place(inside[0].offset)}"
                )
                yield Found(place, uses[0].acronym, message)
