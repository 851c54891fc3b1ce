/* The games of a match as a PGN file, from which an interrupted match resumes.
 *
 * Games are in the order of their numbers. Each is written completely when it is counted. Without a
 * clock the file depends neither on time nor on threads, so a resumed match writes the same file as
 * an uninterrupted one. */
#ifndef GRAYLING_MATCH_FILE_H
#define GRAYLING_MATCH_FILE_H

#include "match.h"

#include <stdio.h>

enum { MATCH_RULES_MAX = 128 };

/* Owned by the caller between begin or resume and close. A zeroed file writes nothing. */
struct match_file {
    FILE *file;
    const char *path;          /* borrowed */
    const struct match *match; /* borrowed */
    /* Values of tags. */
    char openings_sha256[CHECKSUM_MAX], adjudication[MATCH_RULES_MAX], hash[16], seed[24];
};

/* Creates the file. An existing file is an error, unless `force` truncates it. */
bool match_file_begin(struct match_file *f, const struct match *m, const char *path, bool force,
                      struct error *err);

/* Opens the file and counts its games in the match, which must not have any yet. Removes an
 * incomplete last game. Fails, leaving the file unchanged, if the games have other players,
 * parameters, limits, openings, seed or version, or are more than the match has; the reason names
 * the difference and its place. If games can be repeated, replays the first moves of the first
 * game, to detect a program that plays differently. Also fails while another process writes the
 * file. */
bool match_file_resume(struct match_file *f, struct match *m, const char *path, struct error *err);

/* Appends game `number`. Does nothing for a zeroed file. */
bool match_file_add(struct match_file *f, int64_t number, const struct game *g, struct error *err);

/* Closes the file and keeps it. Accepts a zeroed one. */
void match_file_close(struct match_file *f);

/* Checksum of a book's contents: one line "FEN move move..." per opening. */
bool match_book_checksum(const struct book *b, char text[CHECKSUM_MAX], struct error *err);

#endif
