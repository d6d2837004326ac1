/* Canonical form where values of symmetric types are related to one another: by search, as for graphs.
 *
 * Every value ("element") of the types concerned has a colour: a number that depends on the state and on nothing else,
 * so that a permutation of the values permutes the colours. Colours are refined by what the state says of an element
 * and those it is related to, until no more can be told apart. Then elements are put in the order of their colours.
 * Where some still share a colour, each of them in turn is given one of its own, and the least of the states that
 * come out is the canonical form. It is exact whatever the colours: equal ones only make the search wider.
 * Two elements whose exchange leaves the state as it is ("twins") need not both be tried.
 *
 * Method: individualisation and refinement; B. D. McKay, Practical graph isomorphism, Congressus Numerantium 30 (1981).
 */

typedef unsigned long u64;

enum { MOST_ELEMENTS = 64, MOST_WORDS = 64 };

/* Of the model: elements are numbered type by type; type t has those from SORT_STARTS[t] to before SORT_STARTS[t + 1]. */
extern const u64 WORDS, SORTS;
extern const u64 SORT_STARTS[];
void refine(const u64 *state, const u64 *colours, u64 *refined);
void permute(const u64 *state, const u64 *positions, const u64 *origins, u64 *out);

struct Search {
    const u64 *state;
    u64 best[MOST_WORDS];
    u64 found;
};

static inline u64 elements(void) {
    return SORT_STARTS[SORTS];
}

static inline int compare(const u64 *left, const u64 *right) {
    for (u64 w = 0; w < WORDS; w++)
        if (left[w] != right[w]) return left[w] < right[w] ? -1 : 1;
    return 0;
}

/* Elements of every type in the order of their colours; how many differ from the one before them in that order. */
static u64 arrange(const u64 *colours, u64 *order) {
    u64 distinct = 0;
    for (u64 sort = 0; sort < SORTS; sort++) {
        u64 start = SORT_STARTS[sort], end = SORT_STARTS[sort + 1];
        for (u64 i = start; i < end; i++) {
            u64 place = i;
            for (; place > start && colours[order[place - 1]] > colours[i]; place--) order[place] = order[place - 1];
            order[place] = i;
        }
        for (u64 i = start; i < end; i++) distinct += i == start || colours[order[i]] != colours[order[i - 1]];
    }
    return distinct;
}

/* Refine until no more elements are told apart. */
static void settle(const u64 *state, u64 *colours, u64 *order) {
    u64 refined[MOST_ELEMENTS], rearranged[MOST_ELEMENTS], distinct = arrange(colours, order);
    while (distinct < elements()) {
        refine(state, colours, refined);
        u64 now = arrange(refined, rearranged);
        if (now <= distinct) return;
        distinct = now;
        for (u64 i = 0; i < elements(); i++) colours[i] = refined[i], order[i] = rearranged[i];
    }
}

/* The state with the elements of every type in the order given. */
static void ordered(const u64 *state, const u64 *order, u64 *image) {
    u64 positions[MOST_ELEMENTS], origins[MOST_ELEMENTS];
    for (u64 sort = 0; sort < SORTS; sort++)
        for (u64 i = SORT_STARTS[sort]; i < SORT_STARTS[sort + 1]; i++) {
            positions[order[i]] = i - SORT_STARTS[sort];
            origins[i] = order[i] - SORT_STARTS[sort];
        }
    permute(state, positions, origins, image);
}

/* Whether exchanging two elements of one type leaves the state as it is. */
static int twins(const u64 *state, u64 left, u64 right) {
    u64 order[MOST_ELEMENTS], image[MOST_WORDS];
    for (u64 i = 0; i < elements(); i++) order[i] = i == left ? right : i == right ? left : i;
    ordered(state, order, image);
    return compare(image, state) == 0;
}

static void keep_least(struct Search *search, const u64 *order) {
    u64 image[MOST_WORDS];
    ordered(search->state, order, image);
    if (search->found && compare(image, search->best) >= 0) return;
    for (u64 w = 0; w < WORDS; w++) search->best[w] = image[w];
    search->found = 1;
}

/* First elements in the order that share a colour: from *start to before *end. */
static int find_tie(const u64 *colours, const u64 *order, u64 *start, u64 *end) {
    for (u64 sort = 0; sort < SORTS; sort++)
        for (u64 i = SORT_STARTS[sort] + 1; i < SORT_STARTS[sort + 1]; i++) {
            if (colours[order[i]] != colours[order[i - 1]]) continue;
            for (*start = i - 1; i < SORT_STARTS[sort + 1] && colours[order[i]] == colours[order[*start]];) i++;
            *end = i;
            return 1;
        }
    return 0;
}

/* One of each set of twins among the elements of a tie. */
static u64 strangers(const u64 *state, const u64 *order, u64 start, u64 end, u64 *found) {
    u64 count = 0;
    for (u64 i = start; i < end; i++) {
        u64 known = 0;
        for (u64 k = 0; k < count && !known; k++) known = twins(state, found[k], order[i]);
        if (!known) found[count++] = order[i];
    }
    return count;
}

/* A colour for one of several elements that shared one. */
static inline u64 own_colour(u64 colour, u64 number) {
    u64 mixed = (colour ^ (number + 1) * 0x9E3779B97F4A7C15UL) * 0xBF58476D1CE4E5B9UL;
    return mixed ^ mixed >> 32;
}

/* Try the orders that the colours leave open: each stranger of the first tie as the one that is different. Where all
 * of a tie are twins, any order of theirs will do. */
static void explore(struct Search *search, const u64 *colours, const u64 *order) {
    u64 start, end, chosen[MOST_ELEMENTS], single[MOST_ELEMENTS], rearranged[MOST_ELEMENTS];
    if (!find_tie(colours, order, &start, &end)) {
        keep_least(search, order);
        return;
    }
    u64 count = strangers(search->state, order, start, end, chosen);
    for (u64 choice = 0; choice < count; choice++) {
        for (u64 i = 0; i < elements(); i++) single[i] = colours[i];
        if (count == 1)
            for (u64 i = start; i < end; i++) single[order[i]] = own_colour(colours[order[i]], i - start);
        else
            single[chosen[choice]] = own_colour(colours[chosen[choice]], 0);
        settle(search->state, single, rearranged);
        explore(search, single, rearranged);
    }
}

/* Replace a state by the representative of its orbit. */
void canonicalise_related(u64 *state) {
    struct Search search = {.state = state, .found = 0};
    u64 colours[MOST_ELEMENTS], order[MOST_ELEMENTS];
    for (u64 i = 0; i < elements(); i++) colours[i] = 0;
    settle(state, colours, order);
    explore(&search, colours, order);
    for (u64 w = 0; w < WORDS; w++) state[w] = search.best[w];
}
