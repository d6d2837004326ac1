/* The search loop: a breadth-first store that is its own queue, an index table, batched look-ups.
 *
 * Compiled at development time to core.ll (see build_core.py), linked at run time with the functions that are
 * generated for one model, and optimised together with them, so that WORDS becomes a constant. Nothing here calls an
 * operating system: all memory comes from the caller (store.py), who also starts threads and reads the clock.
 * Threads share nothing while they run: each has a shard of the states, expands what it has, stores what belongs to
 * it and puts aside the rest; when all have done so, each stores what the others have for it.
 *
 * States are WORDS 64-bit words each and lie in the order in which they were found; a level of the search is a range
 * of them. The table has buckets of 16 entries, one cache line each. An entry is 0 (empty) or a tag of the state's
 * hash above index + 1. A bucket fills from the left and overflows into the next. A tag saves look-ups but decides
 * nothing: every match is confirmed by comparing whole states, so no state is ever lost.
 */

typedef unsigned long u64;
typedef unsigned int u32;
typedef unsigned short u16;
typedef unsigned char u8;

enum { LANES = 16, SPAN = 64 };

static const u64 NONE = ~0UL;

/* One store of states, with what one thread needs to extend it; store.py has the same struct. */
struct Shard {
    u64 *states;        /* found so far, `count` of them */
    u64 count;
    u64 room;           /* how many states may be held before the caller must make room */
    u32 *table;
    u64 buckets;
    u64 index_bits;     /* low bits of an entry that hold index + 1 */
    u64 next;           /* first state of the present level that is not yet expanded */
    u64 level_end;      /* end of the present level */
    u64 *fired;         /* per instance, in how many states it was enabled */
    u64 *changed;       /* and changed the state */
    u8 *flags;          /* what was met; numbered by flags.py */
    u64 *successors;    /* buffer of a batch: BATCH + INSTANCES states */
    u64 *hashes;        /* of the states of the batch */
    u64 *candidates;    /* of the states of the batch: index of a stored state with the same tag, or NONE */
    u64 number, shards; /* which of how many: every state belongs to one, by its hash */
    u64 *outboxes;      /* one for each shard: successors that belong to it */
    u64 outbox_room;    /* how many states each can hold */
    u64 *sent;          /* how many states each holds */
    u8 *marks;          /* of the states from `marks_start` to before `marks_end`, when traces are sought */
    u64 marks_start, marks_end;
};

/* Of the model: */
extern const u64 WORDS, INSTANCES, BATCH, REDUCED;
u64 *expand(const u64 *state, u64 *out, u64 *fired, u64 *changed, u8 *flags);
u64 *expand_edges(const u64 *state, u64 *out, u64 *instances);
void check(const u64 *state, u8 *flags);
void canonicalise(u64 *state);

typedef u32 Entries __attribute__((ext_vector_type(LANES)));
typedef _Bool Hits __attribute__((ext_vector_type(LANES)));

/* Lanes of a bucket that lie, after an exclusive or with the key, in 1 .. limit: one bit each. */
static inline u32 lanes_within(const u32 *line, u32 key, u32 limit) {
    Hits hits = __builtin_convertvector((*(const Entries *)line ^ key) - 1 < limit, Hits);
    return __builtin_bit_cast(u16, hits);
}

static inline u64 mixed(u64 word) {
    word *= 0xBF58476D1CE4E5B9UL;
    word ^= word >> 32;
    word *= 0x94D049BB133111EBUL;
    return word ^ (word >> 29);
}

static inline u64 hash_of(const u64 *state) {
    u64 hash = 0;
    for (u64 w = 0; w < WORDS; w++) hash = mixed(hash ^ state[w]);
    return hash;
}

static inline int equal(const u64 *left, const u64 *right) {
    u64 difference = 0;
    for (u64 w = 0; w < WORDS; w++) difference |= left[w] ^ right[w];
    return difference == 0;
}

static inline void copy(u64 *to, const u64 *from) {
    for (u64 w = 0; w < WORDS; w++) to[w] = from[w];
}

/* High bits of the hash choose the bucket, low bits are the tag. */
static inline u64 bucket_of(const struct Shard *shard, u64 hash) {
    return (u64)(((unsigned __int128)hash * shard->buckets) >> 64);
}

static inline u32 tag_of(const struct Shard *shard, u64 hash) {
    return (u32)(hash << shard->index_bits);
}

static inline u32 index_mask(const struct Shard *shard) {
    return (u32)((1UL << shard->index_bits) - 1);
}

static inline const u64 *state_at(const struct Shard *shard, u64 index) {
    return shard->states + index * WORDS;
}

static inline u64 following(const struct Shard *shard, u64 bucket) {
    return bucket + 1 == shard->buckets ? 0 : bucket + 1;
}

static inline int is_full(const u32 *line) {
    return line[LANES - 1] != 0;
}

