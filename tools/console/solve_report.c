#include "solve_report.h"

#include "foreign_text.h"
#include "format.h"
#include "json.h"
#include "statistics.h"
#include "terminal.h"
#include "version.h"

#include <inttypes.h>
#include <string.h>

enum { NAME_WIDTH_MAX = 40, TEXT_MAX = 128 };

/* ---- common to the three formats ---- */

static const struct solve_job *job_of(const struct solve_report *r)
{
    return r->table->job;
}

const char *solve_report_count(const struct suite *suite, char *text, size_t size)
{
    char positions[COUNTED_MAX];
    int used = snprintf(text, size, "%s",
                        format_things((int64_t)suite->positions.count, "position", positions));
    if (suite->left_out_count > 0)
        snprintf(text + used, size - (size_t)used, ", %zu left out", suite->left_out_count);
    return text;
}

/* "500,000 nodes", "12 plies", "1,000 ms" */
static const char *limit_text(const struct solve_limits *l, char text[TEXT_MAX])
{
    char number[FORMAT_MAX];
    if (l->nodes > 0)
        snprintf(text, TEXT_MAX, "%s nodes", format_count((int64_t)l->nodes, number));
    else if (l->depth > 0)
        snprintf(text, TEXT_MAX, "%d %s", l->depth, l->depth == 1 ? "ply" : "plies");
    else
        snprintf(text, TEXT_MAX, "%s ms", format_count(l->movetime, number));
    return text;
}

/* "search beal2, ": the search, unless it is the engine's. */
static const char *search_text(const struct solve_report *r, char text[TEXT_MAX])
{
    const struct search_method *m = job_of(r)->method;
    text[0] = '\0';
    if (m != &engine_search_method)
        snprintf(text, TEXT_MAX, "search %s, ", m->name);
    return text;
}

/* A search of the table, with its position and parameters. */
struct row {
    size_t position;
    const struct epd *epd;
    long line;
    const char *name; /* of the parameters */
    const struct solved *solved;
    char move[SAN_MAX];
};

static struct row row_of(const struct solve_report *r, size_t number)
{
    size_t sets = (size_t)job_of(r)->set_count, position = number / sets;
    struct row row = {.position = position,
                      .epd = &r->suite->positions.items[position],
                      .line = r->suite->lines[position],
                      .name = r->names[number % sets],
                      .solved = &r->table->cells[number]};
    if (row.solved->best != NO_MOVE)
        move_to_san(&row.epd->position, row.solved->best, row.move);
    return row;
}

/* ---- the table ---- */

/* The width of a column with these texts, at most NAME_WIDTH_MAX. */
static int wider(int width, const char *text)
{
    int length = utf8_columns(text);
    length = length < NAME_WIDTH_MAX ? length : NAME_WIDTH_MAX;
    return length > width ? length : width;
}

/* Writes a name as a column. What is too long keeps its end, since the ends of paths differ. */
static void print_name(FILE *out, const char *name, int width)
{
    const char *shown = shown_text(name);
    while (utf8_columns(shown) > width || ((unsigned char)*shown & 0xc0) == 0x80)
        shown++; /* to the beginning of a character */
    foreign_text_column(out, shown, width);
}

static int names_width(const struct solve_report *r)
{
    int width = (int)strlen("parameters");
    for (int i = 0; i < job_of(r)->set_count; i++)
        width = wider(width, r->names[i]);
    return width;
}

/* The id of a position, or its line. */
static const char *position_name(const struct epd *epd, long line, char text[TEXT_MAX])
{
    if (epd->id[0] != '\0')
        return epd->id;
    snprintf(text, TEXT_MAX, "line %ld", line);
    return text;
}

static int positions_width(const struct solve_report *r)
{
    char text[TEXT_MAX];
    int width = (int)strlen("position");
    for (size_t i = 0; i < r->suite->positions.count; i++)
        width =
            wider(width, position_name(&r->suite->positions.items[i], r->suite->lines[i], text));
    return width;
}

/* "   12,345   5    0.004", or dashes if the search never found a right move. */
static void print_moment(FILE *out, const struct solve_moment *m)
{
    char nodes[FORMAT_MAX];
    if (m->nodes == 0)
        fprintf(out, "  %13s" COLUMN(7) " %5s %8s", "-", "-", "-");
    else
        fprintf(out, "  %13s" COLUMN(7) " %5d %8.3f", format_count((int64_t)m->nodes, nodes),
                m->depth, m->seconds);
}

