"""Functions that add up over a symmetric type, for Murphi has no sums."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cmxverify.checking.export.murphi.lifting import Quantified
from cmxverify.modeling.ir.expression import Expr


def range_of(terms: Sequence[Expr]) -> str:
    """Type of the sum of any first so many terms."""
    return f"{sum(min(0, term.low) for term in terms)} .. {sum(max(0, term.high) for term in terms)}"


def total_function(
    sort_types: Mapping[str, str],
    parameters: Mapping[str, str],
    quantified: Quantified,
    different: Sequence[str],
    body: str,
    values: str,
) -> str:
    """Parameters and body of a function that adds up."""
    header = "; ".join(f"{name}: {sort_types[sort]}" for name, sort in parameters.items())
    loops = " ".join(f"for {name}: {sort_types[sort]} do" for name, sort in quantified.variables)
    added = f"sum_ := sum_ + {body};"
    if different:
        added = f"if {' & '.join(different)} then {added} end;"
    ends = " ".join(["end;"] * len(quantified.variables))
    lines = [f"({header}): {values};", f"var sum_: {values};", "begin", "  sum_ := 0;"]
    return "\n".join([*lines, f"  {loops} {added} {ends}", "  return sum_;", "end;"])
