#include "plot.h"

#include "axis.h"
#include "plot_draw.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Colours for the colour-blind (Okabe and Ito 2008). */
#define BLUE       "#0072b2"
#define VERMILLION "#d55e00"
#define GREY       "#606060"

/* ---- the script ---- */

static bool ends_in(const char *path, const char *ending)
{
    size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcmp(path + length - tail, ending) == 0;
}

bool plot_available(const char *path, bool force, struct error *err)
{
    if (!ends_in(path, ".svg") && !ends_in(path, ".png"))
        return error_set(err, "%s: a plot is written as .svg or .png", path);
    if (!force && access(path, F_OK) == 0)
        return error_set(err, "%s exists; choose another name or give --force", path);
    return true;
}

void plot_quote(FILE *out, const char *text)
{
    fputc('\'', out);
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            fputc('\'', out);
        fputc(*text == '\n' ? ' ' : *text, out);
    }
    fputc('\'', out);
}

/* generation, best, mean, mean - deviation, mean + deviation, held-out (NaN if there is none) */
static void write_data(FILE *out, const struct run_summary *s)
{
    fputs("$run << END\n", out);
    for (int g = 0; g <= s->generation; g++) {
        const struct generation_row *row = &s->rows[g];
        int64_t size = s->train_size;
        fprintf(out, "%d %.6g %.6g %.6g %.6g ", row->generation,
                axis_value(s, (double)row->measure, size), axis_value(s, row->mean, size),
                axis_value(s, row->mean - row->deviation, size),
                axis_value(s, row->mean + row->deviation, size));
        if (row->held_out == NOT_MEASURED)
            fputs("NaN\n", out);
        else
            fprintf(out, "%.6g\n", axis_value(s, (double)row->held_out, s->held_out_size));
    }
    fputs("END\n", out);
}

static void write_titles(FILE *out, const struct run_summary *s)
{
    char title[256], label[OBJECTIVE_LABEL];
    snprintf(title, sizeof title, "%s, seed %" PRIu64, s->recipe.name, s->recipe.seed);
    fputs("set title ", out);
    plot_quote(out, title);
    fputs(" noenhanced font ',15'\nset ylabel ", out);
    plot_quote(out, axis_label(s, label));
    fputs(" noenhanced offset 0.5,0\nset xlabel 'generation'\n", out);
}

/* Plots a column of the data as a line, or as a point if there is only one generation. */
static void write_curve(FILE *out, const struct run_summary *s, int column, const char *color,
                        const char *title)
{
    fprintf(out, ", $run using 1:%d with %s linewidth 2 linecolor '%s' title '%s'", column,
            s->generation > 0 ? "lines" : "points pointtype 7", color, title);
}

void plot_begin(FILE *out, bool svg)
{
    fputs("set encoding utf8\n", out);
    fputs(svg ? "set terminal svg size 900,540 font 'DejaVu Sans,Helvetica,sans-serif,13' "
                "background '#ffffff'\n"
              : "set terminal pngcairo size 1350,810 font 'DejaVu Sans,13' fontscale 1.1 "
                "linewidth 1.5 background '#ffffff'\n",
          out);
    fputs("set border 3 linecolor '" GREY "'\nset tics nomirror out scale 0.5\n"
          "set grid ytics linetype 1 linecolor '#e4e4e4' linewidth 1\n"
          "set style fill transparent solid 0.18 noborder\nset offsets 0,0,graph 0.04,0\n",
          out);
}

/* The whole script of a run. */
static void write_script(FILE *out, const void *what, bool svg)
{
    const struct run_summary *s = what;
    char title[OBJECTIVE_LABEL];
    plot_begin(out, svg);
    write_data(out, s);
    write_titles(out, s);
    fprintf(out, "set key %s right Left reverse samplen 2 spacing 1.25\n",
            s->value->lower_is_better ? "top" : "bottom");
    fprintf(out, "set xrange [0:%d]\n", s->generation > 0 ? s->generation : 1);
    fputs("plot $run using 1:4:5 with filledcurves linecolor '" GREY
          "' title 'mean ± standard deviation'",
          out);
    write_curve(out, s, 3, GREY, "mean");
    write_curve(out, s, 2, BLUE, "best");
    if (s->held_out_size > 0)
        write_curve(out, s, 6, VERMILLION, axis_held_out(s, title));
    fputs("\n", out);
}

