#include "outcome_words.h"

#include "night_report.h"
#include "search_params.h"
#include "space.h"

#include <string.h>

const struct outcome_kind outcome_kinds[OUTCOME_LINES] = {
    [OUTCOME_VALUES] = {"parameters", ".yaml"}, [OUTCOME_SVG] = {"plot", ".svg"},
    [OUTCOME_PNG] = {"plot", ".png"},           [OUTCOME_PAGE] = {"report", ".html"},
    [OUTCOME_PLAYS] = {"plays it", NULL},       [OUTCOME_CONFIRMS] = {"confirms it", NULL}};

const char *outcome_place(const char *path, char text[OUTCOME_PLACE])
{
    char directory[PATH_SIZE];
    if (path_directory(path, directory, NULL))
        snprintf(text, OUTCOME_PLACE, "%s/%s", shown_text(directory), shown_text(path_name(path)));
    else
        snprintf(text, OUTCOME_PLACE, "%s", shown_text(path));
    return text;
}

/* The page is written last, and names itself: it belongs to whoever has drawn a picture. Options of a UCI engine
 * play with the values. Those of ours are in a file, since the engine's own search has more parameters than a run
 * may have. */
int outcome_words(const char *store_path, const struct run_summary *s,
                  struct outcome_line lines[OUTCOME_LINES])
{
    char path[OUTCOME_PATH], values[OUTCOME_PLACE], word[SHELL_WORD];
    int count = 0;
    for (int i = OUTCOME_VALUES; i < OUTCOME_FILES && (i == OUTCOME_VALUES || count > 0); i++)
        if (outcome_path(store_path, outcome_kinds[i].ending, path, NULL) &&
            (i == OUTCOME_PAGE ? count > 1 : run_wrote(store_path, path))) {
            lines[count].kind = i;
            outcome_place(path, lines[count].text);
            count++;
        }
    if (count == 0)
        return 0;
    struct outcome_line *plays = &lines[count++], *confirms = &lines[count++];
    snprintf(values, sizeof values, "%.*s", OUTCOME_PLACE - 1, lines[OUTCOME_VALUES].text);
    plays->kind = OUTCOME_PLAYS;
    confirms->kind = OUTCOME_CONFIRMS;
    shell_word_shown(store_path, word);
    snprintf(confirms->text, sizeof confirms->text, "grayling confirm %s", word);
    if (space_is_foreign(&s->space))
        snprintf(plays->text, sizeof plays->text, "grayling export %s --format uci", word);
    else
        snprintf(plays->text, sizeof plays->text, "setoption name %s value %s",
                 search_table_of_kind(s->space.kind) != NULL ? "SearchFile" : "EvalFile", values);
    return count;
}

bool outcome_path_of_stage(const char *store_path, const struct night_stage *stage,
                           char path[OUTCOME_PATH], struct error *err)
{
    char end[STORE_STAGE + 8];
    snprintf(end, sizeof end, "-%s.yaml", stage->name);
    return outcome_path(store_path, end, path, err);
}

int outcome_words_of_night(const char *store_path, const struct night_recipe *recipe,
                           struct outcome_line lines[OUTCOME_LINES])
{
    static const char *const options[2] = {"EvalFile", "SearchFile"};
    char path[OUTCOME_PATH], places[2][OUTCOME_PLACE];
    const struct night_stage *match = NULL;
    for (int i = 0; i < recipe->stage_count; i++)
        match = recipe->stages[i].is_match ? &recipe->stages[i] : match;
    if (match == NULL)
        return 0;
    const struct night_player *p = &match->players[night_final_player(recipe, match)];
    for (int half = 0; half < 2; half++) {
        const struct night_stage *of =
            night_stage_find(recipe, half == 0 ? p->evaluation : p->search);
        if (of == NULL || !outcome_path_of_stage(store_path, of, path, NULL) ||
            !run_wrote(store_path, path))
            return 0;
        lines[half].kind = OUTCOME_PLAYS;
        snprintf(lines[half].text, sizeof lines[half].text, "setoption name %s value %s",
                 options[half], outcome_place(path, places[half]));
    }
    lines[2].kind = OUTCOME_CONFIRMS;
    snprintf(lines[2].text, sizeof lines[2].text, "grayling match %s,%s default --sprt 0,5",
             places[0], places[1]);
    return 3;
}

const char *outcome_name(const struct outcome_line *lines, int i)
{
    return i > 0 && lines[i].kind == lines[i - 1].kind ? "" : outcome_kinds[lines[i].kind].name;
}

/* ---- a run that goes on ---- */

const char *resume_words(const char *program, const char *path, char text[RESUME_WORDS])
{
    static const char ending[] = ".zst";
    const size_t length = strcspn(path, "#"), own = sizeof ending - 1;
    char word[SHELL_WORD], name[SHELL_WORD], file[PATH_SIZE];
    int written = 0;
    snprintf(file, sizeof file, "%s", path);
    if (length > own && strncmp(path + length - own, ending, own) == 0) {
        snprintf(file, sizeof file, "%.*s", (int)length, path);
        written = snprintf(text, RESUME_WORDS, "zstd -d %s && ", shell_word_shown(file, word));
        snprintf(file, sizeof file, "%.*s%s", (int)(length - own), path, path + length);
    }
    snprintf(text + written, RESUME_WORDS - (size_t)written, "%s resume %s",
             shell_word_shown(program, name), shell_word_shown(file, word));
    return text;
}
