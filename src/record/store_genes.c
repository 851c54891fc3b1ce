/* The genes of a run, which are read in one pass: texts are appended to one stream, and get their
 * addresses when all of them are there. */
#include "command_line.h"
#include "foreign_text.h"
#include "store_internal.h"
#include "text_stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The first columns of the query are texts. */
enum { NAME, MEANING, ACTIVE_IF, CHOICES, TEXTS, ROWS_AT_FIRST = 64 };

struct gene_list {
    struct param *genes;
    size_t count, room;
    FILE *texts; /* TEXTS of each gene, then those of the table, each with its NUL */
    char *bytes;
    size_t size;
};

static void keep_text(struct gene_list *list, const char *text)
{
    fwrite(text, 1, strlen(text) + 1, list->texts);
}

/* Adds the gene of a row. A text that the row has is set, to be replaced by its address. */
static bool add_gene(struct gene_list *list, sqlite3_stmt *st)
{
    if (list->count == list->room) {
        size_t room = list->room == 0 ? ROWS_AT_FIRST : 2 * list->room;
        struct param *genes = realloc(list->genes, room * sizeof *genes);
        if (genes == NULL)
            return false;
        list->genes = genes;
        list->room = room;
    }
    list->genes[list->count++] = (struct param){
        .active_if = sqlite3_column_type(st, ACTIVE_IF) == SQLITE_NULL ? NULL : "",
        .choices = sqlite3_column_type(st, CHOICES) == SQLITE_NULL ? NULL : "",
        .bits = sqlite3_column_int(st, 4),
        .min = sqlite3_column_int(st, 5),
        .max = sqlite3_column_int(st, 6),
        .initial = sqlite3_column_int(st, 7),
        .sign = sqlite3_column_int(st, 8),
        .type = (enum param_type)sqlite3_column_int(st, 9),
        .step = sqlite3_column_int(st, 10),
        .decimals = sqlite3_column_int(st, 11),
    };
    for (int column = 0; column < TEXTS; column++)
        keep_text(list, store_text(st, column));
    return true;
}

/* Reads all genes, and the texts of their table. */
static bool read_all(struct store *s, struct gene_list *list, char *const own[3], struct error *err)
{
    bool good = true;
    struct store_rows r = store_query(
        s,
        "SELECT name, meaning, active_if, nullif(choices, ''), bits, min, max, initial, "
        "sign, type, step, decimals FROM gene WHERE run_id = ?1 ORDER BY idx",
        NULL);
    while (good && store_next_row(&r))
        good = add_gene(list, r.row) || error_set(err, "no memory for the genes of %s", s->path);
    for (int i = 0; i < 3; i++)
        keep_text(list, own[i] == NULL ? "" : own[i]);
    return store_end_rows(&r, err) && good;
}

/* Puts the command as it is seen from anywhere in the place of the kept one, if there is one. */
static bool place_command(struct store *s, char **command, struct error *err)
{
    if (*command == NULL)
        return true;
    char *placed = command_of_file_anywhere(s->path, *command, err);
    free(*command);
    *command = placed;
    return placed != NULL || error_prefix(err, "%s: ", s->path);
}

/* Returns the text at `*at`, or NULL if there should be none, and moves on to the next. */
static const char *take_text(char **at, bool present)
{
    const char *text = *at;
    *at += strlen(text) + 1;
    return present ? text : NULL;
}

/* Gives the genes of a table the addresses of their texts, and checks them. */
static bool place_texts(struct param_table *space, struct param *genes, char *texts,
                        struct error *err)
{
    for (int i = 0; i < space->count; i++) {
        genes[i].name = take_text(&texts, true);
        genes[i].meaning = take_text(&texts, true);
        genes[i].active_if = take_text(&texts, genes[i].active_if != NULL);
        genes[i].choices = take_text(&texts, genes[i].choices != NULL);
        if (!param_check(&genes[i], err))
            return error_prefix(err, "gene %d: ", i);
    }
    space->kind = take_text(&texts, true);
    space->command = take_text(&texts, space->command != NULL);
    space->plays = take_text(&texts, space->plays != NULL);
    const char *const own[] = {space->kind, space->command, space->plays};
    for (int i = 0; i < 3; i++)
        if (own[i] != NULL && !foreign_text_is_clean(own[i]))
            return error_set(err, "'%s' is not visible UTF-8 on one line", own[i]);
    return true;
}

/* Makes one block of the list, which is complete: the genes, then the texts. */
static struct param *make_block(struct store *s, const struct gene_list *list,
                                struct param_table *space, struct error *err)
{
    const size_t size = list->count * sizeof *list->genes;
    struct param *genes = malloc(size + list->size);
    if (genes == NULL || list->bytes == NULL) {
        free(genes);
        error_set(err, "no memory for the genes of %s", s->path);
        return NULL;
    }
    char *texts = (char *)(genes + list->count);
    memcpy(texts, list->bytes, list->size);
    if (list->count > 0)
        memcpy(genes, list->genes, size);
    space->params = genes;
    space->count = (int)list->count;
    if (place_texts(space, genes, texts, err))
        return genes;
    error_prefix(err, "%s is damaged: ", s->path);
    free(genes);
    return NULL;
}

void *store_get_genes(struct store *s, struct param_table *space, struct error *err)
{
    struct gene_list list = {.count = 0};
    char *own[] = {store_get(s, "kind"), store_get(s, "command"), store_get(s, "plays")};
    list.texts = text_stream(&list.bytes, &list.size);
    bool read = list.texts != NULL
                    ? place_command(s, &own[1], err) && place_command(s, &own[2], err) &&
                          read_all(s, &list, own, err)
                    : error_set(err, "no memory for the genes of %s", s->path);
    bool whole = list.texts != NULL && !ferror(list.texts);
    if (list.texts != NULL && fclose(list.texts) != 0)
        whole = false;
    *space = (struct param_table){.command = own[1] == NULL ? NULL : "",
                                  .plays = own[2] == NULL ? NULL : ""};
    if (read && !whole)
        read = error_set(err, "no memory for the genes of %s", s->path);
    if (read && list.count > 0 && own[0] == NULL)
        read = error_set(err, "%s is damaged: it does not say of what kind its genes are", s->path);
    struct param *genes = read ? make_block(s, &list, space, err) : NULL;
    free(list.genes);
    free(list.bytes);
    for (int i = 0; i < 3; i++)
        free(own[i]);
    return genes;
}
