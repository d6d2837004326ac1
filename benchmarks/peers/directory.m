-- A directory protocol for one line of memory. A node caches the line INVALID, SHARED, HELD (shared, and a reader is at
-- it: neither dropped nor taken away meanwhile) or MODIFIED; the home keeps presence bits and a dirty bit. Between each
-- node and the home there are three channels of one slot each: asks (node to home), orders (home to node) and answers
-- (node to home). The home takes one ask at a time and recalls copies one by one. A node does not wait for what it
-- asked: it may ask again, which costs a grant more. It may write its line back at any moment, so a write-back can
-- cross a recall. While an order waits it asks and holds no more. `latest` is a ghost: the value stored last.
-- Every dead field holds the first value of its type, so that equal situations are equal states.
-- Counts are comparable with directory.pml, Directory.tla and the Python model: see README.md in this folder.

const NODES: 4;

type
  Node: scalarset(NODES);
  Value: 0 .. 1;
  CacheState: enum { INVALID, SHARED, HELD, MODIFIED };
  AskKind: enum { NO_ASK, ASK_SHARED, ASK_MODIFIED };
  OrderKind: enum { NO_ORDER, RECALL, GRANT_SHARED, GRANT_MODIFIED };
  AnswerKind: enum { NO_ANSWER, DROPPED, FLUSHED, WRITTEN_BACK };
  Cache: record state: CacheState; value: Value; end;
  Order: record kind: OrderKind; value: Value; end;
  Answer: record kind: AnswerKind; value: Value; end;

var
  cache: array [Node] of Cache;
  asks: array [Node] of AskKind;
  orders: array [Node] of Order;
  answers: array [Node] of Answer;
  memory: Value;
  dirty: boolean;                     -- the one sharer may hold a newer value than the memory
  sharers: array [Node] of boolean;   -- who may hold a copy, as far as the home knows
  awaited: array [Node] of boolean;   -- who was sent a recall and has not yet answered it
  requester: Node;                    -- undefined: the home is free
  exclusive: boolean;                 -- what the requester wants
  latest: Value;

startstate
begin
  for n: Node do
    cache[n].state := INVALID; cache[n].value := 0;
    asks[n] := NO_ASK;
    orders[n].kind := NO_ORDER; orders[n].value := 0;
    answers[n].kind := NO_ANSWER; answers[n].value := 0;
    sharers[n] := false; awaited[n] := false;
  end;
  memory := 0; dirty := false; undefine requester; exclusive := false; latest := 0;
end;

-- Nodes --------------------------------------------------------------------------------------------------------------

ruleset n: Node do

  rule "node_asks_to_read"
    cache[n].state = INVALID & asks[n] = NO_ASK & orders[n].kind = NO_ORDER ==>
  begin
    asks[n] := ASK_SHARED;
  end;

  rule "node_asks_to_write"
    (cache[n].state = INVALID | cache[n].state = SHARED) & asks[n] = NO_ASK & orders[n].kind = NO_ORDER ==>
  begin
    asks[n] := ASK_MODIFIED;
  end;

  rule "node_holds"
    cache[n].state = SHARED & orders[n].kind = NO_ORDER ==>
  begin
    cache[n].state := HELD;
  end;

  rule "node_lets_go"
    cache[n].state = HELD ==>
  begin
    cache[n].state := SHARED;
  end;

  rule "node_drops_copy"
    cache[n].state = SHARED ==>
  begin
    cache[n].state := INVALID; cache[n].value := 0;
  end;

  rule "node_writes_back"
    cache[n].state = MODIFIED & answers[n].kind = NO_ANSWER ==>
  begin
    answers[n].kind := WRITTEN_BACK; answers[n].value := cache[n].value;
    cache[n].state := INVALID; cache[n].value := 0;
  end;

  ruleset v: Value do
    rule "node_stores"
      cache[n].state = MODIFIED ==>
    begin
      cache[n].value := v;
      latest := v;
    end;
  end;

  rule "node_obeys_recall"
    orders[n].kind = RECALL & cache[n].state != HELD & answers[n].kind = NO_ANSWER ==>
  begin
    orders[n].kind := NO_ORDER;
    if cache[n].state = MODIFIED then
      answers[n].kind := FLUSHED; answers[n].value := cache[n].value;
    else
      answers[n].kind := DROPPED;
    end;
    cache[n].state := INVALID; cache[n].value := 0;
  end;

  rule "node_takes_shared"
    orders[n].kind = GRANT_SHARED ==>
  begin
    assert cache[n].state != MODIFIED "nothing newer is overwritten by what is granted to read";
    if cache[n].state = INVALID then cache[n].state := SHARED; end;
    cache[n].value := orders[n].value;
    orders[n].kind := NO_ORDER; orders[n].value := 0;
  end;

  rule "node_takes_modified"
    orders[n].kind = GRANT_MODIFIED & cache[n].state != HELD ==>
  begin
    assert cache[n].state != MODIFIED "nothing newer is overwritten by what is granted to write";
    cache[n].state := MODIFIED; cache[n].value := orders[n].value;
    orders[n].kind := NO_ORDER; orders[n].value := 0;
  end;

end;

-- Home ---------------------------------------------------------------------------------------------------------------

ruleset n: Node do

  rule "home_accepts"
    isundefined(requester) & asks[n] != NO_ASK ==>
  begin
    requester := n;
    exclusive := asks[n] = ASK_MODIFIED;
    asks[n] := NO_ASK;
  end;

  rule "home_recalls"
    !isundefined(requester) & sharers[n] & (dirty | (exclusive & requester != n)) & orders[n].kind = NO_ORDER ==>
  begin
    orders[n].kind := RECALL;
    sharers[n] := false; awaited[n] := true;
  end;

  rule "home_takes_dropped"
    answers[n].kind = DROPPED ==>
  begin
    awaited[n] := false;
    answers[n].kind := NO_ANSWER;
  end;

  rule "home_takes_flushed"
    answers[n].kind = FLUSHED ==>
  begin
    awaited[n] := false;
    memory := answers[n].value; dirty := false;
    answers[n].kind := NO_ANSWER; answers[n].value := 0;
  end;

  -- A recall may be under way to the writer: it stays awaited until it answers that recall too.
  rule "home_takes_written_back"
    answers[n].kind = WRITTEN_BACK ==>
  begin
    sharers[n] := false;
    memory := answers[n].value; dirty := false;
    answers[n].kind := NO_ANSWER; answers[n].value := 0;
  end;

  rule "home_grants_shared"
    !isundefined(requester) & requester = n & !exclusive & !dirty & orders[n].kind = NO_ORDER
      & (forall m: Node do !awaited[m] end) ==>
  begin
    orders[n].kind := GRANT_SHARED; orders[n].value := memory;
    sharers[n] := true;
    undefine requester;
  end;

  rule "home_grants_modified"
    !isundefined(requester) & requester = n & exclusive & !dirty & orders[n].kind = NO_ORDER
      & (forall m: Node do !awaited[m] & (m = n | !sharers[m]) end) ==>
  begin
    orders[n].kind := GRANT_MODIFIED; orders[n].value := memory;
    sharers[n] := true; dirty := true;
    undefine requester; exclusive := false;
  end;

end;

-- Properties ---------------------------------------------------------------------------------------------------------

invariant "SINGLE-WRITER"
  forall n: Node do
    cache[n].state = MODIFIED -> (forall m: Node do m = n | cache[m].state = INVALID end)
  end;

invariant "FRESH-COPY"
  forall n: Node do
    cache[n].state != INVALID -> cache[n].value = latest
  end;

invariant "FRESH-MEMORY"
  !dirty -> memory = latest;
