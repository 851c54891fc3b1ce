/* Build step: compiles the default opening book, a book of positions, into C.
 *
 *   gen_book BOOK.epd OUT.c */
#include "opening.h"

#include <stdio.h>
#include <stdlib.h>

/* Writes the positions as FENs. Fails if an opening has moves, since FENs hold none. */
static bool write_openings(FILE *out, const struct book *b, struct error *err)
{
    char fen[FEN_MAX];
    fputs("#include \"default_params.h\"\n\nconst char *const default_openings[] = {\n", out);
    for (size_t i = 0; i < b->count; i++) {
        if (b->items[i].plies > 0)
            return error_set(err, "an opening with moves; expected positions");
        position_to_fen(&b->items[i].start, fen);
        fprintf(out, "    \"%s\",\n", fen);
    }
    fprintf(out, "};\nconst size_t default_opening_count = %zu;\n", b->count);
    return true;
}

int main(int argc, char **argv)
{
    struct error err;
    struct book book = {0};
    FILE *out = argc == 3 ? fopen(argv[2], "w") : NULL;
    if (out == NULL) {
        fputs("usage: gen_book BOOK.epd OUT.c\n", stderr);
        return EXIT_FAILURE;
    }
    bool written = book_read(&book, argv[1], 1, &err) && write_openings(out, &book, &err);
    if (!written)
        fprintf(stderr, "gen_book: %s\n", err.text);
    book_free(&book);
    return fclose(out) == 0 && written ? EXIT_SUCCESS : EXIT_FAILURE;
}
