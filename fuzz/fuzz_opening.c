/* Any bytes as an opening book: refused with a reason, or openings of legal moves, after which a game goes
 * on, no two of which end alike. The first byte is the number of plies to take. */
#include "fuzz.h"
#include "memory_file.h"
#include "movegen.h"
#include "opening.h"

#include <assert.h>

static void check_opening(const struct opening *o, int plies)
{
    struct position p = o->start;
    struct undo undo;
    assert(o->plies >= 0 && o->plies <= plies);
    for (int i = 0; i < o->plies; i++) {
        assert(movegen_is_legal(&p, o->moves[i]));
        position_make(&p, o->moves[i], &undo);
    }
    assert(movegen_count(&p) > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct memory_file file;
    struct error err = {""};
    struct book book;
    if (size == 0)
        return 0;
    int plies = 1 + data[0] % OPENING_PLIES;
    memory_file_write(&file, data + 1, size - 1);
    if (book_read(&book, file.path, plies, &err)) {
        assert(book.count > 0);
        for (size_t i = 0; i < book.count; i++)
            check_opening(&book.items[i], plies);
    } else
        assert(err.text[0] != '\0' && book.count == 0);
    book_free(&book);
    return 0;
}