/* ---- gnuplot ---- */

extern char **environ;

/* Runs gnuplot with these files as its standard input, output and error. */
static bool run_gnuplot(FILE *script, FILE *picture, FILE *complaints, struct error *err)
{
    char program[] = "gnuplot";
    char *const arguments[] = {program, NULL};
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status = 0;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fileno(script), 0);
    posix_spawn_file_actions_adddup2(&actions, fileno(picture), 1);
    posix_spawn_file_actions_adddup2(&actions, fileno(complaints), 2);
    int failed = posix_spawnp(&child, program, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed == ENOENT)
        return error_set(err, "no plot without gnuplot: install it (Debian: gnuplot-nox)");
    if (failed != 0)
        return error_set(err, "cannot run gnuplot: %s", strerror(failed));
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return status == 0 || error_set(err, "gnuplot failed");
}

/* Appends the first line of gnuplot's error output to the error. */
static void add_complaint(FILE *complaints, struct error *err)
{
    char line[200] = "";
    rewind(complaints);
    while (fgets(line, sizeof line, complaints) != NULL && strspn(line, " \t^\n") == strlen(line))
        continue;
    line[strcspn(line, "\n")] = '\0';
    if (line[0] != '\0') {
        struct error reason = *err;
        error_set(err, "%.700s: %s", reason.text, line);
    }
}

/* Moves the complete picture into place. */
static bool save(FILE *picture, const char *path, bool force, struct error *err)
{
    char block[1 << 14];
    int fd = open(path, O_WRONLY | O_CREAT | (force ? O_TRUNC : O_EXCL), 0666);
    if (fd < 0 && errno == EEXIST)
        return error_set(err, "%s exists; choose another name or give --force", path);
    if (fd < 0)
        return error_set(err, "cannot write %s: %s", path, strerror(errno));
    rewind(picture);
    bool saved = true;
    for (size_t n; saved && (n = fread(block, 1, sizeof block, picture)) > 0;)
        saved = write(fd, block, n) == (ssize_t)n;
    if (close(fd) == 0 && saved)
        return true;
    error_set(err, "cannot write %s: %s", path, strerror(errno));
    unlink(path);
    return false;
}

/* Runs gnuplot with three temporary files, any of which may be NULL. */
static bool draw(plot_script *write, const void *what, const char *path, bool force, FILE *script,
                 FILE *picture, FILE *complaints, struct error *err)
{
    if (script == NULL || picture == NULL || complaints == NULL)
        return error_set(err, "no temporary file for the plot: %s", strerror(errno));
    write(script, what, ends_in(path, ".svg"));
    if (fflush(script) != 0)
        return error_set(err, "no room for the plot's script: %s", strerror(errno));
    rewind(script);
    if (!run_gnuplot(script, picture, complaints, err)) {
        add_complaint(complaints, err);
        return false;
    }
    return save(picture, path, force, err);
}

bool plot_draw(plot_script *write, const void *what, const char *path, bool force,
               struct error *err)
{
    if (!plot_available(path, force, err))
        return false;
    FILE *script = tmpfile(), *picture = tmpfile(), *complaints = tmpfile();
    bool drawn = draw(write, what, path, force, script, picture, complaints, err);
    if (script != NULL)
        fclose(script);
    if (picture != NULL)
        fclose(picture);
    if (complaints != NULL)
        fclose(complaints);
    return drawn;
}

bool plot_run(const struct run_summary *summary, const char *path, bool force, struct error *err)
{
    if (summary->generation < 0)
        return error_set(err, "there is nothing to plot: the run has no generation yet");
    return plot_draw(write_script, summary, path, force, err);
}
