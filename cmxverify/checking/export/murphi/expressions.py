"""Expressions in the words of Murphi."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from cmxverify.checking.export.murphi.lifting import (
    Mentions,
    Quantified,
    Unliftable,
    Value,
    complete,
    free_values,
)
from cmxverify.checking.export.murphi.natures import Nature, OfSort
from cmxverify.checking.export.murphi.scope import Scope, may_be_none, present_cell
from cmxverify.checking.export.murphi.totals import range_of, total_function
from cmxverify.checking.export.murphi.vocabulary import Place, Vocabulary
from cmxverify.modeling.ir import expression as ex
from cmxverify.modeling.ir.expression import Expr, Op


@dataclass(slots=True)
class Writer:
    """Writes expressions; collects the functions that sums over a symmetric type need."""

    vocabulary: Vocabulary
    mentions: Mentions
    functions: dict[str, str] = field(default_factory=dict)
    """Name by parameters and body."""

    def function_lines(self) -> list[str]:
        """Declarations of the functions."""
        return [f"function {name}{function}" for function, name in self.functions.items()]

    def text(self, expr: Expr, scope: Scope, nature: Nature = None) -> str:
        """An expression, in parentheses where it has parts."""
        match expr.op:
            case Op.CONST:
                return self._constant(expr, scope, nature)
            case Op.CELL:
                return self.designator(self.vocabulary.places[expr.value], scope)
            case Op.AND | Op.OR:
                return self._junction(expr, scope)
            case Op.NOT:
                return self._negation(expr.args[0], scope)
            case Op.EQ:
                return self._equality(expr.args[0], expr.args[1], scope)
            case Op.LT:
                return self._less(expr, scope)
            case Op.ITE:
                return self._conditional(expr, scope, nature)
            case Op.ADD:
                return self._sum(expr, scope)
            case Op.MUL:
                return f"({self.text(expr.args[0], scope)} * {self.text(expr.args[1], scope)})"
            case Op.FLOORDIV | Op.MOD:
                return self._division(expr, scope)
        raise AssertionError(f"{expr.op} has no meaning in one state")

    def designator(self, place: Place, scope: Scope) -> str:
        """A state variable or an element of one."""
        return place.variable.name + self.subscripts(place, scope)

    def subscripts(self, place: Place, scope: Scope) -> str:
        """What follows the name of a variable."""
        return "".join(
            f"[{self.value((each.sort, each.ordinal), scope) if each.sort else each.text}]"
            for each in place.subscripts
        )

    def value(self, value: Value, scope: Scope) -> str:
        """A value of a symmetric type: its name in scope, else its number."""
        if value in scope.bindings:
            return scope.bindings[value]
        if scope.lifted:
            raise Unliftable
        return str(value[1])

    def _constant(self, expr: Expr, scope: Scope, nature: Nature) -> str:
        if expr.is_bool:
            return "true" if expr.value else "false"
        if isinstance(nature, OfSort):
            return self.value((nature.sort, expr.value), scope)
        return self.vocabulary.constant(expr.value, nature)

    def _negation(self, arg: Expr, scope: Scope) -> str:
        inner = self.text(arg, scope)
        if inner in _OPPOSITE:
            return _OPPOSITE[inner]
        if arg.op is Op.EQ and (simple := re.fullmatch(r"\((\S+) = (\S+)\)", inner)):
            return f"({simple[1]} != {simple[2]})"
        if arg.op is Op.LT and not isinstance(self.vocabulary.natures.of(*arg.args), OfSort):
            return f"({self.text(arg.args[0], scope)} >= {self.text(arg.args[1], scope)})"
        return f"!{inner}"

    def _less(self, expr: Expr, scope: Scope) -> str:
        left, right = expr.args
        nature = self.vocabulary.natures.of(left, right)
        if not isinstance(nature, OfSort):
            return f"({self.text(left, scope)} < {self.text(right, scope)})"
        nobody = ex.integer(-1)  # values of a symmetric type are only ever asked whether they are none
        if right.constant == 0:
            return self._same_value(left, nobody, scope, nature)
        return f"!{self._same_value(right, nobody, scope, nature)}"

    def _equality(self, left: Expr, right: Expr, scope: Scope) -> str:
        nature = None if left.is_bool else self.vocabulary.natures.of(left, right)
        if isinstance(nature, OfSort):
            return self._same_value(left, right, scope, nature)
        return f"({self.text(left, scope, nature)} = {self.text(right, scope, nature)})"

    def _same_value(self, left: Expr, right: Expr, scope: Scope, nature: OfSort) -> str:
        """Equality of values of a symmetric type, either of which may be none (undefined)."""
        for one, other in ((left, right), (right, left)):
            if one.op is Op.ITE:
                then, rest = (self._same_value(arm, other, scope, nature) for arm in one.args[1:])
                return f"({self.text(one.args[0], scope)} ? {then} : {rest})"
        sides = [self.text(each, scope, nature) if each.constant != -1 else "" for each in (left, right)]
        unsure = [text for each, text in zip((left, right), sides, strict=True) if may_be_none(each, scope)]
        if "" in sides:
            return f"isundefined({unsure[0]})" if unsure else "false"
        equal = f"({sides[0]} = {sides[1]})"
        match unsure:
            case []:
                return equal
            case [only]:
                return f"(!isundefined({only}) & {equal})"
        first, second = unsure
        return f"(isundefined({first}) ? isundefined({second}) : (!isundefined({second}) & {equal}))"

    def _division(self, expr: Expr, scope: Scope) -> str:
        """Murphi truncates, Python floors (L5): what may be negative is shifted by whole divisors first."""
        dividend, divisor = expr.args[0], expr.args[1].value
        turns = -(min(dividend.low, 0) // divisor)
        shifted = self.text(dividend, scope)
        if turns:
            shifted = f"({shifted} + {turns * divisor})"
        if expr.op is Op.MOD:
            return f"({shifted} % {divisor})"
        return f"(({shifted} / {divisor}) - {turns})" if turns else f"({shifted} / {divisor})"

    # Conjunctions and disjunctions

    def _junction(self, expr: Expr, scope: Scope) -> str:
        parts = self.parts(expr, scope)
        sign = " & " if expr.op is Op.AND else " | "
        return f"({sign.join(parts)})" if len(parts) > 1 else parts[0]

    def parts(self, expr: Expr, scope: Scope) -> list[str]:
        """Parts of a conjunction or disjunction: those over values without a name as one quantifier a group."""
        parts: dict[str, None] = {}
        groups: dict[tuple[Quantified, str], set[tuple[Value, ...]]] = {}
        known = scope.knowing(expr) if expr.op is Op.AND else scope
        for arg in sorted(expr.args, key=lambda each: present_cell(each) is None):
            inner = scope if present_cell(arg) is not None else known
            chosen, quantified, text = self._generalised(arg, inner)
            if chosen:
                groups.setdefault((quantified, text), set()).add(chosen)
            else:
                parts[text] = None
        for (quantified, body), seen in groups.items():
            self._add_quantifier(expr.op, quantified, body, seen, known, parts)
        unit = "true" if expr.op is Op.AND else "false"
        if _OPPOSITE[unit] in parts:
            return [_OPPOSITE[unit]]
        parts.pop(unit, None)
        return list(parts) or [unit]

    def _generalised(self, arg: Expr, scope: Scope) -> tuple[tuple[Value, ...], Quantified, str]:
        """Text with variables in the place of as few values without a name as will do, and those values."""
        free = free_values(self.mentions.of(arg), scope.bindings) if scope.lifted else ()
        attempts = [(), *((each,) for each in free), *(free[:count] for count in range(2, len(free) + 1))]
        for chosen in attempts:
            quantified = self.quantify(chosen, scope)
            with suppress(Unliftable):
                return chosen, quantified, self.text(arg, scope.binding(naming(chosen, quantified)))
        raise Unliftable

    def _add_quantifier(
        self,
        op: Op,
        quantified: Quantified,
        body: str,
        seen: set[tuple[Value, ...]],
        scope: Scope,
        parts: dict[str, None],
    ) -> None:
        """One quantifier for a group; parts that it says too, for values with a name, are taken back."""
        self.require_complete(quantified, seen, scope)
        different = quantified.differences(scope.bindings)
        if len(quantified.variables) == 1 and different:
            named = absorbed(quantified, body, scope.bindings)
            if all(each in parts for each in named):
                for each in named:
                    del parts[each]
                different = []
        parts[self._quantifier(op, quantified, different, body)] = None

    def _quantifier(self, op: Op, quantified: Quantified, different: Sequence[str], body: str) -> str:
        """``forall`` or ``exists`` over values that are different from others."""
        word, sign = ("forall", " | ") if op is Op.AND else ("exists", " & ")
        if different:
            apart = [each.replace(" != ", " = ") for each in different] if op is Op.AND else different
            body = f"({sign.join([*apart, body])})"
        for variable, sort in reversed(quantified.variables):
            body = f"({word} {variable}: {self.vocabulary.sort_types[sort]} do {body} end)"
        return body

    def closed(self, formula: Expr, scope: Scope) -> str:
        """A formula that is symmetric in the values without a name.

        Where it has no shape that groups can be made of, it is said for some choice of those values: it is true for
        one choice if and only if it is for all.
        """
        try:
            return self.text(formula, scope)
        except Unliftable:
            if not self.vocabulary.symmetric:
                raise
        free = free_values(self.mentions.of(formula), scope.bindings)
        quantified = self.quantify(free, scope)
        body = self.text(formula, scope.binding(naming(free, quantified)))
        return self._quantifier(Op.OR, quantified, quantified.differences(scope.bindings), body)

    def quantify(self, free: Sequence[Value], scope: Scope) -> Quantified:
        """Fresh variables for values without a name."""
        taken = len(scope.bindings)
        return Quantified(tuple((f"{sort}_{taken + at}", sort) for at, (sort, _) in enumerate(free, 1)))

    def require_complete(self, quantified: Quantified, seen: set[tuple[Value, ...]], scope: Scope) -> None:
        """Raise Unliftable unless a group covers every choice of values."""
        if not complete(seen, quantified.choices(self.vocabulary.sorts, scope.bindings)):
            raise Unliftable

    # Conditionals: subscripts that are themselves state

    def _conditional(self, expr: Expr, scope: Scope, nature: Nature) -> str:
        if scope.lifted and free_values(self.mentions.of(expr, nature), scope.bindings):
            chosen = self._lookup(expr, scope, nature)
            if chosen is not None:
                return chosen
        condition, then, other = expr.args
        arms = [self.text(each, scope, nature) for each in (then, other)]
        return f"({self.text(condition, scope)} ? {arms[0]} : {arms[1]})"

    def _lookup(self, expr: Expr, scope: Scope, nature: Nature) -> str | None:
        """``m[x]`` was flattened into "if x is node0 then m[node0] else ...": said again with x as the subscript."""
        subject, cases, rest = self._cases(expr)
        if subject is None:
            return None
        sort = self.vocabulary.natures.of(subject)
        assert isinstance(sort, OfSort), subject
        key = self.text(subject, scope, sort)
        size = self.vocabulary.sorts[sort.sort]
        left_over = [at for at in range(size) if at not in cases]
        named: list[tuple[str, str]] = []
        general: set[str] = set()
        for at in range(size):
            value = (sort.sort, at)
            text = self.text(cases.get(at, rest), scope.binding({value: key}), nature)
            if value in scope.bindings:
                named.append((scope.bindings[value], self.text(cases.get(at, rest), scope, nature)))
            else:
                general.add(text)
        if len(general) > 1 or not general:
            return None
        found = next(iter(general))
        for name, text in reversed(named):
            if text != found.replace(f"[{key}]", f"[{name}]"):
                found = f"(({key} = {name}) ? {text} : {found})"
        if may_be_none(subject, scope) and not left_over:
            return f"(isundefined({key}) ? {self.text(rest, scope, nature)} : {found})"
        return found

    def _cases(self, expr: Expr) -> tuple[Expr | None, dict[int, Expr], Expr]:
        """Subject, value by ordinal, and the rest, of a chain of conditionals on one cell."""
        subject: Expr | None = None
        cases: dict[int, Expr] = {}
        while expr.op is Op.ITE and expr.args[0].op is Op.EQ:
            looked_at, ordinal = expr.args[0].args
            if (
                ordinal.constant is None
                or looked_at not in (subject or looked_at,)
                or looked_at.op is not Op.CELL
            ):
                break
            if not isinstance(self.vocabulary.natures.of(looked_at), OfSort) or ordinal.constant < 0:
                break
            subject = looked_at
            cases.setdefault(ordinal.constant, expr.args[1])
            expr = expr.args[2]
        return subject, cases, expr

    # Sums

    def _sum(self, expr: Expr, scope: Scope) -> str:
        parts: list[str] = []
        groups: dict[tuple[Quantified, str], list[tuple[tuple[Value, ...], Expr]]] = {}
        for term in _terms(expr):
            free = free_values(self.mentions.of(term), scope.bindings) if scope.lifted else ()
            if not free:
                parts.append(self.text(term, scope))
                continue
            quantified = self.quantify(free, scope)
            text = self.text(term, scope.binding(naming(free, quantified)))
            groups.setdefault((quantified, text), []).append((free, term))
        for (quantified, body), terms in groups.items():
            parts.append(self._total(quantified, body, terms, scope))
        return f"({' + '.join(parts)})"

    def _total(
        self, quantified: Quantified, body: str, terms: list[tuple[tuple[Value, ...], Expr]], scope: Scope
    ) -> str:
        """A function that adds up over a symmetric type, for Murphi has no sums; its call."""
        self.require_complete(quantified, {free for free, _ in terms}, scope)
        ways = len(quantified.choices(self.vocabulary.sorts, scope.bindings))
        if len({free for free, _ in terms}) != len(terms) or len(terms) != ways:
            raise Unliftable
        different = quantified.differences(scope.bindings)
        parameters: dict[str, str] = {}
        arguments: list[str] = []
        for (sort, _), text in sorted(scope.bindings.items(), key=lambda each: -len(each[1])):
            here = re.compile(rf"(?<!\w){re.escape(text)}(?!\w)")
            if any(map(here.search, [body, *different])):
                name = text if text.isidentifier() else self.vocabulary.names.fresh("value")
                body, different = here.sub(name, body), [here.sub(name, each) for each in different]
                parameters[name] = sort
                arguments.append(text)
        function = total_function(
            self.vocabulary.sort_types,
            parameters,
            quantified,
            different,
            body,
            range_of([term for _, term in terms]),
        )
        if function not in self.functions:
            self.functions[function] = self.vocabulary.names.fresh(f"total_{len(self.functions) + 1}")
        return f"{self.functions[function]}({', '.join(arguments)})"


_OPPOSITE = {"true": "false", "false": "true"}


def naming(free: Sequence[Value], quantified: Quantified) -> dict[Value, str]:
    """Variables by the values that they stand for."""
    return {value: name for value, (name, _) in zip(free, quantified.variables, strict=True)}


def absorbed(quantified: Quantified, body: str, bindings: Mapping[Value, str]) -> list[str]:
    """What the body says for each value that has a name in scope."""
    ((variable, sort),) = quantified.variables
    return [re.sub(rf"\b{variable}\b", name, body) for (of, _), name in bindings.items() if of == sort]


def _terms(expr: Expr) -> list[Expr]:
    if expr.op is not Op.ADD:
        return [expr]
    return [term for arg in expr.args for term in _terms(arg)]
