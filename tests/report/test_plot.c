/* Plots: what gnuplot is told, and that nothing is lost when it cannot draw. */
#define _DEFAULT_SOURCE /* usleep */
#include "plot.h"

#include "temporary.h"

#include <criterion/criterion.h>
#include <sys/stat.h>

enum { ROWS = 5 };

/* A run of five generations, as a summary would have it. */
static struct run_summary some_run(struct generation_row rows[ROWS])
{
    struct run_summary s = {.generation = ROWS - 1,
                            .rows = rows,
                            .value = &objective_moves_matched,
                            .train_size = 200,
                            .held_out_size = 100};
    strcpy(s.recipe.name, "Réti's \"quick\" {run}_2");
    s.recipe.seed = 42;
    for (int g = 0; g < ROWS; g++)
        rows[g] = (struct generation_row){.generation = g,
                                          .measure = 50 + g,
                                          .held_out = 20 + g,
                                          .mean = 40.25 + g,
                                          .deviation = 3.5};
    return s;
}

static char *read_all(const char *path)
{
    FILE *f = fopen(path, "rb");
    cr_assert_not_null(f, "%s", path);
    char *text = calloc(1, 1 << 20);
    cr_assert_gt(fread(text, 1, (1 << 20) - 1, f), 0u);
    fclose(f);
    return text;
}

/* Puts a program called gnuplot, and nothing else, on the path. */
static void fake_gnuplot(struct temporary *t, const char *script)
{
    const char *program = temporary_file(t, "gnuplot");
    temporary_write(program, script);
    cr_assert_eq(chmod(program, 0755), 0);
    cr_assert_eq(setenv("PATH", t->directory, 1), 0);
}

/* Draws the fitness of a run. */
static bool draw(const struct run_summary *s, const char *path, bool force, struct error *err)
{
    const struct plot_file file = {.path = path, .force = force};
    return plot_fitness(s, &file, err);
}

static bool have_gnuplot(void)
{
    return system("gnuplot --version >/dev/null 2>&1") == 0;
}

Test(plot, the_script_has_the_run_in_per_cent)
{
    struct temporary t = temporary_make(), u = temporary_make();
    struct generation_row rows[ROWS];
    struct run_summary s = some_run(rows);
    struct error err = {""};
    fake_gnuplot(&u, "#!/bin/sh\nexec /bin/cat\n"); /* the picture is the script */
    const char *path = temporary_file(&t, "run.svg");
    cr_assert(draw(&s, path, false, &err), "%s", err.text);
    char *script = read_all(path);
    /* generation, best, mean, held-out, mean - deviation, mean + deviation */
    cr_assert_not_null(strstr(script, "\n0 25 20.125 20 18.375 21.875\n"), "%s", script);
    cr_assert_not_null(strstr(script, "\n4 27 22.125 24 20.375 23.875\n"), "%s", script);
    cr_assert_not_null(
        strstr(script, "set label 'Réti''s \"quick\" {run}_2, seed 42: fitness by generation'"));
    cr_assert_not_null(strstr(script, "set label 'moves matched (%)'"));
    cr_assert_not_null(strstr(script, "set terminal svg"));
    cr_assert_not_null(strstr(script, "set label 'best, held-out'"));
    free(script);
    temporary_remove(&t);
    temporary_remove(&u);
}

Test(plot, nodes_are_in_millions_and_logarithms_are_geometric_means)
{
    struct temporary t = temporary_make(), u = temporary_make();
    struct generation_row rows[ROWS];
    struct run_summary s = some_run(rows);
    struct error err = {""};
    fake_gnuplot(&u, "#!/bin/sh\nexec /bin/cat\n");
    const char *path = temporary_file(&t, "run.svg");
    rows[0].measure = 44000000;
    rows[0].held_out = 20000000; /* over half as many positions */
    s.value = &objective_nodes;
    cr_assert(draw(&s, path, false, &err), "%s", err.text);
    char *script = read_all(path);
    cr_assert_not_null(strstr(script, "\n0 44 4.025e-05 40 3.675e-05 4.375e-05\n"), "%s", script);
    cr_assert_not_null(strstr(script, "set label 'nodes to solution (millions, 200 positions)'"));
    cr_assert_not_null(strstr(script, "set label 'best, held-out (scaled to 200 positions)'"));
    free(script);
    rows[0].measure = 200 * 13 * 1024;
    rows[0].held_out = 100 * 14 * 1024;
    s.value = &objective_log_nodes;
    cr_assert(draw(&s, path, true, &err), "%s", err.text);
    script = read_all(path);
    cr_assert_not_null(strstr(script, "\n0 8192 "), "%s", script);
    cr_assert_not_null(strstr(script, " 16384 "), "%s", script);
    free(script);
    temporary_remove(&t);
    temporary_remove(&u);
}

