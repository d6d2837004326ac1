import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cmxverify.errors import InputError, Location
from cmxverify.units import (
    Dimension,
    format_count,
    format_quantity,
    format_share,
    parse_count,
    parse_quantity,
    parse_share,
)

RATE, SIZE, TIME, POWER = Dimension.RATE, Dimension.SIZE, Dimension.TIME, Dimension.POWER


def refusal(text: object, dimension: Dimension) -> str:
    with pytest.raises(InputError) as caught:
        parse_quantity(text, dimension, Location("a.yaml", 3))
    return str(caught.value)


@pytest.mark.parametrize("dimension", Dimension)
def test_the_example_of_each_dimension_parses_and_prints(dimension: Dimension) -> None:
    """What a message tells people to write is accepted, and printing it back gives the same quantity."""
    value = parse_quantity(dimension.example, dimension)
    assert parse_quantity(format_quantity(value, dimension), dimension) == value


@given(st.sampled_from(Dimension), st.integers(-(10**9), 10**9), st.integers(-6, 12))
def test_what_prints_exactly_parses_back(dimension: Dimension, mantissa: int, exponent: int) -> None:
    """A quantity of at most nine digits in the printed unit survives printing and parsing."""
    unit = parse_quantity(re.sub(r"^[0-9.]+", "1", dimension.example), dimension)
    value = mantissa * Fraction(10) ** exponent * unit
    printed = format_quantity(value, dimension, digits=25)
    if dimension is TIME and abs(value) >= 60:
        assert float(parse_quantity(printed, dimension)) == pytest.approx(float(value))
    else:
        assert parse_quantity(printed, dimension) == value


@given(st.fractions(0, 10**6), st.sampled_from(["", "k", "M", "G", "T", "P", "Ki", "Gi"]))
def test_a_byte_is_eight_bits(number: Fraction, prefix: str) -> None:
    """The same number of bits and bytes differ by a factor of exactly 8 under every prefix."""
    text = f"{float(number):.6f} {prefix}"
    assert parse_quantity(f"{text}B/s", RATE) == 8 * parse_quantity(f"{text}b/s", RATE)


@pytest.mark.parametrize(
    ("binary", "decimal", "power"), [("Ki", "k", 1), ("Mi", "M", 2), ("Gi", "G", 3), ("Ti", "T", 4)]
)
def test_binary_prefixes_are_powers_of_1024(binary: str, decimal: str, power: int) -> None:
    """A binary prefix is never read as the decimal one."""
    assert parse_quantity(f"3 {binary}B", SIZE) == 3 * 1024**power
    assert parse_quantity(f"3 {decimal}B", SIZE) == 3 * 1000**power