/* Put an entry behind the last one of the first bucket with an empty lane. */
static inline void enter(struct Shard *shard, u64 bucket, u32 entry) {
    while (is_full(shard->table + bucket * LANES)) bucket = following(shard, bucket);
    u32 *line = shard->table + bucket * LANES;
    line[__builtin_ctz(lanes_within(line, 1, 1))] = entry;
}

/* Index of a stored state, or NONE. */
static inline u64 find(const struct Shard *shard, const u64 *state, u64 hash) {
    u32 mask = index_mask(shard);
    for (u64 bucket = bucket_of(shard, hash);; bucket = following(shard, bucket)) {
        const u32 *line = shard->table + bucket * LANES;
        for (u32 lanes = lanes_within(line, tag_of(shard, hash), mask); lanes; lanes &= lanes - 1) {
            u64 index = (line[__builtin_ctz(lanes)] & mask) - 1;
            if (equal(state_at(shard, index), state)) return index;
        }
        if (!is_full(line)) return NONE;
    }
}

/* Index of the first stored state with the tag of this hash in its own bucket: a guess worth fetching. Without one the
 * next bucket is, where this one overflows. */
static inline u64 guess(const struct Shard *shard, u64 hash) {
    const u32 *line = shard->table + bucket_of(shard, hash) * LANES;
    u32 mask = index_mask(shard), lanes = lanes_within(line, tag_of(shard, hash), mask);
    if (lanes) return (u64)(line[__builtin_ctz(lanes)] & mask) - 1;
    if (is_full(line)) __builtin_prefetch(shard->table + following(shard, bucket_of(shard, hash)) * LANES, 1);
    return NONE;
}

static inline void append(struct Shard *shard, const u64 *state, u64 hash) {
    copy(shard->states + shard->count * WORDS, state);
    shard->count++;
    enter(shard, bucket_of(shard, hash), tag_of(shard, hash) | (u32)shard->count);
    check(state, shard->flags);
}

/* Store what is new among some states. Three passes, so that memory is asked long before it is needed. */
static inline void store(struct Shard *shard, const u64 *states, u64 count) {
    u64 *hashes = shard->hashes, *candidates = shard->candidates;
    for (u64 i = 0; i < count; i++) {
        hashes[i] = hash_of(states + i * WORDS);
        __builtin_prefetch(shard->table + bucket_of(shard, hashes[i]) * LANES, 1);
    }
    for (u64 i = 0; i < count; i++) {
        candidates[i] = guess(shard, hashes[i]);
        if (candidates[i] != NONE) __builtin_prefetch(state_at(shard, candidates[i]));
    }
    for (u64 i = 0; i < count; i++) {
        const u64 *state = states + i * WORDS;
        if (candidates[i] != NONE && equal(state_at(shard, candidates[i]), state)) continue;
        if (find(shard, state, hashes[i]) == NONE) append(shard, state, hashes[i]);
    }
}

/* Successors of one state, each as the representative of its orbit; where they end. */
static inline u64 *expand_state(struct Shard *shard, u64 index, u64 *out) {
    u64 *end = expand(state_at(shard, index), out, shard->fired, shard->changed, shard->flags);
    if (REDUCED)
        for (; out < end; out += WORDS) canonicalise(out);
    return end;
}

/* Expand up to `limit` states of the level; how many remain. Stops early where room must be made first. */
u64 advance(struct Shard *shard, u64 limit) {
    u64 last = shard->level_end - shard->next > limit ? shard->next + limit : shard->level_end;
    while (shard->next < last && shard->count + BATCH + INSTANCES <= shard->room) {
        u64 *out = shard->successors, *enough = out + BATCH * WORDS;
        while (out < enough && shard->next < last) out = expand_state(shard, shard->next++, out);
        store(shard, shard->successors, (u64)(out - shard->successors) / WORDS);
    }
    return shard->level_end - shard->next;
}

/* Number of the shard to which a state belongs; bits of the hash that neither bucket nor tag uses. */
static inline u64 owner(const struct Shard *shard, u64 hash) {
    return (hash >> 20 & 0xFFFF) * shard->shards >> 16;
}

/* Of the states in the buffer, at most BATCH, store those that belong here. There must be room. */
void store_initial(struct Shard *shard, u64 count) {
    u64 *kept = shard->successors;
    for (u64 i = 0; i < count; i++) {
        u64 *state = shard->successors + i * WORDS;
        if (REDUCED) canonicalise(state);
        copy(kept, state);
        if (owner(shard, hash_of(state)) == shard->number) kept += WORDS;
    }
    store(shard, shard->successors, (u64)(kept - shard->successors) / WORDS);
}

/* Keep, from `own` on, those of some states that belong here, put the others into the outboxes; where the kept end.
 * Nobody can predict where a state belongs, so there is no jump: it is written to both places, one of which counts. */
