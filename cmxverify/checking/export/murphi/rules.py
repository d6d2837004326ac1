"""Actions as rules: a ruleset over the values of symmetric types where instances are alike, else a rule an instance."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import combinations
from math import perm, prod

from cmxverify.checking.export.murphi.expressions import Writer
from cmxverify.checking.export.murphi.lifting import Unliftable, Value
from cmxverify.checking.export.murphi.names import quoted
from cmxverify.checking.export.murphi.scope import Scope
from cmxverify.checking.export.murphi.statements import Assigner, Body
from cmxverify.checking.export.murphi.vocabulary import PLAINLY
from cmxverify.errors import InputError
from cmxverify.modeling.ir import expression as ex
from cmxverify.modeling.ir.expression import Expr, Op
from cmxverify.modeling.ir.substitution import after_step
from cmxverify.modeling.ir.system import Argument, Instance, Obligation, Property, System


@dataclass(frozen=True, slots=True)
class Duty:
    """What must hold when a rule fires, and what is said if it does not."""

    holds: Expr
    message: str


@dataclass(frozen=True, slots=True)
class Family:
    """Instances that differ only in values of symmetric types; ``first`` speaks for all of them."""

    first: Instance
    members: tuple[Instance, ...]
    values: tuple[Value, ...]
    name: str


class RuleWriter:
    """Writes the rules of a system."""

    def __init__(self, writer: Writer, steps: Sequence[Property]) -> None:
        self._writer, self._steps = writer, steps
        self._system = writer.vocabulary.system

    def rules(self) -> list[str]:
        """Every instance, as lines of text."""
        lines: list[str] = []
        for family in families(self._system, self._writer.vocabulary.sorts):
            lines += [*self._family(family), ""]
        return lines

    def _family(self, family: Family) -> list[str]:
        try:
            scope, parameters = self._lifted(family)
            return ruleset(parameters, self._rule(family.first, family.name, scope, parameters))
        except Unliftable:
            if self._writer.vocabulary.symmetric:
                raise InputError(
                    f"action {family.first.action} cannot be written for all values of a symmetric type at once",
                    fix=PLAINLY,
                ) from None
        return [line for each in family.members for line in self._rule(each, each.name, Scope(), ())]

    def _lifted(self, family: Family) -> tuple[Scope, tuple[tuple[str, str], ...]]:
        """Parameters such that a ruleset has as many members as the family.

        An argument that is the set of all values of a type names none in particular: they are then no parameters.
        """
        sizes = self._writer.vocabulary.sorts
        named = Counter(sort for sort, _ in family.values)
        whole = [sort for sort, count in named.items() if count == sizes[sort]]
        for left_out in (each for count in range(len(whole) + 1) for each in combinations(whole, count)):
            values = tuple(each for each in family.values if each[0] not in left_out)
            if len(family.members) == self._choices(values):
                names = self._parameter_names(family, values)
                bindings = dict(zip(values, names, strict=True))
                types = self._writer.vocabulary.sort_types
                parameters = tuple((name, types[sort]) for (sort, _), name in bindings.items())
                return Scope(bindings, lifted=True), parameters
        raise Unliftable

    def _choices(self, values: Sequence[Value]) -> int:
        """Ways to choose so many different values."""
        sizes = self._writer.vocabulary.sorts
        counts = Counter(sort for sort, _ in values)
        return prod(perm(sizes[sort], count) for sort, count in counts.items())

    def _parameter_names(self, family: Family, values: Sequence[Value]) -> list[str]:
        """A name for each value among the arguments: that of the parameter, where it is one."""
        named = {
            (each.sort, each.ordinal): each.name for each in reversed(family.first.arguments) if each.sort
        }
        wanted = [named.get(value, f"{value[0]}_of_{at}") for at, value in enumerate(values)]
        return [self._writer.vocabulary.names.local(each) for each in wanted]

    def _rule(
        self, instance: Instance, name: str, scope: Scope, parameters: Sequence[tuple[str, str]]
    ) -> list[str]:
        """A rule; what is breached where the guard is false is a rule of its own, which can only fail."""
        inside, outside = self._duties(instance)
        guard = [*_apart(parameters), *self._conjuncts(instance.guard, scope)]
        inner = scope.knowing(instance.guard)
        body = Assigner(self._writer, inner, symmetric=True).body(instance.updates)
        checks = [
            f"assert {self._writer.closed(duty.holds, inner)} {quoted(duty.message)};" for duty in inside
        ]
        lines: list[str] = []
        for duty in outside:
            breach = " & ".join([*_apart(parameters), self._writer.closed(ex.not_(duty.holds), scope)])
            lines += [f"rule {quoted(name)} {breach} ==> begin error {quoted(duty.message)}; end;"]
        lines += [f"rule {quoted(name)}", f"  {guard[0]}", *(f"  & {each}" for each in guard[1:]), "==>"]
        return [*lines, *self._block(body, checks)]

    def _conjuncts(self, guard: Expr, scope: Scope) -> list[str]:
        if guard.op is Op.AND:
            with suppress(Unliftable):
                return self._writer.parts(guard, scope)
        return [self._writer.closed(guard, scope)]

    def _block(self, body: Body, checks: Iterable[str]) -> list[str]:
        declared = [f"var {name}: {type_text};" for name, type_text in body.locals]
        return [*declared, "begin", *(f"  {line}" for line in (*checks, *body.lines)), "end;"]

    def _duties(self, instance: Instance) -> tuple[list[Duty], list[Duty]]:
        """Duties met only where the guard holds, and others; then the step properties on this step."""
        inside: list[Duty] = []
        outside: list[Duty] = []
        conjuncts = _conjuncts(instance.guard)
        for each in instance.obligations:
            if conjuncts <= _conjuncts(each.breach):
                rest = [part for part in _conjuncts(each.breach) if part not in conjuncts]
                inside.append(Duty(ex.not_(ex.and_(*sorted(rest, key=repr))), obligation_text(each)))
            else:
                outside.append(Duty(ex.not_(each.breach), obligation_text(each)))
        updates = dict(instance.updates)
        for step in self._steps:
            inside += [
                Duty(ex.not_(after_step(each.breach, updates)), obligation_text(each))
                for each in step.obligations
            ]
            inside.append(Duty(after_step(ex.and_(*(part.holds for part in step.parts)), updates), step.name))
        return [duty for duty in inside if duty.holds is not ex.TRUE], outside


def obligation_text(obligation: Obligation) -> str:
    """What the other checker says where it is not met."""
    return f"{obligation.kind.value} {obligation.at}: {obligation.text}"


def families(system: System, sorts: Collection[str]) -> list[Family]:
    """Instances by action and by what their arguments are, up to values of symmetric types."""
    known = {
        atom.name: (atom.sort, atom.ordinal)
        for cell in system.cells
        for atom in cell.place
        if atom.sort in sorts
    }
    known |= {
        each.text: (each.sort, each.ordinal)
        for instance in system.instances
        for each in instance.arguments
        if each.sort in sorts
    }
    groups: dict[tuple[str, str], list[tuple[tuple[Value, ...], Instance]]] = {}
    for instance in system.instances:
        values = tuple(dict.fromkeys(v for each in instance.arguments for v in _values(each, sorts, known)))
        pattern = ", ".join(
            f"{each.name}={_pattern(each, values, sorts, known)}" for each in instance.arguments
        )
        groups.setdefault((instance.action, pattern), []).append((values, instance))
    return [_family_of(action, members, known) for (action, _), members in groups.items()]


def _family_of(
    action: str, members: list[tuple[tuple[Value, ...], Instance]], known: dict[str, Value]
) -> Family:
    values, first = members[0]
    plain = [each for each in first.arguments if not known.keys() & set(re.findall(r"\w+", each.text))]
    fixed = ", ".join(f"{each.name}={each.text}" for each in plain)
    return Family(
        first, tuple(each for _, each in members), values, f"{action}({fixed})" if fixed else action
    )


def _values(argument: Argument, sorts: Collection[str], known: dict[str, Value]) -> list[Value]:
    if argument.sort in sorts:
        return [(argument.sort, argument.ordinal)]
    return [known[word] for word in re.findall(r"\w+", argument.text) if word in known]


def _pattern(
    argument: Argument, values: tuple[Value, ...], sorts: Collection[str], known: dict[str, Value]
) -> str:
    if argument.sort in sorts:
        return f"${argument.sort}{values.index((argument.sort, argument.ordinal))}"

    def placeholder(word: re.Match[str]) -> str:
        value = known.get(word[0])
        return word[0] if value is None else f"${value[0]}{values.index(value)}"

    return re.sub(r"\w+", placeholder, argument.text)


def ruleset(parameters: Sequence[tuple[str, str]], rule: list[str]) -> list[str]:
    """A rule or start state for each value of some parameters: (name, type) each."""
    if not parameters:
        return rule
    domains = "; ".join(f"{name}: {domain}" for name, domain in parameters)
    return [f"ruleset {domains} do", *(f"  {line}" for line in rule), "end;"]


def _apart(parameters: Sequence[tuple[str, str]]) -> list[str]:
    return [
        f"{name} != {earlier}"
        for at, (name, domain) in enumerate(parameters)
        for earlier, of in parameters[:at]
        if of == domain
    ]


def _conjuncts(expr: Expr) -> frozenset[Expr]:
    if expr is ex.TRUE:
        return frozenset()
    return frozenset(expr.args if expr.op is Op.AND else (expr,))