@pytest.mark.parametrize(
    ("text", "dimension", "expected"),
    [
        ("400 Gb/s", RATE, Fraction(50 * 10**9)),
        ("400Gb/s", RATE, Fraction(50 * 10**9)),
        ("400 Gbit/s", RATE, Fraction(50 * 10**9)),
        (" 50 GB / s ", RATE, Fraction(50 * 10**9)),
        ("1,000 MB/s", RATE, Fraction(10**9)),
        ("50 MB/sec", RATE, Fraction(50 * 10**6)),
        ("1.4kW", POWER, Fraction(1400)),
        ("+2 kW", POWER, Fraction(2000)),
        ("1e3 W", POWER, Fraction(1000)),
        ("16 TiB", SIZE, Fraction(16 * 2**40)),
        ("1E3 B", SIZE, Fraction(1000)),
        ("3EB", SIZE, Fraction(3 * 10**18)),
        ("100 us", TIME, Fraction(1, 10_000)),
        ("100 µs", TIME, Fraction(1, 10_000)),
        ("100 μs", TIME, Fraction(1, 10_000)),
        ("100 microseconds", TIME, Fraction(1, 10_000)),
        ("24 hours", TIME, Fraction(86_400)),
        ("1 hour", TIME, Fraction(3600)),
        ("5 minutes", TIME, Fraction(300)),
        ("5 mins", TIME, Fraction(300)),
        ("2 weeks", TIME, Fraction(1_209_600)),
        ("1 year", TIME, Fraction(31_557_600)),
        ("15 W/TB", Dimension.POWER_DENSITY, Fraction(15, 10**12)),
        ("1.5 J/GB", Dimension.ENERGY_PER_BYTE, Fraction(3, 2 * 10**9)),
        ("3 DWPD", Dimension.ENDURANCE, Fraction(3, 86_400)),
        ("40 /s", Dimension.FREQUENCY, Fraction(40)),
        ("40k /s", Dimension.FREQUENCY, Fraction(40_000)),
        ("90 /min", Dimension.FREQUENCY, Fraction(3, 2)),
        ("0.09 USD/kWh", Dimension.MONEY_PER_ENERGY, Fraction(9, 100 * 3_600_000)),
        ("-5 W", POWER, Fraction(-5)),
        ("0 W", POWER, Fraction(0)),
    ],
)
def test_quantities_are_read_exactly(text: str, dimension: Dimension, expected: Fraction) -> None:
    """Spacing, spelled-out times, thousands separators and exponents are read; nothing is rounded."""
    assert parse_quantity(text, dimension) == expected


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("400 Gbps", "Did you mean 'Gb/s'? (b is a bit, B a byte)"),
        ("400 GBps", "Did you mean 'GB/s'? (b is a bit, B a byte)"),
        ("400 gbps", "Did you mean 'GB/s' (bytes) or 'Gb/s' (bits)?"),
        ("400 gb/s", "Did you mean 'GB/s' (bytes) or 'Gb/s' (bits)?"),
        ("400 KB/s", "Did you mean 'kB/s' (1,000) or 'KiB/s' (1,024)?"),
        ("400 Gigabit/s", "Did you mean 'Gbit/s'?"),
        ("400 GBs", "Did you mean 'GB/s'?"),
        ("400 parsec", "Write it as '400 Gb/s' or '400 GB/s' (b is a bit, B a byte)."),
    ],
)
def test_an_unknown_rate_unit_gets_the_nearest_one(text: str, hint: str) -> None:
    """Spellings that people use are refused with the right one; where case is lost, both are named."""
    unit = text.split(" ")[1]
    assert refusal(text, RATE) == f"a.yaml:3: unknown unit '{unit}'\n  {hint}"


@pytest.mark.parametrize(
    ("text", "dimension", "hint"),
    [
        ("5 m", TIME, "Did you mean 'min' (minutes) or 'ms' (milliseconds)?"),
        ("5 Ms", TIME, "Did you mean 'ms'?"),
        ("5 Hours", TIME, "Did you mean 'hours'?"),
        ("3 months", TIME, "A month has no fixed length: write days."),
        ("5 mb", SIZE, "Did you mean 'MB'?"),
        ("5 gib", SIZE, "Did you mean 'GiB'?"),
        ("5 KB", SIZE, "Did you mean 'kB' (1,000) or 'KiB' (1,024)?"),
        ("5 KW", POWER, "Did you mean 'kW'?"),
        ("5 KUSD", Dimension.MONEY, "Did you mean 'kUSD'?"),
        ("5 EUR", Dimension.MONEY, "Write it as '5 USD' or '5 kUSD'."),
        ("989 TFLOPS", Dimension.COMPUTE, "Did you mean 'TFLOP/s'?"),
    ],
)
def test_hints_keep_to_the_wanted_dimension(text: str, dimension: Dimension, hint: str) -> None:
    """A hint never proposes a unit that would be refused next."""
    unit = text.split(" ")[1]
    assert refusal(text, dimension) == f"a.yaml:3: unknown unit '{unit}'\n  {hint}"


@pytest.mark.parametrize(
    ("text", "dimension", "message"),
    [
        ("1 TB", RATE, "'1 TB' is a size; expected a data rate\n  Write it as '1 TB/s'."),
        ("1 TB/s", SIZE, "'1 TB/s' is a data rate; expected a size\n  Write it as '1 TB'."),
        ("3 USD", TIME, "'3 USD' is a price; expected a time\n  Write it as '3 ms', '3 s' or '3 h'."),
        ("3 W/s", POWER, "'3 W/s' is another dimension; expected a power\n  Write it as '3 W'."),
    ],
)
def test_a_wrong_dimension_names_both(text: str, dimension: Dimension, message: str) -> None:
    """The message says what the quantity is and what was expected."""
    assert refusal(text, dimension) == f"a.yaml:3: {message}"