/* "  +0.31" in pawns, "  #-5" for a mate. */
static void print_score(FILE *out, int32_t score)
{
    int mate = score_mate_moves(score);
    char text[TEXT_MAX];
    if (mate != 0)
        snprintf(text, sizeof text, "#%d", mate);
    else
        snprintf(text, sizeof text, "%+.2f", score / 100.0);
    fprintf(out, COLUMN(2) " %8s", text);
}

/* Prints a line for each search. */
static void print_searches(FILE *out, const void *context)
{
    const struct solve_report *r = context;
    int width = positions_width(r), names = names_width(r);
    fprintf(out,
            "%-*s" COLUMN(3) "  %-*s" COLUMN(1) "  %-7s" COLUMN(2) " %8s" COLUMN(4) " %5s" COLUMN(
                5) "  %13s" COLUMN(7) " %5s %8s" COLUMN(6) "  %13s" COLUMN(7) " %5s %8s\n",
            width, "position", names, "parameters", "move", "score", "depth", "first: nodes",
            "depth", "seconds", "stable: nodes", "depth", "seconds");
    for (size_t i = 0; i < r->table->count; i++) {
        char text[TEXT_MAX];
        struct row row = row_of(r, i);
        foreign_text_column(out, position_name(row.epd, row.line, text), width);
        fputs(COLUMN(3) "  ", out);
        print_name(out, row.name, names);
        fprintf(out, COLUMN(1) "  %-7s", row.move);
        print_score(out, row.solved->score);
        fprintf(out, COLUMN(4) " %5d" COLUMN(5), row.solved->depth);
        print_moment(out, &row.solved->first);
        fputs(COLUMN(6), out);
        print_moment(out, &row.solved->stable);
        fputc('\n', out);
    }
}

/* The table of one of the two counts. */
struct summaries {
    const struct solve_report *report;
    enum solve_count count;
};

/* Prints the results of all sets. */
static void print_summaries(FILE *out, const void *context)
{
    const struct summaries *all = context;
    const struct solve_report *r = all->report;
    char total[FORMAT_MAX], mean[FORMAT_MAX], median[FORMAT_MAX];
    int width = names_width(r);
    int64_t positions = (int64_t)job_of(r)->position_count;
    fprintf(out,
            "%-*s" COLUMN(1) "  %6s" COLUMN(2) "  %6s  " COLUMN(4) " %-16s" COLUMN(
                5) "  %15s" COLUMN(3) "  %11s" COLUMN(6) "  %11s\n",
            width, "parameters", "solved", "share", "95 % interval", "nodes", "mean", "median");
    for (int i = 0; i < job_of(r)->set_count; i++) {
        struct solve_summary s = solve_table_summary(r->table, i, all->count);
        struct interval share = interval_wilson(s.solved, positions, 0.95);
        print_name(out, r->names[i], width);
        fprintf(
            out,
            COLUMN(1) "  %6" PRId64 COLUMN(2) "  %6.2f %%" COLUMN(4) "  %5.2f to %6.2f %%" COLUMN(
                5) "  %15s" COLUMN(3) "  %11s" COLUMN(6) "  %11s\n",
            s.solved, 100 * share.share, 100 * share.low, 100 * share.high,
            format_count((int64_t)s.total, total), format_count((int64_t)(s.mean + 0.5), mean),
            format_count((int64_t)(s.median + 0.5), median));
    }
}

/* Prints the nodes and the time of each set's searches. */
static void print_efforts(FILE *out, const struct solve_report *r)
{
    char nodes[FORMAT_MAX], time[FORMAT_MAX];
    int width = names_width(r);
    for (int i = 0; i < job_of(r)->set_count; i++) {
        struct solve_effort e = solve_table_effort(r->table, i);
        print_name(out, r->names[i], width);
        fprintf(out, "  %s nodes in %s of search, %.2f million a second\n",
                format_count((int64_t)e.nodes, nodes), format_duration(e.seconds, time),
                e.seconds > 0 ? (double)e.nodes / e.seconds * 1e-6 : 0.0);
    }
}

