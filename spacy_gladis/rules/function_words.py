"""Words that join others and name nothing: a long form begins and ends with none of them."""

from typing import Final

_JOINING: Final = """
a an the of in on at by for from to with and or as is are into over
el la las los un una y o de del en con para por sobre
le les des du et ou dans pour sur avec une
der die das den dem und von zur zum im für über mit auf
og af til ved om det i e da do dos di della
"""
_OTHERS: Final = """
about above after again all also am any be because been before being below between both but can
cannot could did does doing down during each few further had has have having he her here hers him
his how if it its itself just may me might more most must my no nor not now off once only other our
ours out own per same shall she should since so some such than that their theirs them then there
these they this those through thus too under until up upon us using very via was we were what when
where whether which er while who whom whose why will within without would yet you your
"""

JOINING_WORDS: Final = frozenset(_JOINING.split())
"""They may stand inside a long form and give no letter."""

FUNCTION_WORDS: Final = JOINING_WORDS | frozenset(_OTHERS.split())