@pytest.mark.parametrize("unit", ["Gb", "Gbit", "b"])
def test_a_size_in_bits_is_refused(unit: str) -> None:
    """Sizes are bytes; taking bits for them would be a factor of 8."""
    in_bytes = unit.replace("bit", "B").replace("b", "B")
    expected = f"Sizes are written in bytes: '5 {in_bytes}', or an eighth of it if bits were meant."
    assert refusal(f"5 {unit}", SIZE) == f"a.yaml:3: '5 {unit}' is a size in bits\n  {expected}"


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("5", "'5' has no unit; expected a power"),
        (5, "5 has no unit; expected a power"),
        (0.5, "0.5 has no unit; expected a power"),
        (True, "true is not a quantity; expected a power"),
        (None, "no value is given; expected a power"),
        ([1, 2], "[1, 2] is not a quantity; expected a power"),
        ("", "'' is not a power"),
        ("kW", "'kW' is not a power"),
        ("٣ kW", "'٣ kW' is not a power"),
        ("0x10 W", "'0x10 W' is not a power"),
        ("inf W", "'inf W' is not a power"),
        ("nan", "'nan' is not a power"),
        ("1 W/s/s", "'1 W/s/s' is not a power"),
        ("5 W\n6 W", "'5 W\\n6 W' is not a power"),
        ("1e400 W", "number '1e400' is out of range"),
        ("1e-40 W", "number '1e-40' is out of range"),
        ("9" * 31 + " W", f"number '{'9' * 20}...' is too long"),
        ("9" * 100 + " W", f"'{'9' * 80}' is not a power"),
    ],
)
def test_what_is_no_quantity_is_refused(value: object, message: str) -> None:
    """Numbers without units, foreign digits, hex, infinities and endless digits end in one message."""
    assert refusal(value, POWER).splitlines()[0] == f"a.yaml:3: {message}"


@pytest.mark.parametrize(
    ("text", "fix"),
    [
        ("1_000 W", "Leave out the underscores."),
        ("1,5 W", "Decimals follow a point, thousands a comma: 1,250.5."),
        ("1.000,5 W", "Decimals follow a point, thousands a comma: 1,250.5."),
        ("1,0000 W", "Decimals follow a point, thousands a comma: 1,250.5."),
    ],
)
def test_foreign_number_formats_are_never_guessed(text: str, fix: str) -> None:
    """A decimal comma is not a thousands separator; the message says how numbers are written."""
    assert refusal(text, POWER).splitlines()[1] == f"  {fix}"


@given(
    st.one_of(st.text(), st.integers(), st.floats(), st.none(), st.lists(st.integers())),
    st.sampled_from(Dimension),
)
def test_any_value_parses_or_is_an_input_error(value: object, dimension: Dimension) -> None:
    """Nothing but a Fraction or an InputError comes out, whatever comes in."""
    try:
        result: object = parse_quantity(value, dimension)
    except InputError as error:
        result = error
    assert isinstance(result, Fraction) or (isinstance(result, InputError) and result.fix)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("60k", 60_000),
        ("128Ki", 131_072),
        (7, 7),
        ("1.5M", 1_500_000),
        ("1,234", 1234),
        (1e6, 10**6),
        ("0", 0),
        ("2 T", 2 * 10**12),
    ],
)
def test_counts_are_whole(value: object, expected: int) -> None:
    """A count takes decimal or binary prefixes, and YAML's way to write a million."""
    assert parse_count(value) == expected


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("60K", "'60K' is not a count\n  Write it as 60000, 60k or 64Ki. Did you mean a lower-case 'k'?"),
        ("1_000", "'1_000' is not a count\n  Write it as 60000, 60k or 64Ki."),
        ("60 k tokens", "'60 k tokens' is not a count\n  Write it as 60000, 60k or 64Ki."),
        (True, "true is not a count\n  Write it as 60000, 60k or 64Ki."),
        (None, "nothing is not a count\n  Write it as 60000, 60k or 64Ki."),
        (float("inf"), "inf is not a count\n  Write it as 60000, 60k or 64Ki."),
        (float("nan"), "nan is not a count\n  Write it as 60000, 60k or 64Ki."),
        (-1, "-1 is not a whole number of 0 or more\n  Write one such as 0, 17 or 60k."),
        ("0.5", "'0.5' is not a whole number of 0 or more\n  Write one such as 0, 17 or 60k."),
        (0.5, "0.5 is not a whole number of 0 or more\n  Write one such as 0, 17 or 60k."),
    ],
)
def test_what_is_no_count_is_refused(value: object, message: str) -> None:
    """Halves, negatives, capital K and words are refused with the value."""
    with pytest.raises(InputError) as caught:
        parse_count(value, Location("a.yaml", 3))
    assert str(caught.value) == f"a.yaml:3: {message}"


