/* The games of a match as a PGN file, from which an interrupted match resumes. A file may hold several matches, one
 * after another.
 *
 * Games are in the order of their numbers. Each is written completely when it is counted. Without a clock the file
 * depends neither on time nor on threads, so a resumed match writes the same file as an uninterrupted one. */
#ifndef GRAYLING_MATCH_FILE_H
#define GRAYLING_MATCH_FILE_H

#include "match.h"

#include <stdio.h>

enum { MATCH_LOG_PATH = 4096 };

/* Owned by the caller between open and close. A zeroed file writes nothing. */
struct match_file {
    FILE *file;
    const char *path;          /* borrowed */
    const struct match *match; /* borrowed: the current one */
    char openings_sha256[CHECKSUM_MAX];
    /* The part of the file that has been read. */
    bool reading;             /* more may follow */
    off_t end;                /* of the last game that is counted */
    long line;                /* number of lines up to there */
    struct pgn_reader *games; /* owned: the moves of the games that follow */
};

enum match_file_mode {
    MATCH_FILE_NEW,     /* a file that exists is an error */
    MATCH_FILE_OVER,    /* a file that exists is overwritten; a link is replaced by the file */
    MATCH_FILE_RESUMES, /* it goes on */
};

/* Opens a file, which is closed even if this fails. Call match_file_next for each of its matches, in their order. */
bool match_file_open(struct match_file *f, const char *path, enum match_file_mode mode,
                     struct error *err);

/* Goes on with the next match, once the one before is over. Of a file that goes on, counts the games of the
 * match, which must not have any yet, and failures of players; games of other matches may follow unless it
 * is the `last`. Removes an incomplete last game. Fails, leaving the file unchanged, if the games have other
 * players, parameters, limits, openings, seed or version, or are more than the match has; the reason names
 * the difference and its place. If games can be repeated, replays the first moves of the first game, to
 * detect a program that plays differently. Also fails while another process writes the file. */
bool match_file_next(struct match_file *f, struct match *m, bool last, struct error *err);

/* Appends game `number`. If a player failed in it, appends the reason and the log of its process to
 * the file of match_file_log. Does nothing for a zeroed file. */
bool match_file_add(struct match_file *f, int64_t number, const struct game *g, struct error *err);

/* The path of the file for failures, beside the games: "games.pgn.failures". */
void match_file_log(const char *path, char log[MATCH_LOG_PATH]);

/* Closes the file and keeps it. Accepts a zeroed one. */
void match_file_close(struct match_file *f);

#endif
