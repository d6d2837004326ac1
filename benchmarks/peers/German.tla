------------------------------- MODULE German -------------------------------
(* The protocol of german.m in TLA+.  One action a rule; the same states. *)
EXTENDS Naturals, FiniteSets, TLC

CONSTANTS Node, Nobody

Value == 0 .. 1

VARIABLES cache, requests, orders, acknowledgements, memory, invalidate, sharers, grantedExclusive, current,
          requester, latest

vars == <<cache, requests, orders, acknowledgements, memory, invalidate, sharers, grantedExclusive, current,
          requester, latest>>

Invalid == [state |-> "invalid", value |-> 0]
NoOrder == [kind |-> "none", value |-> 0]
NotSent == [sent |-> FALSE, value |-> 0]

Init ==
  /\ cache = [n \in Node |-> Invalid]
  /\ requests = [n \in Node |-> "none"]
  /\ orders = [n \in Node |-> NoOrder]
  /\ acknowledgements = [n \in Node |-> NotSent]
  /\ memory \in Value
  /\ invalidate = {}
  /\ sharers = {}
  /\ grantedExclusive = FALSE
  /\ current = "none"
  /\ requester = Nobody
  /\ latest = memory

NodeRequestsShared(n) ==
  /\ requests[n] = "none" /\ cache[n].state = "invalid"
  /\ requests' = [requests EXCEPT ![n] = "shared"]
  /\ UNCHANGED <<cache, orders, acknowledgements, memory, invalidate, sharers, grantedExclusive, current, requester,
                 latest>>

NodeRequestsExclusive(n) ==
  /\ requests[n] = "none" /\ cache[n].state # "exclusive"
  /\ requests' = [requests EXCEPT ![n] = "exclusive"]
  /\ UNCHANGED <<cache, orders, acknowledgements, memory, invalidate, sharers, grantedExclusive, current, requester,
                 latest>>

HomeAccepts(n) ==
  /\ current = "none" /\ requests[n] # "none"
  /\ current' = requests[n]
  /\ requester' = n
  /\ requests' = [requests EXCEPT ![n] = "none"]
  /\ invalidate' = sharers
  /\ UNCHANGED <<cache, orders, acknowledgements, memory, sharers, grantedExclusive, latest>>

HomeInvalidates(n) ==
  /\ orders[n].kind = "none" /\ n \in invalidate
  /\ current = "exclusive" \/ (current = "shared" /\ grantedExclusive)
  /\ orders' = [orders EXCEPT ![n] = [kind |-> "invalidate", value |-> 0]]
  /\ invalidate' = invalidate \ {n}
  /\ UNCHANGED <<cache, requests, acknowledgements, memory, sharers, grantedExclusive, current, requester, latest>>

NodeAcknowledges(n) ==
  /\ orders[n].kind = "invalidate" /\ ~acknowledgements[n].sent
  /\ orders' = [orders EXCEPT ![n] = NoOrder]
  /\ acknowledgements' = [acknowledgements EXCEPT ![n] =
       [sent |-> TRUE, value |-> IF cache[n].state = "exclusive" THEN cache[n].value ELSE 0]]
  /\ cache' = [cache EXCEPT ![n] = Invalid]
  /\ UNCHANGED <<requests, memory, invalidate, sharers, grantedExclusive, current, requester, latest>>

HomeTakesAcknowledgement(n) ==
  /\ acknowledgements[n].sent /\ current # "none"
  /\ sharers' = sharers \ {n}
  /\ grantedExclusive' = FALSE
  /\ memory' = IF grantedExclusive THEN acknowledgements[n].value ELSE memory
  /\ acknowledgements' = [acknowledgements EXCEPT ![n] = NotSent]
  /\ UNCHANGED <<cache, requests, orders, invalidate, current, requester, latest>>

HomeGrantsShared(n) ==
  /\ current = "shared" /\ requester = n /\ orders[n].kind = "none" /\ ~grantedExclusive
  /\ orders' = [orders EXCEPT ![n] = [kind |-> "grant shared", value |-> memory]]
  /\ sharers' = sharers \cup {n}
  /\ current' = "none"
  /\ requester' = Nobody
  /\ UNCHANGED <<cache, requests, acknowledgements, memory, invalidate, grantedExclusive, latest>>

HomeGrantsExclusive(n) ==
  /\ current = "exclusive" /\ requester = n /\ orders[n].kind = "none" /\ ~grantedExclusive /\ sharers = {}
  /\ orders' = [orders EXCEPT ![n] = [kind |-> "grant exclusive", value |-> memory]]
  /\ sharers' = {n}
  /\ grantedExclusive' = TRUE
  /\ current' = "none"
  /\ requester' = Nobody
  /\ UNCHANGED <<cache, requests, acknowledgements, memory, invalidate, latest>>

NodeTakesShared(n) ==
  /\ orders[n].kind = "grant shared"
  /\ cache' = [cache EXCEPT ![n] = [state |-> "shared", value |-> orders[n].value]]
  /\ orders' = [orders EXCEPT ![n] = NoOrder]
  /\ UNCHANGED <<requests, acknowledgements, memory, invalidate, sharers, grantedExclusive, current, requester,
                 latest>>

NodeTakesExclusive(n) ==
  /\ orders[n].kind = "grant exclusive"
  /\ cache' = [cache EXCEPT ![n] = [state |-> "exclusive", value |-> orders[n].value]]
  /\ orders' = [orders EXCEPT ![n] = NoOrder]
  /\ UNCHANGED <<requests, acknowledgements, memory, invalidate, sharers, grantedExclusive, current, requester,
                 latest>>

NodeStores(n, v) ==
  /\ cache[n].state = "exclusive"
  /\ cache' = [cache EXCEPT ![n].value = v]
  /\ latest' = v
  /\ UNCHANGED <<requests, orders, acknowledgements, memory, invalidate, sharers, grantedExclusive, current,
                 requester>>

Next ==
  \E n \in Node :
    \/ NodeRequestsShared(n)
    \/ NodeRequestsExclusive(n)
    \/ HomeAccepts(n)
    \/ HomeInvalidates(n)
    \/ NodeAcknowledges(n)
    \/ HomeTakesAcknowledgement(n)
    \/ HomeGrantsShared(n)
    \/ HomeGrantsExclusive(n)
    \/ NodeTakesShared(n)
    \/ NodeTakesExclusive(n)
    \/ \E v \in Value : NodeStores(n, v)

Spec == Init /\ [][Next]_vars

Coherence ==
  \A n \in Node : cache[n].state = "exclusive" => \A m \in Node \ {n} : cache[m].state = "invalid"
FreshCopy == \A n \in Node : cache[n].state # "invalid" => cache[n].value = latest
FreshMemory == ~grantedExclusive => memory = latest

Symmetry == Permutations(Node)
=============================================================================