@pytest.mark.parametrize(
    ("text", "expected"), [("80%", Fraction(4, 5)), ("2.5 %", Fraction(1, 40)), ("0%", 0), ("100%", 1)]
)
def test_shares_are_exact(text: str, expected: Fraction) -> None:
    """A percentage becomes a fraction of one without a float in between."""
    assert parse_share(text) == expected


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("80", "'80' is not a percentage"),
        (0.8, "0.8 is not a percentage"),
        (None, "nothing is not a percentage"),
        ("120%", "'120%' is outside 0% to 100%"),
        ("-5%", "'-5%' is outside 0% to 100%"),
    ],
)
def test_what_is_no_share_is_refused(value: object, message: str) -> None:
    """A share needs its sign and lies from 0 % to 100 %."""
    with pytest.raises(InputError, match=re.escape(message)):
        parse_share(value)


@pytest.mark.parametrize(
    ("value", "dimension", "expected"),
    [
        (Fraction(50 * 10**9), RATE, "50 GB/s"),
        (Fraction(999_960_000_000), SIZE, "1 TB"),
        (Fraction(999_940_000_000), SIZE, "999.9 GB"),
        (1_200_000_000_000_000, SIZE, "1.2 PB"),
        (12 * 10**21, SIZE, "12,000 EB"),
        (0, POWER, "0 W"),
        (-1500, POWER, "-1.5 kW"),
        (Fraction(1, 3), Dimension.FREQUENCY, "0.3333 /s"),
        (Fraction(1, 5000), TIME, "200 us"),
        (Fraction(59), TIME, "59 s"),
        (60, TIME, "1 min"),
        (86_400, TIME, "1 d"),
        (31_557_600, TIME, "1 year"),
        (5 * 31_557_600, TIME, "5 years"),
        (Fraction(15, 10**12), Dimension.POWER_DENSITY, "15 W/TB"),
    ],
)
def test_quantities_print_with_the_best_prefix(
    value: Fraction | int, dimension: Dimension, expected: str
) -> None:
    """1 to 999 before the prefix, also after rounding; times from a minute on in words."""
    assert format_quantity(value, dimension) == expected


def test_long_figures_are_not_bent_by_floats() -> None:
    """Twenty digits print as they are."""
    assert (
        format_quantity(Fraction(12_345_678_901_234_567_891), SIZE, digits=20) == "12.345678901234567891 EB"
    )


def test_counts_and_shares_print() -> None:
    """Thousands are separated; a share keeps three digits."""
    assert (format_count(1234567), format_share(Fraction(865, 1000))) == ("1,234,567", "86.5 %")


@pytest.mark.parametrize(
    ("value", "dimension", "hint"),
    [
        (300, SIZE, "'300 GB' or '300 TB'"),
        ("1,200", POWER, "'1,200 W' or '1,200 kW'"),
        (0.5, TIME, "'0.5 ms', '0.5 s' or '0.5 h'"),
        ("400", RATE, "'400 Gb/s' or '400 GB/s' (b is a bit, B a byte)"),
        ("7", Dimension.ENDURANCE, "'7 DWPD'"),
        (3e14, SIZE, "'300000000000000 B'"),
        (2**40, RATE, "'1099511627776 B/s'"),
    ],
)
def test_the_hint_for_a_missing_unit_uses_the_number_that_was_given(
    value: object, dimension: Dimension, hint: str
) -> None:
    """With the units that are likely meant; a number of a million or more was counted in bytes."""
    with pytest.raises(InputError) as caught:
        parse_quantity(value, dimension)
    assert caught.value.fix == f"Write it as {hint}."


@pytest.mark.parametrize("value", [True, None, [1], float("nan"), 10**400, -(10**60)])
def test_what_is_no_number_gets_an_example(value: object) -> None:
    """Nothing is made of a truth value, a list, or a number that no file can mean."""
    with pytest.raises(InputError) as caught:
        parse_quantity(value, SIZE)
    assert caught.value.fix == "Write it as '1.5 TB'."


@pytest.mark.parametrize(
    ("value", "hint"),
    [(80, ": 80%."), (0.8, ": 80%."), ("62.5", ": 62.5%."), (1, ", as 80%."), (120, ", as 80%."), (None, ", as 80%.")],
)
def test_the_hint_for_a_missing_per_cent_sign_uses_the_number(value: object, hint: str) -> None:
    """``0.8`` is taken for 80 %; ``1`` could be either end, so no guess is made."""
    with pytest.raises(InputError) as caught:
        parse_share(value)
    assert caught.value.fix == f"Write it with a per cent sign{hint}"
