/* Pictures: what they show, of which size they are, and that nothing is lost when one cannot be
 * drawn. */
#include "chart.h"

#include "picture.h"
#include "png.h"
#include "scratch.h"

#include <criterion/criterion.h>
#include <math.h>

enum { ROWS = 5 };

static struct error err;
static struct generation_row rows[ROWS];
static struct run_summary s; /* of five generations */
static const char *text;     /* of the last picture */

static void begin(void)
{
    scratch_begin();
    s = (struct run_summary){.generation = ROWS - 1,
                             .rows = rows,
                             .value = &objective_moves_matched,
                             .train_size = 200,
                             .held_out_size = 100,
                             .defaults = {.measure = NOT_MEASURED, .held_out = NOT_MEASURED}};
    strcpy(s.recipe.name, "Réti's <quick> {run}_2");
    s.recipe.seed = 42;
    for (int g = 0; g < ROWS; g++)
        rows[g] = (struct generation_row){.generation = g,
                                          .measure = 50 + g,
                                          .held_out = 20 + g,
                                          .mean = 40.25 + g,
                                          .deviation = 3.5};
}

TestSuite(plot, .init = begin, .fini = scratch_end);

#define HAS(part)   cr_assert_not_null(strstr(text, part), "no %s in %s", part, text)
#define LACKS(part) cr_assert_null(strstr(text, part), "%s in %s", part, text)

/* Draws the fitness of the run as a page has it. */
static void draw_on_page(void)
{
    const char *path = scratch_write("page.svg", "");
    FILE *out = fopen(path, "w");
    MUST(plot_fitness(&s, &(struct plot_file){.out = out}, &err));
    fclose(out);
    text = scratch_read(path);
    LACKS("nan");
    LACKS("inf");
}

/* Draws it into a file. */
static bool draw(const char *path)
{
    return plot_fitness(&s, &(struct plot_file){.path = path}, &err);
}

/* The heights of the points of a path, whose beginning is given. Returns their number. */
static int heights_of(const char *css, double y[])
{
    const char *at = strstr(text, css);
    int count = 0, used;
    double x;
    cr_assert_not_null(at, "no %s in %s", css, text);
    at = strstr(at, "M");
    for (; sscanf(at, "%*1[ML]%lf %lf%n", &x, &y[count], &used) == 2; count++) {
        at += used;
        at += strncmp(at, "h0", 2) == 0 ? 2 : 0;
    }
    return count;
}

Test(plot, curves_are_where_their_numbers_are)
{
    double best[ROWS], held_out[ROWS + 1];
    rows[2].held_out = NOT_MEASURED;
    draw_on_page();
    /* 25 to 27 and 20 to 24 per cent */
    cr_assert_eq(heights_of("curve best\" d=\"M25", best), ROWS);
    cr_assert_eq(heights_of("curve held-out\" d=\"M25", held_out), ROWS - 1, "a gap");
    double unit = (held_out[0] - best[0]) / 5;
    cr_assert_float_eq(best[0] - best[4], 2 * unit, 0.3);
    cr_assert_float_eq(held_out[0] - held_out[3], 4 * unit, 0.3);
    HAS(">moves matched (%)<");
    HAS(">best, held-out<");
    HAS(">mean ± standard deviation<");
    LACKS("the defaults");
}

Test(plot, each_value_is_in_the_unit_of_its_axis)
{
    rows[0].measure = 44000000;
    rows[0].held_out = 20000000; /* over half as many positions */
    s.value = &objective_nodes;
    cr_assert_float_eq(fitness_point(&s, FITNESS_BEST, 0).y, 44, 1e-9);
    cr_assert_float_eq(fitness_point(&s, FITNESS_HELD_OUT, 0).y, 40, 1e-9);
    draw_on_page();
    HAS(">nodes to solution (millions, 200 positions); fewer are better<");
    HAS(">best, held-out (scaled to 200 positions)<");
    rows[0].measure = 200 * 13 * 1024;
    rows[0].held_out = 100 * 14 * 1024;
    s.value = &objective_log_nodes;
    cr_assert_float_eq(fitness_point(&s, FITNESS_BEST, 0).y, 8192, 1e-6);
    cr_assert_float_eq(fitness_point(&s, FITNESS_HELD_OUT, 0).y, 16384, 1e-6);
}

Test(plot, only_what_there_is_is_shown)
{
    s.held_out_size = 0;
    s.defaults.measure = 45;
    for (int g = 0; g < ROWS; g++)
        rows[g].held_out = NOT_MEASURED;
    draw_on_page();
    LACKS("held-out<");
    HAS(">the defaults<");
    s.generation = 0;
    draw_on_page(); /* a single generation is a dot */
}

Test(plot, a_steep_start_breaks_the_axis)
{
    draw_on_page();
    LACKS("grid break");
    rows[0].mean = 2;
    draw_on_page();
    HAS("grid break");
}

Test(plot, games_show_the_score_against_the_opponent_and_no_mean)
{
    s.value = &objective_points;
    const struct chart_point v = fitness_point(&s, FITNESS_HELD_OUT, 0);
    cr_assert_eq(v.y, 20);
    cr_assert(v.low < 20 && v.high > 20, "%f %f", v.low, v.high);
    draw_on_page();
    HAS(">95 % interval against the opponent<");
    LACKS(">mean");
}

