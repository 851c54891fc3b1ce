/* Any bytes as a FEN: refused with a reason, or a position that keeps its invariants and comes back
 * the same from its own FEN. */
#include "fuzz.h"
#include "movegen.h"

#include <assert.h>
#include <string.h>

static void check_position(const struct position *p)
{
    struct move_list list;
    struct position again;
    char fen[FEN_MAX];
    assert(position_to_fen(p, fen) < FEN_MAX);
    assert(position_from_fen(&again, fen, NULL, NULL));
    assert(memcmp(p, &again, sizeof again) == 0);
    movegen_legal(p, &list);
    assert(list.count <= MAX_MOVES && list.count == movegen_count(p));
    assert(movegen_any(p) == (list.count != 0));
    for (int i = 0; i < list.count; i++) {
        struct undo undo;
        position_make(&again, list.moves[i], &undo);
        assert(again.key == position_compute_key(&again));
        position_unmake(&again, list.moves[i], &undo);
        assert(memcmp(p, &again, sizeof again) == 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char fen[256];
    struct position p;
    struct error err = {""};
    const char *rest;
    size_t length = size < sizeof fen ? size : sizeof fen - 1;
    memcpy(fen, data, length);
    fen[length] = '\0';
    if (!position_from_fen(&p, fen, &rest, &err)) {
        assert(err.text[0] != '\0');
        assert(!position_from_fen(&p, fen, NULL, NULL));
        return 0;
    }
    assert(rest >= fen && rest <= fen + length);
    check_position(&p);
    return 0;
}
