----------------------------- MODULE Directory -----------------------------
(* The protocol of directory.m in TLA+.  One action a rule; the same states. *)
EXTENDS Naturals, FiniteSets, TLC

CONSTANTS Node, Nobody

Value == 0 .. 1

VARIABLES cache, asks, orders, answers, memory, dirty, sharers, awaited, requester, exclusive, latest

home == <<memory, dirty, sharers, awaited, requester, exclusive>>
vars == <<cache, asks, orders, answers, home, latest>>

Invalid == [state |-> "invalid", value |-> 0]
NoOrder == [kind |-> "none", value |-> 0]
NoAnswer == [kind |-> "none", value |-> 0]

Init ==
  /\ cache = [n \in Node |-> Invalid]
  /\ asks = [n \in Node |-> "none"]
  /\ orders = [n \in Node |-> NoOrder]
  /\ answers = [n \in Node |-> NoAnswer]
  /\ memory = 0
  /\ dirty = FALSE
  /\ sharers = {}
  /\ awaited = {}
  /\ requester = Nobody
  /\ exclusive = FALSE
  /\ latest = 0

NodeAsksToRead(n) ==
  /\ cache[n].state = "invalid" /\ asks[n] = "none" /\ orders[n].kind = "none"
  /\ asks' = [asks EXCEPT ![n] = "shared"]
  /\ UNCHANGED <<cache, orders, answers, home, latest>>

NodeAsksToWrite(n) ==
  /\ cache[n].state \in {"invalid", "shared"} /\ asks[n] = "none" /\ orders[n].kind = "none"
  /\ asks' = [asks EXCEPT ![n] = "modified"]
  /\ UNCHANGED <<cache, orders, answers, home, latest>>

NodeHolds(n) ==
  /\ cache[n].state = "shared" /\ orders[n].kind = "none"
  /\ cache' = [cache EXCEPT ![n].state = "held"]
  /\ UNCHANGED <<asks, orders, answers, home, latest>>

NodeLetsGo(n) ==
  /\ cache[n].state = "held"
  /\ cache' = [cache EXCEPT ![n].state = "shared"]
  /\ UNCHANGED <<asks, orders, answers, home, latest>>

NodeDropsCopy(n) ==
  /\ cache[n].state = "shared"
  /\ cache' = [cache EXCEPT ![n] = Invalid]
  /\ UNCHANGED <<asks, orders, answers, home, latest>>

NodeWritesBack(n) ==
  /\ cache[n].state = "modified" /\ answers[n].kind = "none"
  /\ answers' = [answers EXCEPT ![n] = [kind |-> "written back", value |-> cache[n].value]]
  /\ cache' = [cache EXCEPT ![n] = Invalid]
  /\ UNCHANGED <<asks, orders, home, latest>>

NodeStores(n, v) ==
  /\ cache[n].state = "modified"
  /\ cache' = [cache EXCEPT ![n].value = v]
  /\ latest' = v
  /\ UNCHANGED <<asks, orders, answers, home>>

NodeObeysRecall(n) ==
  /\ orders[n].kind = "recall" /\ cache[n].state # "held" /\ answers[n].kind = "none"
  /\ orders' = [orders EXCEPT ![n] = NoOrder]
  /\ answers' = [answers EXCEPT ![n] =
       IF cache[n].state = "modified"
         THEN [kind |-> "flushed", value |-> cache[n].value]
         ELSE [kind |-> "dropped", value |-> 0]]
  /\ cache' = [cache EXCEPT ![n] = Invalid]
  /\ UNCHANGED <<asks, home, latest>>

NodeTakesShared(n) ==
  /\ orders[n].kind = "grant shared"
  /\ Assert(cache[n].state # "modified", "nothing newer is overwritten")
  /\ cache' = [cache EXCEPT ![n] =
       [state |-> IF cache[n].state = "invalid" THEN "shared" ELSE cache[n].state, value |-> orders[n].value]]
  /\ orders' = [orders EXCEPT ![n] = NoOrder]
  /\ UNCHANGED <<asks, answers, home, latest>>

