"""Identifiers of an exported model: unique, readable, and none of the language's own words."""

from __future__ import annotations

import re

# Keywords of Murphi (in any case) and words that a C compiler or the generated verifier might object to.
_RESERVED = frozenset(
    re.findall(
        r"\w+",
        """
        alias array assert assume begin boolean by clear const cover do else elsif end endalias endexists endfor
        endforall endfunction endif endprocedure endrecord endrule endruleset endstartstate endswitch endwhile enum
        error exists false for forall function if in invariant isundefined liveness map multiset multisetadd
        multisetcount multisetremove of print procedure program property put record return rule ruleset scalarset
        startstate switch then to true type undefine union var while
        """,
    )
)


class Names:
    """Hands out identifiers, each once."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def fresh(self, wanted: str, *, or_else: str = "") -> str:
        """An identifier as like ``wanted`` as may be; ``or_else`` is tried before a number is put behind."""
        for candidate in (identifier(wanted), identifier(or_else)):
            if candidate and self._free(candidate):
                return self._take(candidate)
        number = 2
        while not self._free(f"{identifier(wanted)}_{number}"):
            number += 1
        return self._take(f"{identifier(wanted)}_{number}")

    def local(self, wanted: str) -> str:
        """A name for a parameter: may be used again elsewhere, but is no name of the whole model."""
        name = identifier(wanted)
        while not self._free(name):
            name += "_"
        return name

    def _free(self, candidate: str) -> bool:
        return candidate not in self._taken and candidate.lower() not in _RESERVED

    def _take(self, name: str) -> str:
        self._taken.add(name)
        return name


def identifier(text: str) -> str:
    """Letters, digits and single underscores; empty if nothing is left.

    >>> identifier("cache[node1].state")
    'cache_node1_state'
    """
    cleaned = re.sub(r"[^A-Za-z0-9]+", "_", text).strip("_")
    return f"v{cleaned}" if cleaned[:1].isdigit() else cleaned


def quoted(text: str) -> str:
    """A string of Murphi: no quotes, no line breaks inside."""
    return '"' + re.sub(r'[\x00-\x1f\x7f"\\]', "'", text) + '"'
