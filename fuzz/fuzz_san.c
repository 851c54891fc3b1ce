/* A FEN, a line feed, and any bytes as a move: refused with a reason, or a legal move whose own
 * SAN and UCI texts read back as the same move. */
#include "fuzz.h"
#include "notation.h"

#include <assert.h>
#include <string.h>

static void check_move(const struct position *p, Move m)
{
    char san[SAN_MAX], uci[UCI_MAX];
    Move again;
    assert(movegen_is_legal(p, m));
    int length = move_to_san(p, m, san);
    assert(length < SAN_MAX && move_from_text(p, san, length, &again, NULL) && again == m);
    length = move_to_uci(p, m, uci);
    assert(length < UCI_MAX && move_from_text(p, uci, length, &again, NULL) && again == m);
    length = move_to_uci960(p, m, uci);
    assert(length < UCI_MAX && move_from_text(p, uci, length, &again, NULL) && again == m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[256];
    struct position p;
    struct error err = {""};
    Move m;
    size_t length = size < sizeof text ? size : sizeof text - 1;
    memcpy(text, data, length);
    text[length] = '\0';
    char *end = memchr(text, '\n', length);
    if (end == NULL)
        return 0;
    *end++ = '\0';
    if (!position_from_fen(&p, text, NULL, NULL))
        return 0;
    if (move_from_text(&p, end, (int)(text + length - end), &m, &err))
        check_move(&p, m);
    else
        assert(err.text[0] != '\0');
    return 0;
}
