#include "gnuplot.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/* Starts gnuplot with these files as its standard input, output and error. */
static bool start(pid_t *child, FILE *script, FILE *picture, FILE *complaints, struct error *err)
{
    char program[] = "gnuplot", defaults[] = "-d"; /* no initialisation files */
    char *const arguments[] = {program, defaults, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fileno(script), 0);
    posix_spawn_file_actions_adddup2(&actions, fileno(picture), 1);
    posix_spawn_file_actions_adddup2(&actions, fileno(complaints), 2);
    int failed = posix_spawnp(child, program, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed == ENOENT)
        return error_set(err, "no plot without gnuplot: install it (Debian: gnuplot-nox)");
    return failed == 0 || error_set(err, "cannot run gnuplot: %s", strerror(failed));
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Waits for gnuplot; kills it when its time is up. */
static bool finish(pid_t child, int seconds, struct error *err)
{
    const struct timespec moment = {.tv_nsec = 5000000};
    double end = now() + seconds;
    int status = 0;
    for (pid_t ended; (ended = waitpid(child, &status, WNOHANG)) != child;) {
        if (ended < 0 && errno != EINTR)
            return error_set(err, "cannot wait for gnuplot: %s", strerror(errno));
        if (now() > end) {
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
            return error_set(err, "gnuplot did not end within %d s and was stopped", seconds);
        }
        nanosleep(&moment, NULL);
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