NodeTakesModified(n) ==
  /\ orders[n].kind = "grant modified" /\ cache[n].state # "held"
  /\ Assert(cache[n].state # "modified", "nothing newer is overwritten")
  /\ cache' = [cache EXCEPT ![n] = [state |-> "modified", value |-> orders[n].value]]
  /\ orders' = [orders EXCEPT ![n] = NoOrder]
  /\ UNCHANGED <<asks, answers, home, latest>>

HomeAccepts(n) ==
  /\ requester = Nobody /\ asks[n] # "none"
  /\ requester' = n
  /\ exclusive' = (asks[n] = "modified")
  /\ asks' = [asks EXCEPT ![n] = "none"]
  /\ UNCHANGED <<cache, orders, answers, memory, dirty, sharers, awaited, latest>>

HomeRecalls(n) ==
  /\ requester # Nobody /\ n \in sharers /\ orders[n].kind = "none"
  /\ IF dirty THEN TRUE ELSE exclusive /\ requester # n  \* TLC counts a step once for each true side of \/
  /\ orders' = [orders EXCEPT ![n] = [kind |-> "recall", value |-> 0]]
  /\ sharers' = sharers \ {n}
  /\ awaited' = awaited \cup {n}
  /\ UNCHANGED <<cache, asks, answers, memory, dirty, requester, exclusive, latest>>

HomeTakesDropped(n) ==
  /\ answers[n].kind = "dropped"
  /\ awaited' = awaited \ {n}
  /\ answers' = [answers EXCEPT ![n] = NoAnswer]
  /\ UNCHANGED <<cache, asks, orders, memory, dirty, sharers, requester, exclusive, latest>>

HomeTakesFlushed(n) ==
  /\ answers[n].kind = "flushed"
  /\ awaited' = awaited \ {n}
  /\ memory' = answers[n].value
  /\ dirty' = FALSE
  /\ answers' = [answers EXCEPT ![n] = NoAnswer]
  /\ UNCHANGED <<cache, asks, orders, sharers, requester, exclusive, latest>>

HomeTakesWrittenBack(n) ==
  /\ answers[n].kind = "written back"
  /\ sharers' = sharers \ {n}
  /\ memory' = answers[n].value
  /\ dirty' = FALSE
  /\ answers' = [answers EXCEPT ![n] = NoAnswer]
  /\ UNCHANGED <<cache, asks, orders, awaited, requester, exclusive, latest>>

HomeGrantsShared(n) ==
  /\ requester = n /\ ~exclusive /\ ~dirty /\ orders[n].kind = "none" /\ awaited = {}
  /\ orders' = [orders EXCEPT ![n] = [kind |-> "grant shared", value |-> memory]]
  /\ sharers' = sharers \cup {n}
  /\ requester' = Nobody
  /\ UNCHANGED <<cache, asks, answers, memory, dirty, awaited, exclusive, latest>>

HomeGrantsModified(n) ==
  /\ requester = n /\ exclusive /\ ~dirty /\ orders[n].kind = "none" /\ awaited = {} /\ sharers \subseteq {n}
  /\ orders' = [orders EXCEPT ![n] = [kind |-> "grant modified", value |-> memory]]
  /\ sharers' = {n}
  /\ dirty' = TRUE
  /\ requester' = Nobody
  /\ exclusive' = FALSE
  /\ UNCHANGED <<cache, asks, answers, memory, awaited, latest>>

Next ==
  \E n \in Node :
    \/ NodeAsksToRead(n)
    \/ NodeAsksToWrite(n)
    \/ NodeHolds(n)
    \/ NodeLetsGo(n)
    \/ NodeDropsCopy(n)
    \/ NodeWritesBack(n)
    \/ \E v \in Value : NodeStores(n, v)
    \/ NodeObeysRecall(n)
    \/ NodeTakesShared(n)
    \/ NodeTakesModified(n)
    \/ HomeAccepts(n)
    \/ HomeRecalls(n)
    \/ HomeTakesDropped(n)
    \/ HomeTakesFlushed(n)
    \/ HomeTakesWrittenBack(n)
    \/ HomeGrantsShared(n)
    \/ HomeGrantsModified(n)

Spec == Init /\ [][Next]_vars

SingleWriter ==
  \A n \in Node : cache[n].state = "modified" => \A m \in Node \ {n} : cache[m].state = "invalid"
FreshCopy == \A n \in Node : cache[n].state # "invalid" => cache[n].value = latest
FreshMemory == ~dirty => memory = latest

Symmetry == Permutations(Node)
=============================================================================
