#include "night_recipe.h"
#include "text_stream.h"
#include "yaml_document.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void night_recipe_write_block(FILE *out, int indent, const char *text)
{
    fprintf(out, "%*srecipe: |\n", indent, "");
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        fprintf(out, "%*s%.*s\n", indent + 2, "", (int)length, text);
        text += length + (text[length] == '\n');
    }
}

/* Writes a stage's recipe. */
static bool write_recipe(FILE *out, const struct recipe *recipe)
{
    char *text = recipe_text(recipe);
    if (text != NULL)
        night_recipe_write_block(out, 4, text);
    free(text);
    return text != NULL;
}

static bool write_run(FILE *out, const struct night_stage *s)
{
    fprintf(out, "    runs: %d\n    evolves: %s\n", s->runs,
            s->evolves_evaluation ? "evaluation" : "search");
    if (s->seeds[0] != '\0')
        fprintf(out, "    seeds: %s\n", s->seeds);
    if (s->evaluation[0] != '\0')
        fprintf(out, "    evaluation: %s\n", s->evaluation);
    if (s->search[0] != '\0')
        fprintf(out, "    search: %s\n", s->search);
    for (int i = 0; i < s->result_count; i++)
        fprintf(out, "%s%s%s", i == 0 ? "    results: [" : ", ", s->results[i],
                i + 1 == s->result_count ? "]\n" : "");
    return write_recipe(out, s->recipe);
}

static void write_match(FILE *out, const struct night_stage *s)
{
    fprintf(out, "    games: %d\n    limit: %d\n    hash: %d\n", s->games, s->limit, s->hash);
    if (s->win_score > 0)
        fprintf(out, "    win_score: %d\n", s->win_score);
    if (s->keeps)
        fputs("    keep: yes\n", out);
    fputs("    openings: ", out);
    yaml_write_text(out, s->openings);
    fputs("\n    players:\n", out);
    for (int i = 0; i < s->player_count; i++) {
        fputs("      ", out);
        yaml_write_text(out, s->players[i].name);
        fputs(": {evaluation: ", out);
        yaml_write_text(out, s->players[i].evaluation);
        fputs(", search: ", out);
        yaml_write_text(out, s->players[i].search);
        fputs("}\n", out);
    }
}

char *night_recipe_text(const struct night_recipe *night)
{
    char *text = NULL;
    size_t size;
    FILE *out = text_stream(&text, &size);
    if (out == NULL)
        return NULL;
    fputs("name: ", out);
    yaml_write_text(out, night->name);
    fprintf(out, "\nphase: night\nseed: %llu\nhours: %.15g\nstages:\n",
            (unsigned long long)night->seed, night->hours);
    bool written = true;
    for (int i = 0; i < night->stage_count; i++) {
        const struct night_stage *s = &night->stages[i];
        fprintf(out, "  %s:\n    share: %.15g\n", s->name, s->share);
        if (s->is_match)
            write_match(out, s);
        else
            written = write_run(out, s) && written;
    }
    if (fclose(out) == 0 && written)
        return text;
    free(text);
    return NULL;
}