Test(plot, without_held_out_data_there_is_no_such_curve)
{
    struct temporary t = temporary_make(), u = temporary_make();
    struct generation_row rows[ROWS];
    struct run_summary s = some_run(rows);
    struct error err = {""};
    s.held_out_size = 0;
    for (int g = 0; g < ROWS; g++)
        rows[g].held_out = -1;
    fake_gnuplot(&u, "#!/bin/sh\nexec /bin/cat\n");
    const char *path = temporary_file(&t, "run.png");
    cr_assert(draw(&s, path, false, &err), "%s", err.text);
    char *script = read_all(path);
    cr_assert_null(strstr(script, "held-out"));
    cr_assert_not_null(strstr(script, "set terminal pngcairo"));
    free(script);
    temporary_remove(&t);
    temporary_remove(&u);
}

Test(plot, gnuplot_draws_it_in_both_formats)
{
    if (!have_gnuplot())
        cr_skip_test("gnuplot is not installed");
    struct temporary t = temporary_make();
    struct generation_row rows[ROWS];
    struct run_summary s = some_run(rows);
    struct error err = {""};
    const char *path = temporary_file(&t, "run.svg");
    cr_assert(draw(&s, path, false, &err), "%s", err.text);
    char *picture = read_all(path);
    cr_assert_not_null(strstr(picture, "<svg"));
    cr_assert_not_null(strstr(picture, "</svg>"), "whole to the end");
    cr_assert_not_null(strstr(picture, "seed 42"));
    cr_assert_not_null(strstr(picture, "<title>Réti&#39;s &quot;quick&quot; {run}_2, seed 42: "));
    cr_assert_null(strstr(picture, "GNUPLOT"), "the description is ours");
    free(picture);
    path = temporary_file(&t, "run.png");
    cr_assert(draw(&s, path, false, &err), "%s", err.text);
    picture = read_all(path);
    cr_assert_eq(memcmp(picture, "\x89PNG\r\n\x1a\n", 8), 0);
    free(picture);
    s.generation = 0; /* a single generation is a point */
    cr_assert(draw(&s, path, true, &err), "%s", err.text);
    temporary_remove(&t);
}

Test(plot, refuses_what_it_cannot_draw)
{
    struct temporary t = temporary_make();
    struct generation_row rows[ROWS];
    struct run_summary s = some_run(rows);
    struct error err = {""};
    cr_assert_not(draw(&s, temporary_file(&t, "run.gif"), false, &err));
    cr_assert_not_null(strstr(err.text, "run.gif: a plot is written as .svg or .png"));
    cr_assert_not(draw(&s, ".svg", false, &err));
    s.generation = -1;
    cr_assert_not(draw(&s, temporary_file(&t, "run.svg"), false, &err));
    cr_assert_not_null(strstr(err.text, "no generation yet"));
    s.generation = ROWS - 1;
    temporary_write(temporary_file(&t, "run.svg"), "mine");
    cr_assert_not(draw(&s, t.path, false, &err));
    cr_assert_not_null(strstr(err.text, "exists; choose another name or give --force"));
    cr_assert_eq(temporary_count(&t), 1);
    temporary_remove(&t);
}

