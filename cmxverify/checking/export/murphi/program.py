"""A whole model in Murphi, for the same states and transitions as every engine here finds.

How the two are made to count alike (ruling L13). rumur's "rules fired" are pairs (expanded state, instance of a rule
whose guard holds), self-loops included and start states excluded, so each action instance is one rule, or one member
of a ruleset. Where instances of an action name different numbers of different values (n = m, n != m), each case is a
ruleset of its own. A duty that can be breached where the guard is false, and a step property that the stutter step can
breach, are rules that can only fail: they never count. Deadlock (L25) is an invariant, except where rumur's own
notion is the same: no environment, no fault, nothing quiescent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cmxverify.checking.export.exporter import ExportChoices
from cmxverify.checking.export.murphi.expressions import Writer
from cmxverify.checking.export.murphi.lifting import Mentions, Unliftable
from cmxverify.checking.export.murphi.names import quoted
from cmxverify.checking.export.murphi.natures import expressions_of
from cmxverify.checking.export.murphi.rules import RuleWriter, obligation_text
from cmxverify.checking.export.murphi.scope import Scope
from cmxverify.checking.export.murphi.starts import start_states
from cmxverify.checking.export.murphi.vocabulary import PLAINLY, Vocabulary
from cmxverify.errors import InputError
from cmxverify.modeling.ir import expression as ex
from cmxverify.modeling.ir.expression import Expr, walk
from cmxverify.modeling.ir.substitution import after_step
from cmxverify.modeling.ir.system import ActionKind, Property, PropertyKind, System

DEADLOCK = "deadlock"
MOST_NODES = 2_000_000
"""Operations and names in an exported text: some tens of megabytes, far beyond what rumur takes."""


@dataclass(frozen=True, slots=True)
class MurphiExporter:
    """Writes Murphi as rumur reads it."""

    language: str = "Murphi"
    suffix: str = ".m"

    def export(self, system: System, choices: ExportChoices) -> str:
        """Text of the model.

        Raises:
            InputError: With symmetry, if an action or a property cannot be said for all values at once; if the
                initial states are too many to be listed; if the text would be too long.
        """
        _refuse_too_long(system)
        try:
            return _Program(system, choices).text()
        except RecursionError:
            raise InputError(
                "an expression is nested too deeply for Murphi", fix="Give smaller bounds."
            ) from None


class _Program:
    def __init__(self, system: System, choices: ExportChoices) -> None:
        self._system, self._choices = system, choices
        chosen = range(len(system.properties)) if choices.properties is None else choices.properties
        self._properties = [system.properties[at] for at in chosen]
        self._vocabulary = Vocabulary(system, choices.symmetry)
        self._writer = Writer(self._vocabulary, Mentions(self._vocabulary))

    def text(self) -> str:
        steps = [each for each in self._properties if each.kind is PropertyKind.STEP]
        start = start_states(self._writer)
        rules = RuleWriter(self._writer, steps).rules()
        stutter = [line for each in steps for line in self._stutter(each)]
        properties = [*self._property_lines(), *self._deadlock()]
        sections = (
            self._heading(),
            _block("type", self._vocabulary.type_lines),
            _block("var", [f"{each.name}: {each.type_text};" for each in self._vocabulary.variables]),
            self._writer.function_lines(),
            start,
            [*rules, *stutter],
            properties,
        )
        return "\n".join(line for section in sections if section for line in (*section, ""))

    def _heading(self) -> list[str]:
        bounds = ", ".join(f"{name} = {value}" for name, value in self._system.bounds.items())
        about = f"{self._system.name}" + (f" with {bounds}" if bounds else "")
        return [f"-- {about}: exported for rumur, for the same states and transitions."]

    def _formula(self, formula: Expr, about: str) -> str:
        """A closed formula: with quantifiers where it can be, else written out."""
        try:
            return self._writer.closed(formula, Scope(lifted=True))
        except Unliftable:
            if self._choices.symmetry:
                raise InputError(
                    f"{about} cannot be written for all values of a symmetric type at once",
                    fix=PLAINLY,
                ) from None
            return self._writer.text(formula, Scope())

    def _property_lines(self) -> list[str]:
        lines: list[str] = []
        for each in self._properties:
            if each.kind is PropertyKind.STEP:
                continue
            lines += [
                f"invariant {quoted(obligation_text(duty))} {self._formula(ex.not_(duty.breach), each.name)};"
                for duty in each.obligations
            ]
            word = "invariant" if each.kind is PropertyKind.INVARIANT else "cover"
            formula = ex.and_(*(part.holds for part in each.parts))
            lines.append(f"{word} {quoted(each.name)} {self._formula(formula, each.name)};")
        return lines

    def _stutter(self, step: Property) -> list[str]:
        """Rules that fail where a step property is breached by a step that changes nothing."""
        formula = after_step(ex.and_(*(part.holds for part in step.parts)), {})
        duties = [(after_step(duty.breach, {}), obligation_text(duty)) for duty in step.obligations]
        return [
            f"rule {quoted(f'stutter {step.name}')} {self._formula(breach, step.name)} ==> "
            f"begin error {quoted(message)}; end;"
            for breach, message in (*duties, (ex.not_(formula), step.name))
            if breach is not ex.FALSE
        ]

    def _deadlock(self) -> list[str]:
        quiescent = self._system.quiescent
        if quiescent is None or not self._choices.deadlock or deadlock_is_rumurs_own(self._system):
            return []
        return [f"invariant {quoted(DEADLOCK)} {self._formula(_live(self._system, quiescent), DEADLOCK)};"]


def _refuse_too_long(system: System) -> None:
    """Nodes are shared in memory but not in text, which can be exponentially longer."""
    sizes: dict[Expr, int] = {}
    roots = list(expressions_of(system))
    for node in walk(roots):
        sizes[node] = 1 + sum(sizes[arg] for arg in node.args)
    if sum(sizes[root] for root in roots) > MOST_NODES:
        raise InputError(f"{system.name} is too long to be written as Murphi", fix="Give smaller bounds.")


def deadlock_is_rumurs_own(system: System) -> bool:
    """Whether L25 is what rumur calls a stuttering deadlock: no rule changes the state."""
    return system.quiescent is ex.FALSE and all(each.kind is ActionKind.ACTION for each in system.instances)


def _live(system: System, quiescent: Expr) -> Expr:
    """Where nothing is due, or some action changes the state or fails for another reason."""
    ways = [quiescent]
    for each in system.instances:
        if each.kind is ActionKind.ACTION:
            changes = ex.or_(*(ex.not_(ex.eq(system.cells[at].read(), expr)) for at, expr in each.updates))
            ways += [ex.and_(each.guard, changes), *(duty.breach for duty in each.obligations)]
    return ex.or_(*ways)


def _block(word: str, lines: Sequence[str]) -> list[str]:
    return [word, *(f"  {line}" for line in lines)] if lines else []
