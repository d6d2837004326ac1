"""Paxos for one decision: acceptors agree on a value although messages are lost and leaders compete.

Source: L. Lamport, "The part-time parliament", ACM TOCS 16(2), 1998; "Paxos made simple", 2001.

Messages may be lost, repeated and reordered without limit, leaders keep no state, and a ballot may be led by anyone.
The number of ballots is a bound. Left out: that anything is ever chosen, which no protocol can promise; learners.
"""

from __future__ import annotations

from dataclasses import dataclass

from cmxverify.modeling import (
    Bound,
    Index,
    Model,
    Net,
    Owned,
    Range,
    Set,
    action,
    count,
    invariant,
    reachable,
    require,
)

Acceptor = Index("acceptor")
Value = Index("value")
Ballot = Range(0, Bound("ballot") - 1)


@dataclass(frozen=True)
class Vote:
    """For a value, in a ballot."""

    ballot: Ballot
    value: Value


@dataclass(frozen=True)
class Prepare:
    """From a leader, to all: a ballot begins."""

    ballot: Ballot


@dataclass(frozen=True)
class Promise:
    """From an acceptor: it votes in no lower ballot any more; its last vote, if it has voted."""

    a: Acceptor
    ballot: Ballot
    last: Vote | None


@dataclass(frozen=True)
class Propose:
    """From a leader, to all: the value to vote for."""

    vote: Vote


@dataclass(frozen=True)
class Accept:
    """From an acceptor: it has voted."""

    a: Acceptor
    vote: Vote


class Paxos(Model):
    """Acceptors and their last votes; a majority is a quorum."""

    promised: Owned[Acceptor, Ballot | None]
    """The highest ballot heard of."""
    voted: Owned[Acceptor, Vote | None]
    wire: Net[Prepare | Promise | Propose | Accept]

    @action(at="home")
    def leader_prepares(self, ballot: Ballot) -> None:
        """Begin a ballot."""
        self.wire.send(Prepare(ballot))

    @action(at="a")
    def acceptor_promises(self, a: Acceptor, ballot: Ballot) -> None:
        """Answer a ballot that is higher than all before."""
        promised = self.promised[a]
        require(Prepare(ballot) in self.wire and (promised is None or promised < ballot))
        self.promised[a] = ballot
        self.wire.send(Promise(a, ballot, self.voted[a]))

    @action(at="home")
    def leader_proposes(self, vote: Vote, quorum: Set[Acceptor]) -> None:
        """Propose the value of the latest vote that a quorum reports, or any if it reports none; once a ballot."""
        require(2 * len(quorum) > len(Acceptor))
        require(not any(Propose(Vote(vote.ballot, v)) in self.wire for v in Value))
        require(self.is_free(quorum, vote.ballot) or self.is_bound(quorum, vote))
        self.wire.send(Propose(vote))

    @action(at="a")
    def acceptor_votes(self, a: Acceptor, vote: Vote) -> None:
        """Vote, unless a higher ballot was promised."""
        promised = self.promised[a]
        require(Propose(vote) in self.wire and (promised is None or promised <= vote.ballot))
        self.promised[a] = vote.ballot
        self.voted[a] = vote
        self.wire.send(Accept(a, vote))

    def is_free(self, quorum: Set[Acceptor], ballot: Ballot) -> bool:
        """Nobody in the quorum had voted before it promised."""
        return all(Promise(a, ballot, None) in self.wire for a in quorum)

    def is_bound(self, quorum: Set[Acceptor], vote: Vote) -> bool:
        """The latest vote that the quorum reports is for this value."""
        return any(self.is_latest(quorum, vote.ballot, Vote(earlier, vote.value)) for earlier in Ballot)

    def is_latest(self, quorum: Set[Acceptor], ballot: Ballot, last: Vote) -> bool:
        """One in the quorum reports this vote, and the others none or one that is not later."""
        return any(Promise(a, ballot, last) in self.wire for a in quorum) and all(
            Promise(a, ballot, None) in self.wire
            or any(
                Promise(a, ballot, Vote(earlier, v)) in self.wire
                for earlier in Ballot
                if earlier <= last.ballot
                for v in Value
            )
            for a in quorum
        )

    def is_chosen(self, value: Value) -> bool:
        """A majority has voted for it in one ballot."""
        return any(
            2 * count(Accept(a, Vote(ballot, value)) in self.wire for a in Acceptor) > len(Acceptor)
            for ballot in Ballot
        )

    def quiescent(self) -> bool:
        """Nothing is due: ballots run out, and a decision is not promised."""
        return True

    @invariant("AGREEMENT")
    def one_value_is_chosen(self) -> bool:
        """No two values are chosen."""
        return not any(v != w and self.is_chosen(v) and self.is_chosen(w) for v in Value for w in Value)

    @invariant("ONE-PROPOSAL")
    def one_value_a_ballot(self) -> bool:
        """In a ballot one value is proposed."""
        return all(count(Propose(Vote(b, v)) in self.wire for v in Value) <= 1 for b in Ballot)

    @reachable("CHOSEN")
    def a_value_is_chosen(self) -> bool:
        """A decision is possible."""
        return any(self.is_chosen(v) for v in Value)

    @reachable("REPORTED")
    def a_vote_is_reported(self) -> bool:
        """A later ballot may hear of a vote in an earlier one."""
        return any(
            Promise(a, later, Vote(earlier, v)) in self.wire
            for a in Acceptor
            for later in Ballot
            for earlier in Ballot
            for v in Value
        )
