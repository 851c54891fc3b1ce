#include "night_labels.h"

const char *night_stage_id(const struct night_stage *s, char id[NIGHT_ID])
{
    snprintf(id, NIGHT_ID, "stage.%s", s->name);
    return id;
}

const char *night_state_words(const struct night_page *p, enum night_state state)
{
    static const char *const words[] = {[NIGHT_WAITING] = "waiting",
                                        [NIGHT_BEGUN] = "stopped",
                                        [NIGHT_TIME] = "ended by its time",
                                        [NIGHT_COMPLETE] = "complete"};
    return state == NIGHT_BEGUN && p->report->night.running ? "running" : words[state];
}

const char *night_run_word(const struct night_page *p, const struct night_run_summary *run,
                           char word[SHELL_WORD])
{
    char name[NIGHT_PATH];
    snprintf(name, sizeof name, "%.900s#%s", p->file, run->run.name);
    return shell_word(name, word);
}
