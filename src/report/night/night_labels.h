/* The page of a night, for its sections, and the names of its stages. */
#ifndef GRAYLING_NIGHT_LABELS_H
#define GRAYLING_NIGHT_LABELS_H

#include "night_report.h"
#include "shell_word.h"

#include <stdio.h>

struct night_page {
    FILE *out;
    const struct night_report *report;
    const char *file; /* path of the night's database, as the user gave it */
};

enum { NIGHT_ID = STORE_STAGE + 16 };

/* The id of a stage's section. Elements inside the section have this id, a dot and a name; a
 * stage's name has no dot. */
const char *night_stage_id(const struct night_stage *s, char id[NIGHT_ID]);

/* The state of a run in words: "complete", "ended by its time", "stopped" ... */
const char *night_state_words(const struct night_page *p, enum night_state state);

/* "NIGHT.db#evolve-3" as a shell reads it: what a command names a run of the night by. Returns `word`. */
const char *night_run_word(const struct night_page *p, const struct night_run_summary *run,
                           char word[SHELL_WORD]);

#endif
