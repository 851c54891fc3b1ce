#include "default_book.h"

#include <stdlib.h>

bool default_book_read(struct book *b, struct error *err)
{
    *b = (struct book){.items = calloc(default_opening_count, sizeof *b->items)};
    if (b->items == NULL)
        return error_set(err, "no memory for %zu openings", default_opening_count);
    for (; b->count < default_opening_count; b->count++)
        if (!position_from_fen(&b->items[b->count].start, default_openings[b->count], NULL, err)) {
            book_free(b);
            return false;
        }
    return true;
}
