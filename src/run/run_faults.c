#include "run_faults.h"

#include <stdio.h>
#include <stdlib.h>

static const char property[] = "faults";

void run_faults_begin(struct fitness *f, struct store *s)
{
    char *text = store_get(s, property);
    f->faults = engine_faults_from_text(text);
    free(text);
    snprintf(f->fault_folder, sizeof f->fault_folder, "%.1080s.faults", store_file(s));
}

bool run_faults_put(struct store *s, const struct fitness *f, struct error *err)
{
    char text[ENGINE_FAULTS_TEXT];
    return engine_faults_total(&f->faults) == 0 ||
           store_put(s, property, engine_faults_text(&f->faults, text), err);
}