void solve_report_table(FILE *out, void *context)
{
    static const char *const meanings[SOLVE_COUNTS] = {
        [SOLVE_FIRST] = "first: until a right move first became best",
        [SOLVE_STABLE] = "stable: until a right move became best and stayed best to the end"};
    const struct solve_report *r = context;
    char count[TEXT_MAX], limit[TEXT_MAX], search[TEXT_MAX];
    fprintf(out, "%s: %s; %s each, %shash %d MiB, evaluation %s\n\n", shown_text(r->suite_path),
            solve_report_count(r->suite, count, sizeof count),
            limit_text(&job_of(r)->limits, limit), search_text(r, search), job_of(r)->hash_mib,
            shown_text(r->eval_name));
    if (r->verbose) {
        terminal_table(out, print_searches, r);
        fputc('\n', out);
    }
    for (enum solve_count c = 0; c < SOLVE_COUNTS; c++) {
        fprintf(out, "%s\n", meanings[c]);
        terminal_table(out, print_summaries, &(struct summaries){r, c});
        fputc('\n', out);
    }
    fputs("searched\n", out);
    print_efforts(out, r);
}

/* ---- CSV ---- */

static void print_csv_moment(FILE *out, const struct solve_moment *m)
{
    if (m->nodes == 0)
        fputs(",,,", out);
    else
        fprintf(out, ",%" PRIu64 ",%d,%.6f", m->nodes, m->depth, m->seconds);
}

static void print_csv_row(FILE *out, const struct row *row)
{
    const struct solved *s = row->solved;
    int mate = score_mate_moves(s->score);
    fprintf(out, "%zu,%ld,", row->position + 1, row->line);
    csv_text(out, row->epd->id);
    fputc(',', out);
    csv_text(out, row->name);
    fprintf(out, ",%s,", row->move);
    if (mate == 0)
        fprintf(out, "%" PRId32 ",", s->score);
    else
        fprintf(out, ",%d", mate);
    fprintf(out, ",%d,%" PRIu64 ",%.6f", s->depth, s->nodes, s->seconds);
    print_csv_moment(out, &s->first);
    print_csv_moment(out, &s->stable);
    fputc('\n', out);
}

/* Prints a line with the settings, and one for each set and count. */
static void print_csv_head(FILE *out, const struct solve_report *r)
{
    const struct solve_job *job = job_of(r);
    char count[TEXT_MAX], limit[TEXT_MAX], search[TEXT_MAX];
    fprintf(out,
            "# grayling %s solve %s: %s (sha256 %s); %s each, %shash %d MiB, evaluation "
            "%s\n",
            GRAYLING_VERSION, shown_text(r->suite_path),
            solve_report_count(r->suite, count, sizeof count), r->suite_checksum,
            limit_text(&job->limits, limit), search_text(r, search), job->hash_mib,
            shown_text(r->eval_name));
    for (int i = 0; i < job->set_count; i++)
        for (enum solve_count c = 0; c < SOLVE_COUNTS; c++) {
            struct solve_summary s = solve_table_summary(r->table, i, c);
            fprintf(out,
                    "# %s, %s: %" PRId64 " of %zu solved, %" PRIu64 " nodes, mean %.1f, median "
                    "%.1f\n",
                    shown_text(r->names[i]), solve_count_name(c), s.solved, job->position_count,
                    s.total, s.mean, s.median);
        }
}

void solve_report_csv(FILE *out, void *context)
{
    const struct solve_report *r = context;
    print_csv_head(out, r);
    fputs("position,line,id,parameters,move,score,mate,depth,nodes,seconds,"
          "first_nodes,first_depth,first_seconds,stable_nodes,stable_depth,stable_seconds\n",
          out);
    for (size_t i = 0; i < r->table->count; i++) {
        struct row row = row_of(r, i);
        print_csv_row(out, &row);
    }
}

/* ---- JSON ---- */

static void print_json_moment(FILE *out, enum solve_count count, const struct solve_moment *m)
{
    fprintf(out, ", \"%s\": ", solve_count_name(count));
    if (m->nodes == 0)
        fputs("null", out);
    else
        fprintf(out, "{\"nodes\": %" PRIu64 ", \"depth\": %d, \"seconds\": %.6f}", m->nodes,
                m->depth, m->seconds);
}

