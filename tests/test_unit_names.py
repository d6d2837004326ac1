import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cmxverify.unit_names import Dimension, read_unit, unit_names, unit_pattern

WORDS = ["B", "b", "bit", "s", "min", "h", "hours", "year", "W", "Wh", "J", "USD", "FLOP", "DWPD", "x", ""]
PREFIXES = ["", "k", "K", "M", "G", "T", "m", "u", "n", "Ki", "Gi", "ki"]


def spelled() -> st.SearchStrategy[str]:
    atom = st.builds(str.__add__, st.sampled_from(PREFIXES), st.sampled_from(WORDS))
    return st.one_of(atom, st.builds(lambda a, b: f"{a}/{b}", atom, atom))


@given(spelled(), st.sampled_from(Dimension))
def test_the_published_pattern_accepts_what_the_parser_does(text: str, dimension: Dimension) -> None:
    """An editor that follows the JSON Schema marks a unit as wrong exactly when a file with it is refused."""
    unit = read_unit(text)
    accepted = unit is not None and unit.exponents == dimension.exponents
    if dimension is Dimension.SIZE and unit is not None and unit.bits:
        accepted = False
    assert bool(re.fullmatch(unit_pattern(dimension), text)) == accepted


@pytest.mark.parametrize("dimension", Dimension)
def test_every_proposed_unit_is_of_its_dimension(dimension: Dimension) -> None:
    """Names offered in hints parse, and there is at least one for each dimension."""
    found = [read_unit(name) for name in unit_names(dimension)]
    assert found
    assert all(unit is not None and unit.exponents == dimension.exponents for unit in found)


@pytest.mark.parametrize(
    ("text", "factor"),
    [("kWh", 3_600_000), ("GB/h", Fraction(10**9, 3600)), ("Kib/s", 128), ("pJ/bit", Fraction(8, 10**12))],
)
def test_factors_are_exact(text: str, factor: Fraction) -> None:
    """Prefixes and quotients multiply as fractions."""
    unit = read_unit(text)
    assert unit is not None
    assert unit.factor == factor


@pytest.mark.parametrize("text", ["", "/", "s/", "kk", "Mh", "Ms", "kDWPD", "GB/s/s", "gB"])
def test_what_is_no_unit_is_none(text: str) -> None:
    """Prefixes belong to their atoms: no megahour, no kilo of DWPD."""
    assert read_unit(text) is None
