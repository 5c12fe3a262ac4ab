"""Whether a long form is a person's name: a common given name and a word or two in capitals."""

import re

_NAME = re.compile(
    r"([A-Z][a-z]+)(?: [A-Z]\.?| [A-Z][a-z]+)? (?:van |von |de |Mc|Mac|O')?[A-Z][a-z]+"
)
_NAMES = """
aaron adam adrian alan albert alex alexander alexandra alfred alice alison allen amanda amy andrea
andreas andrew angela anita ann anna anne annie anthony antonio arthur barbara benjamin bernard
beth betty bill bob brian bruce carl carlos carol caroline catherine charles charlotte chris
christian christina christine christopher claire clara craig cynthia dan daniel david deborah
dennis diana diane donald donna dorothy douglas edgar edward edwin elaine eleanor elizabeth ellen
emily emma eric ernest eugene eva evelyn fiona frances francis frank fred frederick gabriel gary
geoffrey george gerald gordon grace graham greg gregory hannah harold harry heather helen henry
herbert howard hugh hugo ian irene isaac isabella jack jacob jacqueline james jane janet jason
jean jeff jeffrey jennifer jeremy jerry jessica jim joan joe john jonathan jose joseph joshua juan
judith judy julia julian julie karen karl kate katherine kathleen keith kelly ken kenneth kevin
larry laura lauren lawrence leonard leslie lewis linda lisa louis louise lucas lucy luis luke
margaret maria marie marilyn mark martha martin mary matthew maurice max megan melissa michael
michelle miguel mike nancy natalie nathan neil nicholas nick nicole nigel norman oliver oscar
pamela patricia patrick paul paula pedro peter philip phillip rachel ralph raymond rebecca richard
rita robert robin roger ronald rose roy russell ruth ryan sally sam samantha samuel sandra sara
sarah scott sean sharon sheila shirley simon sophia sophie stanley stephanie stephen steve steven
stuart susan suzanne sylvia teresa theodore theresa thomas timothy tina todd tom tony tracy
valerie vanessa victor victoria vincent virginia walter wayne wendy william yvonne zachary
"""
_GIVEN = frozenset(_NAMES.split())


def is_person(long_form: str) -> bool:
    """Whether a long form reads as a person's name, such as "Christopher Woodrow"."""
    match = _NAME.fullmatch(long_form)
    return match is not None and match[1].lower() in _GIVEN
