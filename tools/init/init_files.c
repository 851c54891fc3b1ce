#include "init.h"

#include "command_line.h"
#include "engine_file.h"
#include "foreign_text.h"
#include "output.h"
#include "space_engine.h"
#include "version.h"
#include "yaml_document.h"

#include <string.h>

const char *const init_by_names[INIT_BYS + 1] = {"games", "nodes", "moves", NULL};
const char *const init_recipes[INIT_BYS] = {"games.yaml", "nodes.yaml", "moves.yaml"};

bool init_path(const struct init *x, const char *folder, const char *file, char path[PATH_SIZE],
               struct error *err)
{
    if (folder == NULL)
        folder = x->scratch.folder;
    return snprintf(path, PATH_SIZE, "%s/%s", folder, file) < PATH_SIZE ||
           error_set(err, "%s: the path is too long", folder);
}

static void print_recipe(FILE *out, void *context)
{
    const struct init *x = context;
    const struct game_limits *l = &x->limits;
    char name[64], limit[64]; /* the name of a run has at most 63 bytes */
    fprintf(out,
            "# %s by %s, for %g hours with %d threads. Written by grayling init " GRAYLING_VERSION
            ".\n",
            x->name, init_by_names[x->by], x->hours, x->threads);
    snprintf(name, sizeof name, "%.40s-%s", path_name(x->folder), init_by_names[x->by]);
    fputs("name: ", out);
    yaml_write_text(out, name);
    putc('\n', out);
    if (l->nodes > 0)
        snprintf(limit, sizeof limit, "limit: %llu", (unsigned long long)l->nodes);
    else if (l->depth > 0)
        snprintf(limit, sizeof limit, "depth: %d", l->depth);
    else if (l->movetime > 0)
        snprintf(limit, sizeof limit, "movetime: %lld", (long long)l->movetime);
    else
        snprintf(limit, sizeof limit, "tc: %g+%g", (double)l->time / 1000,
                 (double)l->increment / 1000);
    if (x->by == BY_GAMES)
        fprintf(out,
                "phase: games\nspace: space.yaml\ndata: {openings: openings}\n"
                "fitness:\n  mates: yes\n  %s\n  games: 4\n  start_games: 4\n  hash: %d\n"
                "  win_score: 800\n  draw_score: 10\noptimiser: {kind: spsa}\n",
                limit, x->hash);
    else if (x->by == BY_NODES)
        fprintf(out,
                "phase: search\nspace: space.yaml\n"
                "data: {train: [tactics-train], held_out: [tactics-held-out]}\n"
                "fitness: {limit: 30000, hash: %d}\n",
                x->hash);
    else
        fputs("phase: evaluation\nspace: space.yaml\n"
              "data: {train: [train-1], held_out: [held-out]}\nfitness: {measure: move_match}\n",
              out);
    fprintf(out, "ga:\n  population: %d\n  generations: %d\n  start: defaults\n", x->population,
            x->generations);
    if (x->by != BY_GAMES)
        fprintf(out,
                "  elitism: 2\n  selection: {kind: tournament, size: %d}\n  mutation: {rate: %s}\n",
                x->by == BY_NODES ? 3 : 4, x->by == BY_NODES ? "0.015" : "0.001");
}

static void print_readme(FILE *out, void *context)
{
    const struct init *x = context;
    char path[PATH_SIZE], recipe[SHELL_WORD], run[SHELL_WORD];
    snprintf(path, sizeof path, "%.900s/%s", x->folder, init_recipes[x->by]);
    shell_word(path, recipe);
    snprintf(path, sizeof path, "%.900s/tuned.db", x->folder);
    shell_word(path, run);
    fprintf(out, "# %s, tuned by %s\n\n", x->name, init_by_names[x->by]);
    fputs("From the folder in which `grayling init` was called:\n\n", out);
    fprintf(out, "    grayling evolve %s -o %s --hours %g --trust\n", recipe, run, x->hours);
    fprintf(out, "    grayling status %s\n", run);
    fprintf(out, "    grayling confirm %s%s\n\n", run, x->by == BY_MOVES ? "" : " --play");
    fprintf(out,
            "The first runs the recipe; stop it with Ctrl-C, and `grayling resume` goes on. The "
            "second says how far it is, and `grayling report` writes a page. The third compares "
            "what was found with the defaults. `space.yaml` has the parameters that may change: "
            "delete those that should not before you begin. Then `grayling evolve %s --dry-run` "
            "tells what the games can find.\n",
            recipe);
}

bool init_write(struct init *x, const char *folder, struct error *err)
{
    char space[PATH_SIZE], recipe[PATH_SIZE], readme[PATH_SIZE];
    fflush(x->notes);
    return init_path(x, folder, "space.yaml", space, err) &&
           init_path(x, folder, init_recipes[x->by], recipe, err) &&
           init_path(x, folder, "README.md", readme, err) &&
           space_file_write(space, &x->space, x->comment, err) &&
           output_write(recipe, print_recipe, x, err) &&
           (folder == NULL || output_write(readme, print_readme, x, err));
}