static void print_json_search(FILE *out, const struct row *row)
{
    const struct solved *s = row->solved;
    int mate = score_mate_moves(s->score);
    fprintf(out, "{\"position\": %zu, \"line\": %ld, \"id\": ", row->position + 1, row->line);
    json_text(out, row->epd->id);
    fputs(", \"parameters\": ", out);
    json_text(out, row->name);
    fprintf(out, ", \"move\": \"%s\", \"%s\": %d", row->move, mate != 0 ? "mate" : "score",
            mate != 0 ? mate : (int)s->score);
    fprintf(out, ", \"depth\": %d, \"nodes\": %" PRIu64 ", \"seconds\": %.6f", s->depth, s->nodes,
            s->seconds);
    for (enum solve_count c = 0; c < SOLVE_COUNTS; c++)
        print_json_moment(out, c, solve_moment_of(s, c));
    fputc('}', out);
}

static void print_json_set(FILE *out, const struct solve_report *r, int set)
{
    struct solve_effort e = solve_table_effort(r->table, set);
    const struct solve_job *job = job_of(r);
    fputs("    {\"name\": ", out);
    json_text(out, r->names[set]);
    fputs(",\n     \"values\": {", out);
    for (int i = 0; i < SEARCH_PARAMS && job->method == &engine_search_method; i++)
        fprintf(out, "%s\"%s\": %d", i > 0 ? ", " : "", search_all_table.params[i].name,
                (int)job->sets[set].value[i]);
    fputs("},\n", out);
    for (enum solve_count c = 0; c < SOLVE_COUNTS; c++) {
        struct solve_summary s = solve_table_summary(r->table, set, c);
        struct interval share = interval_wilson(s.solved, (int64_t)job->position_count, 0.95);
        fprintf(out,
                "     \"%s\": {\"solved\": %" PRId64 ", \"interval_95\": [%.6f, %.6f], "
                "\"nodes\": %" PRIu64 ", \"mean\": %.1f, \"median\": %.1f},\n",
                solve_count_name(c), s.solved, share.low, share.high, s.total, s.mean, s.median);
    }
    fprintf(out, "     \"searched\": {\"nodes\": %" PRIu64 ", \"seconds\": %.6f}}", e.nodes,
            e.seconds);
}

/* Prints the suite, the lines left out, and the limits. */
static void print_json_head(FILE *out, const struct solve_report *r)
{
    const struct solve_job *job = job_of(r);
    fputs("{\n  \"grayling\": \"" GRAYLING_VERSION "\",\n  \"suite\": ", out);
    json_text(out, r->suite_path);
    fprintf(out, ",\n  \"sha256\": \"%s\",\n  \"positions\": %zu,\n  \"left_out\": [",
            r->suite_checksum, job->position_count);
    for (size_t i = 0; i < r->suite->left_out_kept; i++) {
        fputs(i > 0 ? ",\n    " : "\n    ", out);
        json_text(out, r->suite->left_out[i].text);
    }
    fprintf(out,
            "],\n  \"left_out_count\": %zu,\n  \"limit\": {\"nodes\": %" PRIu64
            ", \"depth\": %d, \"movetime\": %d},\n"
            "  \"search\": \"%s\",\n  \"hash\": %d,\n  \"evaluation\": ",
            r->suite->left_out_count, job->limits.nodes, job->limits.depth, job->limits.movetime,
            job->method->name, job->hash_mib);
    json_text(out, r->eval_name);
}

void solve_report_json(FILE *out, void *context)
{
    const struct solve_report *r = context;
    print_json_head(out, r);
    fputs(",\n  \"parameters\": [\n", out);
    for (int i = 0; i < job_of(r)->set_count; i++) {
        fputs(i > 0 ? ",\n" : "", out);
        print_json_set(out, r, i);
    }
    fputs("\n  ],\n  \"searches\": [\n", out);
    for (size_t i = 0; i < r->table->count; i++) {
        struct row row = row_of(r, i);
        fputs(i > 0 ? ",\n    " : "    ", out);
        print_json_search(out, &row);
    }
    fputs("\n  ]\n}\n", out);
}
