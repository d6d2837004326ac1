/* The protocol of directory.m in Promela: each rule is one d_step of one process, so that states and transitions
 * are those of the Murphi model. Invariants are asserted after each rule that could breach them.
 *
 *   spin -DN=4 -a directory.pml && gcc -O2 -DSAFETY -DNOREDUCE pan.c && ./a.out -m10000000 -w24
 */

#ifndef N
#define N 4
#endif

#define INVALID 0
#define SHARED 1
#define HELD 2
#define MODIFIED 3

#define NO_ASK 0
#define ASK_SHARED 1
#define ASK_MODIFIED 2

#define NO_ORDER 0
#define RECALL 1
#define GRANT_SHARED 2
#define GRANT_MODIFIED 3

#define NO_ANSWER 0
#define DROPPED 1
#define FLUSHED 2
#define WRITTEN_BACK 3

#define NOBODY N

typedef Node {
  unsigned state : 2; bit value;
  unsigned ask : 2;
  unsigned order : 2; bit ordered;
  unsigned answer : 2; bit answered;
  bit sharer;
  bit awaited
};

Node node[N];
bit memory, dirty, exclusive, latest;
byte requester = NOBODY;

#if N == 2
#define COUNT(C) (C(0) + C(1))
#elif N == 3
#define COUNT(C) (C(0) + C(1) + C(2))
#elif N == 4
#define COUNT(C) (C(0) + C(1) + C(2) + C(3))
#else
#define COUNT(C) (C(0) + C(1) + C(2) + C(3) + C(4))
#endif

#define IS_VALID(n) (node[n].state != INVALID)
#define IS_MODIFIED(n) (node[n].state == MODIFIED)
#define IS_STALE(n) (node[n].state != INVALID && node[n].value != latest)
#define IS_AWAITED(n) (node[n].awaited)
#define IS_SHARER(n) (node[n].sharer)

#define SINGLE_WRITER (COUNT(IS_MODIFIED) == 0 || COUNT(IS_VALID) == 1)
#define FRESH_COPY (COUNT(IS_STALE) == 0)
#define FRESH_MEMORY (dirty || memory == latest)
#define CHECK assert(SINGLE_WRITER && FRESH_COPY && FRESH_MEMORY)

#define NODE_RULES(n) \
  :: d_step { node[n].state == INVALID && node[n].ask == NO_ASK && node[n].order == NO_ORDER -> \
       node[n].ask = ASK_SHARED } \
  :: d_step { (node[n].state == INVALID || node[n].state == SHARED) && node[n].ask == NO_ASK \
                && node[n].order == NO_ORDER -> \
       node[n].ask = ASK_MODIFIED } \
  :: d_step { node[n].state == SHARED && node[n].order == NO_ORDER -> node[n].state = HELD } \
  :: d_step { node[n].state == HELD -> node[n].state = SHARED } \
  :: d_step { node[n].state == SHARED -> node[n].state = INVALID; node[n].value = 0; CHECK } \
  :: d_step { node[n].state == MODIFIED && node[n].answer == NO_ANSWER -> \
       node[n].answer = WRITTEN_BACK; node[n].answered = node[n].value; \
       node[n].state = INVALID; node[n].value = 0; CHECK } \
  :: d_step { node[n].state == MODIFIED -> node[n].value = 0; latest = 0; CHECK } \
  :: d_step { node[n].state == MODIFIED -> node[n].value = 1; latest = 1; CHECK } \
  :: d_step { node[n].order == RECALL && node[n].state != HELD && node[n].answer == NO_ANSWER -> \
       node[n].order = NO_ORDER; \
       if \
       :: node[n].state == MODIFIED -> node[n].answer = FLUSHED; node[n].answered = node[n].value \
       :: else -> node[n].answer = DROPPED \
       fi; \
       node[n].state = INVALID; node[n].value = 0; CHECK } \
  :: d_step { node[n].order == GRANT_SHARED -> \
       assert(node[n].state != MODIFIED); \
       if \
       :: node[n].state == INVALID -> node[n].state = SHARED \
       :: else -> skip \
       fi; \
       node[n].value = node[n].ordered; node[n].order = NO_ORDER; node[n].ordered = 0; CHECK } \
  :: d_step { node[n].order == GRANT_MODIFIED && node[n].state != HELD -> \
       assert(node[n].state != MODIFIED); \
       node[n].state = MODIFIED; \
       node[n].value = node[n].ordered; node[n].order = NO_ORDER; node[n].ordered = 0; CHECK }

#define HOME_RULES(n) \
  :: d_step { requester == NOBODY && node[n].ask != NO_ASK -> \
       requester = n; exclusive = (node[n].ask == ASK_MODIFIED); node[n].ask = NO_ASK } \
  :: d_step { requester != NOBODY && node[n].sharer && (dirty || (exclusive && requester != n)) \
                && node[n].order == NO_ORDER -> \
       node[n].order = RECALL; node[n].sharer = 0; node[n].awaited = 1 } \
  :: d_step { node[n].answer == DROPPED -> node[n].awaited = 0; node[n].answer = NO_ANSWER } \
  :: d_step { node[n].answer == FLUSHED -> \
       node[n].awaited = 0; memory = node[n].answered; dirty = 0; \
       node[n].answer = NO_ANSWER; node[n].answered = 0; CHECK } \
  :: d_step { node[n].answer == WRITTEN_BACK -> \
       node[n].sharer = 0; memory = node[n].answered; dirty = 0; \
       node[n].answer = NO_ANSWER; node[n].answered = 0; CHECK } \
  :: d_step { requester == n && !exclusive && !dirty && node[n].order == NO_ORDER && COUNT(IS_AWAITED) == 0 -> \
       node[n].order = GRANT_SHARED; node[n].ordered = memory; node[n].sharer = 1; requester = NOBODY } \
  :: d_step { requester == n && exclusive && !dirty && node[n].order == NO_ORDER && COUNT(IS_AWAITED) == 0 \
                && COUNT(IS_SHARER) == node[n].sharer -> \
       node[n].order = GRANT_MODIFIED; node[n].ordered = memory; node[n].sharer = 1; dirty = 1; \
       requester = NOBODY; exclusive = 0; CHECK }

active proctype protocol() {
  do
  NODE_RULES(0) HOME_RULES(0)
  NODE_RULES(1) HOME_RULES(1)
#if N > 2
  NODE_RULES(2) HOME_RULES(2)
#endif
#if N > 3
  NODE_RULES(3) HOME_RULES(3)
#endif
#if N > 4
  NODE_RULES(4) HOME_RULES(4)
#endif
  od
}
