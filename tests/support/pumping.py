"""How many steps a pattern takes on text that is made to cost it most.

A backtracking matcher in Python walks the parsed pattern as `re` walks the compiled one, and counts
its steps, which no clock does. For each repeat of a pattern it meets texts in which what the repeat
takes comes n and 2n times, behind what leads to it and before what the pattern does not want.
"""

import re
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

if sys.version_info >= (3, 11):
    from re import _compiler as compiler  # type: ignore[attr-defined]
    from re import _constants as ops  # type: ignore[attr-defined]
    from re import _parser as parser  # type: ignore[attr-defined]
else:
    import sre_compile as compiler
    import sre_constants as ops
    import sre_parse as parser

TIMES = 16
"""Of what a repeat takes, in the smaller text; twice as often in the larger one."""
MANY = 30
"""A repeat of more is as good as unbounded."""
MOST = 3.0
"""Times the steps for the smaller text: linear patterns take two, quadratic ones four."""
BUDGET = 40_000
"""Steps after which counting stops: more than the widest linear pattern takes."""

Node = tuple[Any, Any]
_POSSESSIVE = getattr(ops, "POSSESSIVE_REPEAT", None)  # since Python 3.11
_ATOMIC = getattr(ops, "ATOMIC_GROUP", None)
_REPEATS = (ops.MAX_REPEAT, ops.MIN_REPEAT)
_CHARACTERS = (ops.LITERAL, ops.NOT_LITERAL, ops.IN, ops.ANY)
_OTHERS = list(map(chr, range(1, 0x300)))
_COMMON = " a.A0-,\n(x\"'_"


class _BudgetError(Exception):
    """More steps than a linear pattern takes."""


