/* The protocol of german.m in Promela: each rule is one d_step of one process, so that states and transitions are those
 * of the Murphi model, but for the state before the first value is chosen and the two transitions out of it.
 *
 *   spin -DN=4 -a german.pml && gcc -O2 -DSAFETY -DNOREDUCE pan.c && ./a.out -m10000000 -w24
 */

#ifndef N
#define N 4
#endif

#define INVALID 0
#define SHARED 1
#define EXCLUSIVE 2

#define NO_REQUEST 0
#define REQUEST_SHARED 1
#define REQUEST_EXCLUSIVE 2

#define NO_ORDER 0
#define INVALIDATE 1
#define GRANT_SHARED 2
#define GRANT_EXCLUSIVE 3

#define NOBODY N

typedef Node {
  unsigned state : 2; bit value;
  unsigned request : 2;
  unsigned order : 2; bit ordered;
  bit acknowledged; bit returned;
  bit invalidate;
  bit sharer
};

Node node[N];
bit memory, granted_exclusive, latest;
unsigned current : 2;
byte requester = NOBODY;

#if N == 2
#define COUNT(C) (C(0) + C(1))
#define EACH(S) S(0); S(1)
#elif N == 3
#define COUNT(C) (C(0) + C(1) + C(2))
#define EACH(S) S(0); S(1); S(2)
#elif N == 4
#define COUNT(C) (C(0) + C(1) + C(2) + C(3))
#define EACH(S) S(0); S(1); S(2); S(3)
#else
#define COUNT(C) (C(0) + C(1) + C(2) + C(3) + C(4))
#define EACH(S) S(0); S(1); S(2); S(3); S(4)
#endif

#define IS_VALID(n) (node[n].state != INVALID)
#define IS_EXCLUSIVE(n) (node[n].state == EXCLUSIVE)
#define IS_STALE(n) (node[n].state != INVALID && node[n].value != latest)
#define IS_SHARER(n) (node[n].sharer)
#define MUST_INVALIDATE(n) node[n].invalidate = node[n].sharer

#define COHERENCE (COUNT(IS_EXCLUSIVE) == 0 || COUNT(IS_VALID) == 1)
#define FRESH_COPY (COUNT(IS_STALE) == 0)
#define FRESH_MEMORY (granted_exclusive || memory == latest)
#define CHECK assert(COHERENCE && FRESH_COPY && FRESH_MEMORY)

#define RULES(n) \
  :: d_step { node[n].request == NO_REQUEST && node[n].state == INVALID -> node[n].request = REQUEST_SHARED } \
  :: d_step { node[n].request == NO_REQUEST && node[n].state != EXCLUSIVE -> node[n].request = REQUEST_EXCLUSIVE } \
  :: d_step { current == NO_REQUEST && node[n].request != NO_REQUEST -> \
       current = node[n].request; requester = n; node[n].request = NO_REQUEST; EACH(MUST_INVALIDATE) } \
  :: d_step { node[n].order == NO_ORDER && node[n].invalidate \
                && (current == REQUEST_EXCLUSIVE || (current == REQUEST_SHARED && granted_exclusive)) -> \
       node[n].order = INVALIDATE; node[n].invalidate = 0 } \
  :: d_step { node[n].order == INVALIDATE && !node[n].acknowledged -> \
       node[n].order = NO_ORDER; node[n].acknowledged = 1; \
       if \
       :: node[n].state == EXCLUSIVE -> node[n].returned = node[n].value \
       :: else -> skip \
       fi; \
       node[n].state = INVALID; node[n].value = 0; CHECK } \
  :: d_step { node[n].acknowledged && current != NO_REQUEST -> \
       node[n].sharer = 0; \
       if \
       :: granted_exclusive -> granted_exclusive = 0; memory = node[n].returned \
       :: else -> skip \
       fi; \
       node[n].acknowledged = 0; node[n].returned = 0; CHECK } \
  :: d_step { current == REQUEST_SHARED && requester == n && node[n].order == NO_ORDER && !granted_exclusive -> \
       node[n].order = GRANT_SHARED; node[n].ordered = memory; node[n].sharer = 1; \
       current = NO_REQUEST; requester = NOBODY } \
  :: d_step { current == REQUEST_EXCLUSIVE && requester == n && node[n].order == NO_ORDER && !granted_exclusive \
                && COUNT(IS_SHARER) == 0 -> \
       node[n].order = GRANT_EXCLUSIVE; node[n].ordered = memory; node[n].sharer = 1; granted_exclusive = 1; \
       current = NO_REQUEST; requester = NOBODY; CHECK } \
  :: d_step { node[n].order == GRANT_SHARED -> \
       node[n].state = SHARED; node[n].value = node[n].ordered; \
       node[n].order = NO_ORDER; node[n].ordered = 0; CHECK } \
  :: d_step { node[n].order == GRANT_EXCLUSIVE -> \
       node[n].state = EXCLUSIVE; node[n].value = node[n].ordered; \
       node[n].order = NO_ORDER; node[n].ordered = 0; CHECK } \
  :: d_step { node[n].state == EXCLUSIVE -> node[n].value = 0; latest = 0; CHECK } \
  :: d_step { node[n].state == EXCLUSIVE -> node[n].value = 1; latest = 1; CHECK }

active proctype protocol() {
  if
  :: d_step { memory = 0; latest = 0 }
  :: d_step { memory = 1; latest = 1 }
  fi;
  do
  RULES(0)
  RULES(1)
#if N > 2
  RULES(2)
#endif
#if N > 3
  RULES(3)
#endif
#if N > 4
  RULES(4)
#endif
  od
}