static inline u64 *sorted_by_owner(struct Shard *shard, u64 *own, const u64 *end, u64 *fullest) {
    for (const u64 *state = own; state < end; state += WORDS) {
        u64 to = owner(shard, hash_of(state)), leaves = to != shard->number;
        copy(shard->outboxes + (to * shard->outbox_room + shard->sent[to]) * WORDS, state);
        copy(own, state);
        shard->sent[to] += leaves;
        *fullest = shard->sent[to] > *fullest ? shard->sent[to] : *fullest;
        own += leaves ? 0 : WORDS;
    }
    return own;
}

/* Expand states of the level and store what belongs here, until an outbox might overflow or room must be made; how
 * many states of the level remain. */
u64 send(struct Shard *shard) {
    u64 fullest = 0;
    for (u64 to = 0; to < shard->shards; to++) shard->sent[to] = 0;
    while (shard->next < shard->level_end && shard->count + BATCH + INSTANCES <= shard->room
           && fullest + INSTANCES <= shard->outbox_room) {
        u64 *own = shard->successors, *enough = own + BATCH * WORDS;
        while (own < enough && shard->next < shard->level_end && fullest + INSTANCES <= shard->outbox_room) {
            u64 *end = expand_state(shard, shard->next++, own);
            own = sorted_by_owner(shard, own, end, &fullest);
        }
        store(shard, shard->successors, (u64)(own - shard->successors) / WORDS);
    }
    return shard->level_end - shard->next;
}

/* Store states that belong here; how many were taken before room must be made. */
u64 receive(struct Shard *shard, const u64 *states, u64 count) {
    u64 taken = 0;
    while (taken < count && shard->count + BATCH <= shard->room) {
        u64 batch = count - taken < BATCH ? count - taken : BATCH;
        store(shard, states + taken * WORDS, batch);
        taken += batch;
    }
    return taken;
}

/* Fill a new, empty table with the states held. */
void fill_table(struct Shard *shard) {
    u64 hashes[SPAN];
    for (u64 start = 0; start < shard->count; start += SPAN) {
        u64 count = shard->count - start < SPAN ? shard->count - start : SPAN;
        for (u64 i = 0; i < count; i++) {
            hashes[i] = hash_of(state_at(shard, start + i));
            __builtin_prefetch(shard->table + bucket_of(shard, hashes[i]) * LANES, 1);
        }
        for (u64 i = 0; i < count; i++)
            enter(shard, bucket_of(shard, hashes[i]), tag_of(shard, hashes[i]) | (u32)(start + i + 1));
    }
}

/* Index of the first state from `start` to before `end` that raises a flag; NONE if none does. */
u64 first_raising(struct Shard *shard, u64 start, u64 end, u64 flag, u64 expanding) {
    for (u64 index = start; index < end; index++) {
        shard->flags[flag] = 0;
        if (expanding) expand(state_at(shard, index), shard->successors, shard->fired, shard->changed, shard->flags);
        else check(state_at(shard, index), shard->flags);
        if (shard->flags[flag]) return index;
    }
    return NONE;
}

/* Index of the first state from `start` to before `end` with a successor that is marked in its shard. */
u64 first_before(struct Shard *shard, u64 start, u64 end, struct Shard *const *shards) {
    for (u64 index = start; index < end; index++) {
        u64 *out = shard->successors, *last = expand_state(shard, index, out);
        for (; out < last; out += WORDS) {
            u64 hash = hash_of(out);
            const struct Shard *home = shards[owner(shard, hash)];
            u64 found = find(home, out, hash);
            if (found != NONE && found >= home->marks_start && found < home->marks_end
                && home->marks[found - home->marks_start]) return index;
        }
    }
    return NONE;
}

/* One lane of ir/fingerprint.py. */
static inline u64 mix(u64 word) {
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9UL;
    word = (word ^ (word >> 27)) * 0x94D049BB133111EBUL;
    return word ^ (word >> 31);
}

static inline u64 fingerprint(const u64 *words, u64 count, u64 seed) {
    for (u64 w = 0; w < count; w++) seed = mix(seed ^ words[w]);
    return seed;
}

/* Add to `sums` the two lanes of some states, then those of the edges that leave them. */
void sum_graph(struct Shard *shard, u64 start, u64 end, u64 *sums) {
    static const u64 SEEDS[2] = {0x9E3779B97F4A7C15UL, 0xD1B54A32D192ED03UL};
    for (u64 index = start; index < end; index++) {
        const u64 *state = state_at(shard, index);
        u64 *first = shard->successors, *last = expand_edges(state, first, shard->hashes);
        for (u64 lane = 0; lane < 2; lane++) {
            u64 source = fingerprint(state, WORDS, SEEDS[lane]), edge = 0;
            sums[lane] += source;
            for (u64 *target = first; target < last; target += WORDS, edge++) {
                u64 ends[3] = {source, shard->hashes[edge], fingerprint(target, WORDS, SEEDS[lane])};
                sums[2 + lane] += fingerprint(ends, 3, SEEDS[lane]);
            }
        }
    }
}
