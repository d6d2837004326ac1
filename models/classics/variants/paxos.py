"""Paxos with mistakes, one a class."""

from __future__ import annotations

from cmxverify.modeling import Set, action, require
from models.classics.paxos import Accept, Acceptor, Ballot, Paxos, Promise, Propose, Value, Vote


class PaxosDeafLeader(Paxos):
    """A leader proposes what it likes once a quorum has promised, whatever votes are reported."""

    def is_bound(self, quorum: Set[Acceptor], vote: Vote) -> bool:
        """Everybody in the quorum has promised."""
        return all(self.has_promised(a, vote) for a in quorum)

    def has_promised(self, a: Acceptor, vote: Vote) -> bool:
        """Whether the acceptor has answered the ballot."""
        return Promise(a, vote.ballot, None) in self.wire or any(
            Promise(a, vote.ballot, Vote(b, v)) in self.wire for b in Ballot for v in Value
        )


class PaxosBrokenPromise(Paxos):
    """An acceptor votes in any ballot, whatever it has promised."""

    @action(at="a")
    def acceptor_votes(self, a: Acceptor, vote: Vote) -> None:
        """Vote."""
        require(Propose(vote) in self.wire)
        self.promised[a] = vote.ballot
        self.voted[a] = vote
        self.wire.send(Accept(a, vote))
