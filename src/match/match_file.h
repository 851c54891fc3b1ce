/* The games of a match as a file of PGN, which is also what an interrupted match is taken up from.
 *
 * Games stand in the order of their numbers, and each is written out whole when it is counted.
 * Nothing in the file depends on the time or on threads (but for what a clock does to the games),
 * so that a match which was interrupted and taken up has the file of one that was not. */
#ifndef GRAYLING_MATCH_FILE_H
#define GRAYLING_MATCH_FILE_H

#include "match.h"

#include <stdio.h>

enum { MATCH_RULES_MAX = 128 };

/* Owned by the caller between begin or resume and close; a zeroed one keeps nothing. */
struct match_file {
    FILE *file;
    const char *path;          /* borrowed */
    const struct match *match; /* borrowed */
    /* Texts of tags. */
    char openings_sha256[CHECKSUM_MAX], adjudication[MATCH_RULES_MAX], hash[16], seed[24];
};

/* Creates the file; one that exists is refused, unless `force`: then it is emptied. */
bool match_file_begin(struct match_file *f, const struct match *m, const char *path, bool force,
                      struct error *err);

/* Opens the file and counts its games in the match, which has none so far; the rest of a game that
 * was cut short is cut off. Refused, the file being as it was, with what differs and where: games
 * of other players, parameters, limits, openings, seed or version, and more games than the match
 * has. Where a game can be repeated, the first moves of the first must come out the same again, so
 * that a program that plays otherwise is found out. Also refused while another process writes
 * it. */
bool match_file_resume(struct match_file *f, struct match *m, const char *path, struct error *err);

/* Appends the game of this number; does nothing where no file is kept. */
bool match_file_add(struct match_file *f, int64_t number, const struct game *g, struct error *err);

/* Accepts a zeroed one. The file stays. */
void match_file_close(struct match_file *f);

/* The checksum of what a book says: "FEN move move...", a line for each opening. */
bool match_book_checksum(const struct book *b, char text[CHECKSUM_MAX], struct error *err);

#endif
