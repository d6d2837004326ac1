"""The digest of a system stands for what engines see, and for nothing else."""

from __future__ import annotations

from dataclasses import replace

from cmxverify.modeling.compile import system_of
from cmxverify.modeling.ir import expression as ir
from cmxverify.modeling.ir.digest import digest_of
from models.classics.german import German


def test_compiling_twice_gives_one_digest() -> None:
    """Formulas are the same, though their nodes are other objects."""
    assert digest_of(system_of(German, {"node": 2})) == digest_of(system_of(German, {"node": 2}))


def test_what_engines_see_changes_the_digest() -> None:
    """Bounds, a guard, an update, an initial state, a property, quiescence, symmetry."""
    system = system_of(German, {"node": 2})
    first, *rest = system.instances
    variants = [
        system_of(German, {"node": 3}),
        replace(system, instances=(replace(first, guard=ir.TRUE), *rest)),
        replace(system, instances=(replace(first, updates=first.updates[1:]), *rest)),
        replace(system, initial=system.initial[:-1]),
        replace(system, properties=system.properties[1:]),
        replace(system, quiescent=ir.TRUE),
        replace(system, sorts={}),
    ]

    assert len({digest_of(each) for each in (system, *variants)}) == len(variants) + 1


def test_where_it_is_from_does_not_change_the_digest() -> None:
    """The source and the bounds as given have a digest of their own."""
    system = system_of(German, {"node": 2})

    assert digest_of(replace(system, source_hash="another", name="Other")) == digest_of(system)
