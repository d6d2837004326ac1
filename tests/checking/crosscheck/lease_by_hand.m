-- The lease protocol of models/classics/lease.py, written by hand from its description; not generated.
-- In front of it stand two constants: NODES and LEASES.

type
  Node: 0 .. NODES - 1;
  Number: 0 .. LEASES;

var
  resident: boolean;
  leased: array [Node] of boolean;
  granted: array [Node] of Number;
  holds: array [Node] of boolean;
  seen: array [Node] of Number;
  grant_sent: array [Node] of array [Number] of boolean;
  release_sent: array [Node] of array [Number] of boolean;
  crashes: 0 .. 1;

startstate "idle"
begin
  resident := true;
  crashes := 0;
  for n: Node do
    leased[n] := false;
    granted[n] := 0;
    holds[n] := false;
    seen[n] := 0;
    for k: Number do
      grant_sent[n][k] := false;
      release_sent[n][k] := false;
    end;
  end;
end;

ruleset n: Node do
  rule "home grants" resident & !leased[n] & granted[n] < LEASES ==>
  begin
    granted[n] := granted[n] + 1;
    leased[n] := true;
    grant_sent[n][granted[n]] := true;
  end;

  ruleset k: Number do
    rule "node receives grant" grant_sent[n][k] & seen[n] < k ==>
    begin
      holds[n] := true;
      seen[n] := k;
    end;
  end;

  rule "node gives back" seen[n] != 0 ==>
  begin
    holds[n] := false;
    release_sent[n][seen[n]] := true;
  end;

  rule "home receives release" leased[n] & release_sent[n][granted[n]] ==>
  begin
    leased[n] := false;
  end;

  rule "node crashes" crashes = 0 ==>
  begin
    crashes := 1;
    holds[n] := false;
  end;
end;

rule "home evicts" resident & forall n: Node do !leased[n] end ==>
begin
  resident := false;
end;

invariant "PIN-SAFE" forall n: Node do holds[n] -> resident end;
invariant "HELD-IS-LEASED" forall n: Node do holds[n] -> leased[n] end;

cover "ALL-HOLD" forall n: Node do holds[n] end;
cover "EVICTED" !resident & exists n: Node do seen[n] != 0 end;
