#include "night_recipe.h"

#include "opening.h"
#include "text_stream.h"
#include "yaml_document.h"

#include <stdlib.h>
#include <string.h>

/* ---- names of stages and their runs ---- */

int night_stage_runs(const struct night_stage *s)
{
    return s->is_match ? 1 : s->runs;
}

void night_run_name(const struct night_stage *s, int index, char name[STORE_STAGE])
{
    if (night_stage_runs(s) > 1)
        snprintf(name, STORE_STAGE, "%.19s-%d", s->name, index + 1);
    else
        snprintf(name, STORE_STAGE, "%s", s->name);
}

const struct night_stage *night_stage_find(const struct night_recipe *night, const char *name)
{
    for (int i = 0; i < night->stage_count; i++)
        if (strcmp(night->stages[i].name, name) == 0)
            return &night->stages[i];
    return NULL;
}

bool night_stage_learns(const struct night_stage *stage, const struct night_stage *match)
{
    for (int i = 0; i < stage->result_count; i++)
        if (strcmp(stage->results[i], match->name) == 0)
            return true;
    return false;
}

bool night_book_games(const char *path, size_t *games, struct error *err)
{
    struct book book;
    if (!book_read(&book, path, NIGHT_BOOK_PLIES, err))
        return false;
    *games = 2 * book.count;
    book_free(&book);
    return true;
}

void night_recipe_free(struct night_recipe *night)
{
    for (int i = 0; i < night->stage_count; i++)
        free(night->stages[i].recipe);
    free(night->stages);
    *night = (struct night_recipe){0};
}

/* ---- files ---- */

/* True if the evaluation or search of a player is a file. */
static bool is_file(const struct night_recipe *night, const char *half)
{
    return strcmp(half, NIGHT_RANDOM) != 0 && strcmp(half, NIGHT_PLAIN) != 0 &&
           night_stage_find(night, half) == NULL;
}

bool night_match_each_file(const struct night_recipe *night, struct night_stage *s,
                           recipe_visit *visit, void *context, struct error *err)
{
    if (!visit(context, "openings", s->openings, err))
        return false;
    for (int i = 0; i < s->player_count; i++) {
        struct night_player *p = &s->players[i];
        if ((is_file(night, p->evaluation) && !visit(context, "evaluation", p->evaluation, err)) ||
            (is_file(night, p->search) && !visit(context, "search", p->search, err)))
            return false;
    }
    return true;
}

bool night_recipe_each_file(struct night_recipe *night, recipe_visit *visit, void *context,
                            struct error *err)
{
    for (int i = 0; i < night->stage_count; i++) {
        struct night_stage *s = &night->stages[i];
        if (s->is_match ? !night_match_each_file(night, s, visit, context, err)
                        : !recipe_each_file(s->recipe, visit, context, err))
            return false;
    }
    return true;
}

/* ---- the recipe as a text ---- */

void night_recipe_write_block(FILE *out, int indent, const char *text)
{
    fprintf(out, "%*srecipe: |\n", indent, "");
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        fprintf(out, "%*s%.*s\n", indent + 2, "", (int)length, text);
        text += length + (text[length] == '\n');
    }
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
    char *text = recipe_text(s->recipe);
    if (text != NULL)
        night_recipe_write_block(out, 4, text);
    free(text);
    return text != NULL;
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
