#include "gnuplot.h"

#include "clock.h"
#include "launch.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

/* Starts gnuplot with these files as its standard input, output and error, in a group with all that
 * it starts. */
static bool start(pid_t *child, FILE *script, FILE *picture, FILE *complaints, struct error *err)
{
    char program[] = "gnuplot", defaults[] = "-d"; /* no initialisation files */
    char *const arguments[] = {program, defaults, NULL};
    const struct launch gnuplot = {.file = program,
                                   .words = arguments,
                                   .streams = {fileno(script), fileno(picture), fileno(complaints)},
                                   .group = LAUNCH_NEW_GROUP};
    int failed = launch_start(&gnuplot, child);
    if (failed == ENOENT)
        return error_set(err, "no plot without gnuplot: install it (Debian: gnuplot-nox)");
    return failed == 0 || error_set(err, "cannot run gnuplot: %s", strerror(failed));
}

/* Waits for gnuplot; kills its group when its time is up. */
static bool finish(pid_t child, int seconds, struct error *err)
{
    int status = 0;
    if (!launch_ended_by(child, clock_seconds() + seconds, &status)) {
        kill(-child, SIGKILL);
        waitpid(child, &status, 0);
        return error_set(err, "gnuplot did not end within %d s and was stopped", seconds);
    }
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

bool gnuplot_run(FILE *script, FILE *picture, int seconds, struct error *err)
{
    pid_t child;
    FILE *complaints = tmpfile();
    if (complaints == NULL)
        return error_set(err, "no temporary file for the plot: %s", strerror(errno));
    bool started = start(&child, script, picture, complaints, err);
    bool drawn = started && finish(child, seconds, err);
    if (started && !drawn)
        add_complaint(complaints, err);
    fclose(complaints);
    return drawn;
}
