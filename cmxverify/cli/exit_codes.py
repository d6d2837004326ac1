"""How commands end: one meaning a code, in every command."""

from enum import IntEnum


class ExitCode(IntEnum):
    """What a script may rely on.

    A command that Ctrl-C stopped never leaves with YES or NO: it prints what it knows and leaves with OPEN, or it
    knows nothing yet, prints nothing and ends as the signal ends any program, which shells report as INTERRUPTED.
    """

    YES = 0
    """Optimal, feasible within ``--gap``, survived, accepted, no lint errors; done, where nothing is judged."""
    NO = 1
    """Infeasible, not survived, rejected, lint errors."""
    BAD_INPUT = 2
    """Bad input or usage, or an output that cannot be written; one message tells what to change."""
    OPEN = 3
    """Neither is proved: out of time, or stopped, or the gap is too wide."""
    INTERRUPTED = 130
    """Ended by Ctrl-C before there was anything to tell: 128 and the number of SIGINT."""