Test(plot, without_gnuplot_it_says_what_to_install)
{
    struct temporary t = temporary_make();
    struct generation_row rows[ROWS];
    struct run_summary s = some_run(rows);
    struct error err = {""};
    cr_assert_eq(setenv("PATH", t.directory, 1), 0);
    cr_assert_not(draw(&s, temporary_file(&t, "run.svg"), false, &err));
    cr_assert_not_null(strstr(err.text, "gnuplot-nox"), "%s", err.text);
    cr_assert_eq(temporary_count(&t), 0);
    temporary_remove(&t);
}

Test(plot, a_failing_gnuplot_is_quoted_and_spoils_nothing)
{
    struct temporary t = temporary_make(), u = temporary_make();
    struct generation_row rows[ROWS];
    struct run_summary s = some_run(rows);
    struct error err = {""};
    fake_gnuplot(&u, "#!/bin/sh\necho half\necho '      ^' >&2\n"
                     "echo 'unknown terminal type' >&2\nexit 1\n");
    const char *path = temporary_file(&t, "run.svg");
    temporary_write(path, "mine");
    cr_assert_not(draw(&s, path, true, &err));
    cr_assert_not_null(strstr(err.text, "gnuplot failed: unknown terminal type"), "%s", err.text);
    char *kept = read_all(path);
    cr_assert_str_eq(kept, "mine");
    free(kept);
    temporary_remove(&t);
    temporary_remove(&u);
}

/* Everything between two strings of a text; the caller frees it. */
static char *between(const char *text, const char *begin, const char *end)
{
    const char *from = strstr(text, begin);
    cr_assert_not_null(from, "no %s in %s", begin, text);
    const char *to = strstr(from + strlen(begin), end);
    cr_assert_not_null(to);
    return strndup(from + strlen(begin), (size_t)(to - from) - strlen(begin));
}

Test(plot, a_steep_start_breaks_the_axis)
{
    struct temporary t = temporary_make(), u = temporary_make();
    struct generation_row rows[ROWS];
    struct run_summary s = some_run(rows);
    struct error err = {""};
    fake_gnuplot(&u, "#!/bin/sh\nexec /bin/cat\n");
    const char *path = temporary_file(&t, "run.svg");
    cr_assert(draw(&s, path, false, &err), "%s", err.text);
    char *script = read_all(path);
    cr_assert_null(strstr(script, " ? "), "an even course has a plain axis");
    free(script);
    rows[0].mean = 2;
    cr_assert(draw(&s, path, true, &err), "%s", err.text);
    script = read_all(path);
    char *function = between(script, "y(v) = v < ", "\n");
    cr_assert_geq(strtod(function, NULL), 15.0, "%s", function);
    cr_assert_leq(strtod(function, NULL), 18.5, "the strip ends below generation 1: %s", function);
    free(function);
    free(script);
    temporary_remove(&t);
    temporary_remove(&u);
}

Test(plot, games_show_the_score_against_the_opponent_and_no_mean)
{
    struct temporary t = temporary_make(), u = temporary_make();
    struct generation_row rows[ROWS];
    struct run_summary s = some_run(rows);
    struct error err = {""};
    s.value = &objective_points;
    fake_gnuplot(&u, "#!/bin/sh\nexec /bin/cat\n");
    const char *path = temporary_file(&t, "run.svg");
    cr_assert(draw(&s, path, false, &err), "%s", err.text);
    char *script = read_all(path), *row = between(script, "\n0 ", "\n");
    double score, among, low, high;
    cr_assert_eq(sscanf(row, "%lf %lf %lf %lf", &score, &among, &low, &high), 4, "%s", row);
    cr_assert_eq(score, 20);
    cr_assert_eq(among, 25);
    cr_assert(low < 20 && high > 20, "%s", row);
    cr_assert_not_null(strstr(script, "set label '95 % interval against the opponent'"));
    cr_assert_null(strstr(script, "'mean"));
    free(row);
    free(script);
    temporary_remove(&t);
    temporary_remove(&u);
}

enum { UNITS = 3 };

/* Parameters as other engines have them: decimals, texts, true and false. */
static const struct param units[UNITS] = {
    {.name = "Scale", .bits = 9, .min = -100, .max = 300, .type = PARAM_STRING, .decimals = 2},
    {.name = "Style",
     .bits = 2,
     .max = 2,
     .type = PARAM_COMBO,
     .choices = "Solid\nIt's sharp\nAggressive at all costs\n"},
    {.name = "Book", .bits = 1, .max = 1, .type = PARAM_CHECK},
};

