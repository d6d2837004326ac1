"""Link rates as other tools write them, turned into exact bytes/s per direction."""

from __future__ import annotations

import re
from fractions import Fraction

from cmxverify.errors import InputError, Location
from cmxverify.units import Dimension, parse_quantity

GIGABIT = Fraction(10**9, 8)
"""Bytes/s of one Gb/s."""

INFINIBAND_LANE_GBIT = {
    "SDR": Fraction(2),
    "DDR": Fraction(4),
    "QDR": Fraction(8),
    "FDR10": Fraction(10),
    "FDR": Fraction("13.625"),
    "EDR": Fraction(25),
    "HDR": Fraction(50),
    "NDR": Fraction(100),
    "XDR": Fraction(200),
}
"""Data rate of one lane in Gb/s, after line coding: 8b/10b up to QDR (4x SDR signals at 10 and carries 8 Gb/s),
64b/66b for FDR (4x is published as 54.5 Gb/s). From EDR on the published rate is the data rate."""

NVLINK_GBYTE = {60: 20, 70: 25, 72: 25, 75: 25, 80: 25, 90: 25, 100: 50, 103: 50}
"""GB/s per direction of one NVLink by the GPU's compute capability; an H100 (90) has 18: 450 GB/s a direction."""

_WIDTH_SPEED = re.compile(r"^(\d{1,2})x\s*([A-Z]+\d*)$")
_TRANSFERS = re.compile(r"^\s*(\d{1,3}(?:\.\d{1,3})?)\s*GT/s")
_ETHERNET_NAME = re.compile(r"^\s*(\d{1,4}(?:\.\d)?)\s*(G?)BASE", re.IGNORECASE)
_ETHERNET_SPEED = re.compile(r"^\s*(\d{1,4}(?:\.\d)?)\s*(?:G|GbE|GE|GigE|Gbps|Gbit/s)\s*$", re.IGNORECASE)
_TERA_SPEED = re.compile(r"^\s*(\d(?:\.\d)?)\s*(?:T|TbE|TE|Tbps)\s*$")


def infiniband_rate(text: str) -> Fraction | None:
    """Bytes/s of a width and speed, None if the port is down or the speed unknown.

    >>> infiniband_rate("4xNDR") / GIGABIT, infiniband_rate("4x SDR") / GIGABIT
    (Fraction(400, 1), Fraction(8, 1))
    """
    match = _WIDTH_SPEED.match(text.strip())
    if match is None or match.group(2) not in INFINIBAND_LANE_GBIT:
        return None
    return int(match.group(1)) * INFINIBAND_LANE_GBIT[match.group(2)] * GIGABIT or None


def pcie_rate(link_speed: str, link_width: str) -> Fraction | None:
    """Bytes/s per direction of a PCIe link, None where the file has no speed or width.

    Transfers/s x lanes x line coding: 8b/10b at 2.5 and 5 GT/s, 128b/130b at 8, 16 and 32 GT/s, none from 64 GT/s
    on. Packet and FLIT headers are not taken off, in any generation.

    >>> pcie_rate("16 GT/s", "16") == Fraction(16 * 10**9) * 16 * Fraction(128, 130) / 8
    True
    >>> pcie_rate("64.0 GT/s PCIe", "16")
    Fraction(128000000000, 1)
    """
    match = _TRANSFERS.match(link_speed)
    if match is None or not re.fullmatch(r"\d{1,2}", link_width.strip()):
        return None
    transfers = Fraction(match.group(1))
    coding = Fraction(8, 10) if transfers < 8 else Fraction(128, 130) if transfers < 64 else Fraction(1)
    return transfers * 10**9 * int(link_width) * coding / 8 or None


def ethernet_rate(name: str) -> Fraction | None:
    """Bytes/s of an Ethernet medium such as ``400GbaseCR4`` or ``1000BaseT``, None for other text.

    >>> ethernet_rate("400GbaseCR4") / GIGABIT, ethernet_rate("1000BaseTFD") / GIGABIT
    (Fraction(400, 1), Fraction(1, 1))
    """
    match = _ETHERNET_NAME.match(name)
    if match is None:
        return None
    return Fraction(match.group(1)) * GIGABIT / (1 if match.group(2) else 1000) or None


def cabling_rate(text: str, at: Location) -> Fraction:
    """A rate as cable lists write it: ``400 Gb/s``, ``50 GB/s``, ``400G``, ``100GbE``, ``400GBASE-CR4``.

    A bare ``400G`` is gigabit/s: port speeds of Ethernet and InfiniBand are always written in bits.

    Raises:
        InputError: If it is none of these, or not positive.

    >>> cabling_rate("400G", Location("cables.csv", 2)) == cabling_rate("400 Gb/s", Location("cables.csv", 2))
    True
    """
    short, tera = _ETHERNET_SPEED.match(text), _TERA_SPEED.match(text)
    rate = ethernet_rate(text)
    if rate is None and short:
        rate = Fraction(short.group(1)) * GIGABIT
    if rate is None and tera:
        rate = Fraction(tera.group(1)) * 1000 * GIGABIT
    if rate is None:
        rate = parse_quantity(text, Dimension.RATE, at)
    if rate <= 0:
        raise InputError(f"rate '{text}' is not above zero", at=at, fix="Leave it out if it is not known.")
    return rate


def write_rate(rate: Fraction) -> str:
    """A rate for a topology file: in Gb/s or GB/s, exact if six decimals suffice, else rounded down.

    >>> write_rate(Fraction(50 * 10**9)), write_rate(pcie_rate("16 GT/s", "16"))
    ('400 Gb/s', '31.507692 GB/s')
    """
    bits = rate / GIGABIT
    if bits.denominator == 1 and bits in _PORT_SPEEDS:
        return f"{bits} Gb/s"
    millionths = int(rate / 1000)
    if millionths == 0:
        return f"{max(int(rate), 1)} B/s"
    text = f"{millionths // 10**6}.{millionths % 10**6:06d}".rstrip("0").rstrip(".")
    return f"{text} GB/s" if Fraction(millionths * 1000) != rate or bits.denominator != 1 else _shorter(text, bits)


_PORT_SPEEDS = {1, 8, 10, 16, 25, 32, 40, 50, 56, 100, 200, 400, 800, 1600}


def _shorter(gbyte: str, bits: Fraction) -> str:
    return f"{gbyte} GB/s" if len(gbyte) <= len(str(bits)) else f"{bits} Gb/s"