Test(plot, a_long_run_is_thinned)
{
    enum { LONG = 5002 };
    struct generation_row *many = calloc(LONG, sizeof *many);
    for (int g = 0; g < LONG; g++)
        many[g] = (struct generation_row){.generation = g, .measure = g % 100, .held_out = g % 50};
    s.rows = many;
    s.generation = LONG - 1;
    draw_on_page();
    HAS("<title>generation 5001\n"); /* it ends at its last generation */
    cr_assert_lt(strlen(text), 200000u);
    free(many);
}

Test(plot, a_file_is_svg_or_png)
{
    const char *path = scratch_path("run.svg");
    MUST(draw(path));
    text = scratch_read(path);
    HAS("<svg xmlns");
    HAS("</svg>"); /* whole to the end */
    HAS("<title>Réti&#39;s &lt;quick&gt; {run}_2, seed 42: fitness");
    LACKS("var("); /* its colours are written out */
    path = scratch_path("run.png");
    bool drawn = draw(path);
    cr_assert_eq(drawn, png_load(&err) != NULL);
    if (drawn) {
        text = scratch_read(path);
        cr_assert_eq(memcmp(text, "\x89PNG\r\n\x1a\n", 8), 0);
    } else
        SAID("librsvg2-dev");
}

Test(plot, refuses_what_it_cannot_draw)
{
    cr_assert_not(draw(scratch_path("run.gif")));
    SAID("run.gif: a plot is written as .svg or .png");
    cr_assert_not(draw(".svg"));
    s.generation = -1;
    cr_assert_not(draw(scratch_path("run.svg")));
    SAID("no generation yet");
    s.generation = ROWS - 1;
    cr_assert_not(draw(scratch_write("run.svg", "mine")));
    SAID("exists; choose another name or give --force");
    cr_assert_eq(scratch_count(), 1);
}

/* ---- genes ---- */

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
        genes[i] = (struct report_gene){
            .param = &units[i], .evolved = values[i], .last = states[i], .by_moves = i};
    return (struct report){.summary = {.recipe.name = "units", .generation = 1},
                           .genome = genome,
                           .convergence = {.genome = &genome, .generations = 2, .genes = states},
                           .genes = genes};
}

Test(plot, values_are_shown_as_their_engine_reads_them)
{
    struct report_gene genes[UNITS];
    struct gene_state states[2 * UNITS];
    const struct report r = some_units(genes, states);
    const struct plot_file file = {.path = scratch_path("units.svg"), .force = true};
    MUST(plot_genes(&r, UNITS, &file, &err));
    text = scratch_read(file.path);
    HAS(">0.17<");
    HAS(">of -1.00 to 3.00<");
    HAS(">It&#39;s sharp<");
    HAS(">of 3 choices<");
    HAS(">true<");
    HAS(">of 2 choices<");
    MUST(plot_parameters(&r, 0, UNITS, &file, &err));
    text = scratch_read(file.path);
    HAS(">-1.00<");
    HAS(">3.00<");
    HAS(">0.17<");
    HAS(">Solid<");
    HAS(">It&#39;s sharp<");
    HAS(">false<");
    LACKS("Aggressive at all costs"); /* there is no room for that */
    MUST(plot_parameters(&r, 1, UNITS, &file, &err));
    text = scratch_read(file.path);
    LACKS(">Scale<"); /* the first is left out */
}

/* Draws as many genes in a file. The picture has 92 units and 20 for each gene. */
static bool draw_genes(int count, const struct plot_file *file)
{
    static const struct param gene = {.name = "G", .bits = 8, .max = 255};
    struct report_gene *genes = calloc((size_t)count, sizeof *genes);
    struct report r = {.summary = {.recipe.name = "long"}, .genome.count = count, .genes = genes};
    cr_assert_not_null(genes);
    for (int i = 0; i < count; i++)
        genes[i].param = &gene;
    bool drawn = plot_genes(&r, count, file, &err);
    free(genes);
    return drawn;
}

Test(plot, a_png_is_no_higher_than_cairo_can_draw)
{
    if (png_load(&err) == NULL)
        cr_skip_test("built without PNG");
    const struct plot_file file = {.path = scratch_path("run.png")};
    cr_assert_not(draw_genes(2400, &file));
    SAID("write it as .svg");
}

Test(plot, a_size_is_asked_for_only_if_it_can_be_given)
{
    const struct plot_file file = {.path = scratch_path("run.svg"), .width = 900, .height = 8000};
    cr_assert_not(draw_genes(600, &file));
    SAID("900x8000 is too small for this picture, and so is any "
         "other size that can be given: leave --size out");
    const struct plot_file low = {.path = file.path, .width = 900, .height = 600};
    cr_assert_not(draw_genes(500, &low));
    SAID("it takes at least 630x7065");
    const struct plot_file enough = {.path = file.path, .width = 630, .height = 7065};
    MUST(draw_genes(500, &enough));
}