/* A report of two generations of these; it borrows the rest. */
static struct report some_units(struct report_gene genes[UNITS],
                                struct gene_state states[2 * UNITS])
{
    static const struct genome genome = {.genes = units, .count = UNITS};
    static const int32_t values[UNITS] = {17, 1, 1};
    for (int i = 0; i < 2 * UNITS; i++)
        states[i] = (struct gene_state){.best = values[i % UNITS], .mean = 1, .deviation = 0.5};
    for (int i = 0; i < UNITS; i++)
        genes[i] =
            (struct report_gene){.param = &units[i], .evolved = values[i], .last = states[i]};
    return (struct report){.summary = {.recipe.name = "units", .generation = 1},
                           .genome = genome,
                           .convergence = {.genome = &genome, .generations = 2, .genes = states},
                           .genes = genes};
}

/* Expects the script of a picture to have all of these texts, the last of which is NULL. */
static void expect_texts(const char *path, const char *const *texts)
{
    char *script = read_all(path);
    for (; *texts != NULL; texts++)
        cr_assert_not_null(strstr(script, *texts), "no %s in %s", *texts, script);
    cr_assert_null(strstr(script, "Aggressive at all costs"), "it has no room for that");
    free(script);
}

Test(plot, values_are_shown_as_their_engine_reads_them)
{
    struct temporary t = temporary_make(), u = temporary_make();
    struct report_gene genes[UNITS];
    struct gene_state states[2 * UNITS];
    const struct report r = some_units(genes, states);
    struct error err = {""};
    fake_gnuplot(&u, "#!/bin/sh\nexec /bin/cat\n");
    const struct plot_file file = {.path = temporary_file(&t, "units.svg"), .force = true};
    static const char *const of_genes[] = {"set label '0.17' at",
                                           "set label 'of -1.00 to 3.00' at",
                                           "set label 'It''s sharp' at",
                                           "set label 'of 3 choices' at",
                                           "set label 'true' at",
                                           "set label 'of 2 choices' at",
                                           NULL};
    cr_assert(plot_genes(&r, &file, &err), "%s", err.text);
    expect_texts(file.path, of_genes);
    static const char *const of_parameters[] = {"set ytics ('-1.00' -100, '3.00' 300)\n",
                                                "set label '0.17' at",
                                                "set ytics ('' 0, '' 2)\n",
                                                "set label 'Solid' at",
                                                "set label 'It''s sharp' at",
                                                "set ytics ('' 0, '' 1)\n",
                                                "set label 'false' at",
                                                NULL};
    cr_assert(plot_parameters(&r, &file, &err), "%s", err.text);
    expect_texts(file.path, of_parameters);
    temporary_remove(&t);
    temporary_remove(&u);
}

/* Draws as many genes in a file. The picture has 118 units and 20 for each gene. */
static bool draw_genes(int count, const struct plot_file *file, struct error *err)
{
    static const struct param gene = {.name = "G", .bits = 8, .max = 255};
    struct report_gene *genes = calloc((size_t)count, sizeof *genes);
    struct report r = {.summary = {.recipe.name = "long"}, .genome.count = count, .genes = genes};
    cr_assert_not_null(genes);
    for (int i = 0; i < count; i++)
        genes[i].param = &gene;
    bool drawn = plot_genes(&r, file, err);
    free(genes);
    return drawn;
}