class Matcher:
    """A parsed pattern, what it takes, and how many steps it takes for it."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self.parsed = parser.parse(pattern.pattern, pattern.flags)
        self.flags = pattern.flags
        self.nodes: list[Node] = self.parsed.data
        self._compiled: dict[tuple[Any, int], re.Pattern[str]] = {}
        self._taken: dict[tuple[Any, int, str], bool] = {}

    def cost(self, text: str, search: bool) -> int:
        """The steps of a match at the beginning, or of a search; BUDGET where they are more."""
        self.text, self.steps = text, 0
        self.groups: dict[int, tuple[int, int]] = {}
        try:
            for start in range(len(text) + 1 if search else 1):
                if next(self._sequence(self.nodes, 0, start), None) is not None:
                    break
        except _BudgetError:
            return BUDGET
        return self.steps

    def pumps(self) -> Iterator[tuple[str, str]]:
        """What leads to each repeat, and a text that it takes; and both, again and again."""
        for lead, part in dict.fromkeys(self._pumps(self.nodes, "")):
            yield lead, part
            yield "", lead
            yield "", lead + part

    def sample(self, nodes: Sequence[Node], branch: int = 0) -> str:
        """A text that these nodes take, if what they look at lets them."""
        parts = []
        for op, argument in nodes:
            if op in _CHARACTERS:
                node = (op, argument)
                signs = map(chr, range(1, 0x2FF)) if op is not ops.LITERAL else (chr(argument),)
                parts.append(
                    next((sign for sign in [*_COMMON, *signs] if self._takes(node, sign)), "")
                )
            elif op in (*_REPEATS, _POSSESSIVE):
                parts.append(self.sample(argument[2], branch) * max(1, argument[0]))
            elif op is ops.SUBPATTERN:
                parts.append(self.sample(argument[3], branch))
            elif op is _ATOMIC:
                parts.append(self.sample(argument, branch))
            elif op is ops.BRANCH:
                parts.append(self.sample(argument[1][branch % len(argument[1])], branch))
        return "".join(parts)

    def _pumps(self, nodes: Sequence[Node], before: str) -> Iterator[tuple[str, str]]:
        for op, argument in nodes:
            inner: Sequence[Sequence[Node]] = ()
            if op in _REPEATS:
                inner = [argument[2]]
                if argument[1] is ops.MAXREPEAT or argument[1] >= MANY:
                    for branch in range(3):
                        yield before, self.sample(argument[2], branch)
                    if len(argument[2]) == 1 and argument[2][0][0] in _CHARACTERS:
                        for sign in self._signs():
                            if self._takes(argument[2][0], sign):
                                yield before, sign
            elif op is ops.SUBPATTERN:
                inner = [argument[3]]
            elif op is ops.BRANCH:
                inner = argument[1]
            elif op in (ops.ASSERT, ops.ASSERT_NOT):
                inner = [argument[1]]
            elif op is _ATOMIC:
                inner = [argument]
            for part in inner:
                yield from self._pumps(part, before)
            before += self.sample([(op, argument)])

    def _signs(self) -> list[str]:
        """A few characters that parts of the pattern take."""
        literals = {chr(int(match)) for match in re.findall(r"LITERAL, (\d+)", repr(self.nodes))}
        return [*dict.fromkeys([*" \t\na0A-.", *sorted(literals)])]

    def _takes_character(self, node: Node, character: str) -> bool:
        key = node[0], id(node[1]), character
        if key not in self._taken:
            self._taken[key] = self._takes(node, character)
        return self._taken[key]

    def _takes(self, node: Node, text: str, at: int = 0) -> bool:
        key = node[0], id(node[1])
        if key not in self._compiled:
            alone = parser.SubPattern(self.parsed.state, [node])
            self._compiled[key] = compiler.compile(alone, self.flags)
        return self._compiled[key].match(text, at) is not None

    def _sequence(self, nodes: Sequence[Node], number: int, at: int) -> Iterator[int]:
        nodes = getattr(nodes, "data", nodes)  # a list, which is faster than the parser's class
        if number == len(nodes):
            yield at
            return
        for end in self._node(nodes[number], at):
            yield from self._sequence(nodes, number + 1, end)

    def _node(self, node: Node, at: int) -> Iterator[int]:
        self.steps += 1
        if self.steps >= BUDGET:
            raise _BudgetError
        op, argument = node
        if op in _CHARACTERS:
            if at < len(self.text) and self._takes_character(node, self.text[at]):
                yield at + 1
        elif op is ops.AT:
            if self._takes(node, self.text, at):
                yield at
        elif op is ops.BRANCH:
            for nodes in argument[1]:
                yield from self._sequence(nodes, 0, at)
        elif op in _REPEATS:
            yield from self._repeat(argument, at, greedy=op is ops.MAX_REPEAT)
        elif op in (_POSSESSIVE, _ATOMIC):
            nodes = [(ops.MAX_REPEAT, argument)] if op is _POSSESSIVE else argument
            yield from [*islice(self._sequence(nodes, 0, at), 1)]
        elif op is ops.SUBPATTERN:
            group, _, _, nodes = argument
            for end in self._sequence(nodes, 0, at):
                before = self.groups.get(group)
                self.groups[group] = at, end
                yield end
                if before is None:
                    del self.groups[group]
                else:
                    self.groups[group] = before
        elif op in (ops.ASSERT, ops.ASSERT_NOT):
            direction, nodes = argument
            begin = at if direction > 0 else at - nodes.getwidth()[0]
            matches = begin >= 0 and next(self._sequence(nodes, 0, begin), None) is not None
            if matches == (op is ops.ASSERT):
                yield at
        elif op is ops.GROUPREF:
            written = self.text[slice(*self.groups.get(argument, (0, 0)))]
            if argument in self.groups and self.text.startswith(written, at):
                yield at + len(written)
        elif op is ops.GROUPREF_EXISTS:
            group, yes, no = argument
            yield from self._sequence(yes if group in self.groups else no or [], 0, at)
        else:
            raise NotImplementedError(op)

    def _repeat(self, argument: Any, at: int, greedy: bool) -> Iterator[int]:
        least, most, nodes = argument
        if len(nodes) == 1 and nodes[0][0] in _CHARACTERS:
            ends = self._characters(nodes[0], at, most)
            yield from reversed([*ends][least:]) if greedy else islice(ends, least, None)
        else:
            yield from self._again(nodes, least, most, at, 0, greedy)

    def _characters(self, node: Node, at: int, most: int) -> Iterator[int]:
        yield at
        for end in range(at + 1, min(len(self.text), at + most) + 1):
            if next(self._node(node, end - 1), None) is None:
                return
            yield end

    def _again(
        self, nodes: Sequence[Node], least: int, most: int, at: int, done: int, greedy: bool
    ) -> Iterator[int]:
        if done >= least and not greedy:
            yield at
        if done < most:
            for end in self._sequence(nodes, 0, at):
                if end > at or done < least:
                    yield from self._again(nodes, least, most, end, done + 1, greedy)
        if done >= least and greedy:
            yield at


def superlinear(pattern: re.Pattern[str]) -> str | None:
    """Find a text for which the pattern's number of steps grows faster than the text's length.

    A pattern that begins with a repeat is matched at a fixed position. Others are searched for.

    Args:
        pattern: The regular expression.

    Returns:
        The text, or None if none of those that the pattern's repeats suggest is slow.
    """
    matcher = Matcher(pattern)
    search = not _begins_with_repeat(matcher.nodes)
    for lead, part in dict.fromkeys(pump for pump in matcher.pumps() if pump[1]):
        for end in ("", "\0"):
            small, large = (
                matcher.cost(lead + part * times + end, search) for times in (TIMES, 2 * TIMES)
            )
            if large >= BUDGET or large > MOST * small:
                return f"{lead!r} + {part!r} * n + {end!r}"
    return None


def _begins_with_repeat(nodes: Sequence[Node]) -> bool:
    for op, argument in nodes:
        if op in _REPEATS:
            return True
        if op is ops.SUBPATTERN:
            return _begins_with_repeat(argument[3])
        if op is ops.BRANCH:
            return any(map(_begins_with_repeat, argument[1]))
        if op not in (ops.AT, ops.ASSERT, ops.ASSERT_NOT):
            return False
    return False
