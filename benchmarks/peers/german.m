-- German's cache coherence protocol (Steven German, 2000) with data, for one line of memory, written from the published
-- description. Each node has a channel of one slot for requests to the home, one for what the home sends it, and one
-- for acknowledgements. The home serves one request at a time; `invalidate` holds the nodes that the present request
-- may still have to invalidate, `sharers` those that may have a copy. `latest` is a ghost: the value stored last.
-- Dead fields hold the first value of their type, except `invalidate`, which the algorithm leaves as it is.
-- Counts are comparable with german.pml, German.tla and the Python model: see README.md in this folder.

const NODES: 4;

type
  Node: scalarset(NODES);
  Value: 0 .. 1;
  CacheState: enum { INVALID, SHARED, EXCLUSIVE };
  Request: enum { NO_REQUEST, REQUEST_SHARED, REQUEST_EXCLUSIVE };
  OrderKind: enum { NO_ORDER, INVALIDATE, GRANT_SHARED, GRANT_EXCLUSIVE };
  Cache: record state: CacheState; value: Value; end;
  Order: record kind: OrderKind; value: Value; end;
  Acknowledgement: record sent: boolean; value: Value; end;

var
  cache: array [Node] of Cache;
  requests: array [Node] of Request;
  orders: array [Node] of Order;
  acknowledgements: array [Node] of Acknowledgement;
  memory: Value;
  invalidate: array [Node] of boolean;
  sharers: array [Node] of boolean;
  granted_exclusive: boolean;
  current: Request;
  requester: Node;                    -- undefined where `current` is NO_REQUEST
  latest: Value;

ruleset v: Value do
  startstate
  begin
    for n: Node do
      cache[n].state := INVALID; cache[n].value := 0;
      requests[n] := NO_REQUEST;
      orders[n].kind := NO_ORDER; orders[n].value := 0;
      acknowledgements[n].sent := false; acknowledgements[n].value := 0;
      invalidate[n] := false; sharers[n] := false;
    end;
    memory := v; latest := v;
    granted_exclusive := false; current := NO_REQUEST; undefine requester;
  end;
end;

ruleset n: Node do

  rule "node_requests_shared"
    requests[n] = NO_REQUEST & cache[n].state = INVALID ==>
  begin
    requests[n] := REQUEST_SHARED;
  end;

  rule "node_requests_exclusive"
    requests[n] = NO_REQUEST & cache[n].state != EXCLUSIVE ==>
  begin
    requests[n] := REQUEST_EXCLUSIVE;
  end;

  rule "home_accepts"
    current = NO_REQUEST & requests[n] != NO_REQUEST ==>
  begin
    current := requests[n]; requester := n;
    requests[n] := NO_REQUEST;
    for m: Node do invalidate[m] := sharers[m]; end;
  end;

  rule "home_invalidates"
    orders[n].kind = NO_ORDER & invalidate[n]
      & (current = REQUEST_EXCLUSIVE | (current = REQUEST_SHARED & granted_exclusive)) ==>
  begin
    orders[n].kind := INVALIDATE;
    invalidate[n] := false;
  end;

  rule "node_acknowledges"
    orders[n].kind = INVALIDATE & !acknowledgements[n].sent ==>
  begin
    orders[n].kind := NO_ORDER;
    acknowledgements[n].sent := true;
    if cache[n].state = EXCLUSIVE then acknowledgements[n].value := cache[n].value; end;
    cache[n].state := INVALID; cache[n].value := 0;
  end;

  rule "home_takes_acknowledgement"
    acknowledgements[n].sent & current != NO_REQUEST ==>
  begin
    sharers[n] := false;
    if granted_exclusive then
      granted_exclusive := false;
      memory := acknowledgements[n].value;
    end;
    acknowledgements[n].sent := false; acknowledgements[n].value := 0;
  end;

  rule "home_grants_shared"
    current = REQUEST_SHARED & requester = n & orders[n].kind = NO_ORDER & !granted_exclusive ==>
  begin
    orders[n].kind := GRANT_SHARED; orders[n].value := memory;
    sharers[n] := true;
    current := NO_REQUEST; undefine requester;
  end;

  rule "home_grants_exclusive"
    current = REQUEST_EXCLUSIVE & requester = n & orders[n].kind = NO_ORDER & !granted_exclusive
      & (forall m: Node do !sharers[m] end) ==>
  begin
    orders[n].kind := GRANT_EXCLUSIVE; orders[n].value := memory;
    sharers[n] := true; granted_exclusive := true;
    current := NO_REQUEST; undefine requester;
  end;

  rule "node_takes_shared"
    orders[n].kind = GRANT_SHARED ==>
  begin
    cache[n].state := SHARED; cache[n].value := orders[n].value;
    orders[n].kind := NO_ORDER; orders[n].value := 0;
  end;

  rule "node_takes_exclusive"
    orders[n].kind = GRANT_EXCLUSIVE ==>
  begin
    cache[n].state := EXCLUSIVE; cache[n].value := orders[n].value;
    orders[n].kind := NO_ORDER; orders[n].value := 0;
  end;

  ruleset v: Value do
    rule "node_stores"
      cache[n].state = EXCLUSIVE ==>
    begin
      cache[n].value := v;
      latest := v;
    end;
  end;

end;

invariant "COHERENCE"
  forall n: Node do
    cache[n].state = EXCLUSIVE -> (forall m: Node do m = n | cache[m].state = INVALID end)
  end;

invariant "FRESH-COPY"
  forall n: Node do cache[n].state != INVALID -> cache[n].value = latest end;

invariant "FRESH-MEMORY"
  !granted_exclusive -> memory = latest;