Test(plot, a_png_is_no_higher_than_cairo_can_draw)
{
    struct temporary t = temporary_make(), u = temporary_make();
    struct error err = {""};
    int wide, high;
    fake_gnuplot(&u, "#!/bin/sh\nexec /bin/cat\n");
    struct plot_file file = {.path = temporary_file(&t, "run.png"), .force = true};
    cr_assert(draw_genes(1000, &file, &err), "%s", err.text);
    char *script = read_all(file.path), *size = between(script, "pngcairo size ", " ");
    cr_assert_str_eq(size, "1350,30177", "there is room for all of it");
    free(size);
    free(script);
    cr_assert(draw_genes(1200, &file, &err), "%s", err.text);
    script = read_all(file.path);
    size = between(script, "pngcairo size ", " ");
    cr_assert_eq(sscanf(size, "%d,%d", &wide, &high), 2, "%s", size);
    cr_assert(32760 <= high && high <= 32767 && 1220 <= wide && wide <= 1224, "%s", size);
    free(size);
    free(script);
    cr_assert_not(draw_genes(2400, &file, &err));
    cr_assert_not_null(strstr(err.text, "write it as .svg"), "%s", err.text);
    file.path = temporary_file(&t, "run.svg");
    cr_assert(draw_genes(2400, &file, &err), "%s", err.text);
    temporary_remove(&t);
    temporary_remove(&u);
}

Test(plot, a_size_is_asked_for_only_if_it_can_be_given)
{
    struct temporary t = temporary_make();
    struct error err = {""};
    const struct plot_file file = {
        .path = temporary_file(&t, "run.svg"), .width = 900, .height = 8000};
    cr_assert_not(draw_genes(600, &file, &err));
    cr_assert_not_null(strstr(err.text, "900x8000 is too small for this picture, and so is any "
                                        "other size that can be given: leave --size out"),
                       "%s", err.text);
    const struct plot_file low = {.path = file.path, .width = 900, .height = 600};
    cr_assert_not(draw_genes(500, &low, &err));
    cr_assert_not_null(strstr(err.text, "it takes at least 630x7083"), "%s", err.text);
    temporary_remove(&t);
}

Test(plot, a_hanging_gnuplot_is_stopped)
{
    struct temporary t = temporary_make(), u = temporary_make();
    struct generation_row rows[ROWS];
    struct run_summary s = some_run(rows);
    struct error err = {""};
    fake_gnuplot(&u, "#!/bin/sh\nexec /bin/sleep 600\n");
    const struct plot_file file = {.path = temporary_file(&t, "run.svg"), .seconds = 1};
    cr_assert_not(plot_fitness(&s, &file, &err));
    cr_assert_not_null(strstr(err.text, "gnuplot did not end within 1 s"), "%s", err.text);
    cr_assert_eq(temporary_count(&t), 0);
    temporary_remove(&t);
    temporary_remove(&u);
}

/* What is called gnuplot may be a script that runs it. */
Test(plot, nothing_of_a_hanging_gnuplot_is_left)
{
    struct temporary t = temporary_make(), u = temporary_make();
    struct generation_row rows[ROWS];
    struct run_summary s = some_run(rows);
    struct error err = {""};
    char script[256], signs[sizeof u.path];
    struct stat before, after;
    strcpy(signs, temporary_file(&u, "signs"));
    snprintf(script, sizeof script,
             "#!/bin/sh\n(while :; do echo alive >>%s; /bin/sleep 0.1; done) &\nwait\n", signs);
    fake_gnuplot(&u, script);
    const struct plot_file file = {.path = temporary_file(&t, "run.svg"), .seconds = 1};
    cr_assert_not(plot_fitness(&s, &file, &err));
    cr_assert_eq(stat(signs, &before), 0);
    usleep(700000);
    cr_assert_eq(stat(signs, &after), 0);
    cr_assert_eq(before.st_size, after.st_size, "it goes on");
    temporary_remove(&t);
    temporary_remove(&u);
}

Test(plot, a_name_cannot_leave_its_quotes)
{
    struct temporary t = temporary_make(), u = temporary_make();
    struct generation_row rows[ROWS];
    struct run_summary s = some_run(rows);
    struct error err = {""};
    strcpy(s.recipe.name, "a'; system('false')\n\x01`date` \\");
    fake_gnuplot(&u, "#!/bin/sh\nexec /bin/cat\n");
    const char *path = temporary_file(&t, "run.png");
    cr_assert(draw(&s, path, false, &err), "%s", err.text);
    char *script = read_all(path);
    cr_assert_not_null(strstr(script, "set label 'a''; system(''false'') ?`date` \\, seed 42"),
                       "%s", script);
    free(script);
    temporary_remove(&t);
    temporary_remove(&u);
}
