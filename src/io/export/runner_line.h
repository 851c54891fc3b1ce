/* The command line of a match runner that plays values against the defaults of their engine. */
#ifndef GRAYLING_RUNNER_LINE_H
#define GRAYLING_RUNNER_LINE_H

#include "error.h"
#include "param.h"
#include "uci_client.h"

#include <stdio.h>

enum match_runner { RUNNER_FASTCHESS, RUNNER_CUTECHESS, MATCH_RUNNERS };

/* What is played. All is borrowed. */
struct runner_match {
    const char *command; /* of the engine, as a user writes it */
    /* Options: of the player with the values, of the other, of both. */
    struct uci_values values, defaults, both;
    const char *name;     /* of the player with these values; the other is NAME-defaults */
    const char *limits;   /* of both players: "tc=8+0.08", "tc=inf nodes=2000", "st=0.1" */
    const char *openings; /* an EPD file */
    bool chess960;        /* with openings of Chess960 */
    const char *games;    /* PGN, to write */
    int pairs;            /* of games; 0: as many as the sequential test needs */
    uint64_t seed;        /* of the openings' order; 0: any */
    double elo0, elo1;    /* logistic, of the sequential test, with errors of 5 % */
    int threads;
};

/* Writes it for a shell, on lines that end with a backslash. False with the reason if invalid. */
bool runner_line_write(FILE *out, enum match_runner runner, const struct runner_match *m,
                       struct error *err);

/* Writes a space and a word as a shell reads it: quoted if it must be. */
void runner_line_word(FILE *out, const char *word);

#endif
