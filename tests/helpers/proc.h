/* The processes and descriptors that a test leaves behind, from /proc. */
#ifndef GRAYLING_TESTS_PROC_H
#define GRAYLING_TESTS_PROC_H

#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The state and the parent of a process; false if there is none. */
static inline bool proc_read(long pid, char *state, long *parent)
{
    char path[64], line[512];
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    FILE *f = fopen(path, "r");
    if (f == NULL)
        return false;
    bool good = fgets(line, sizeof line, f) != NULL && strrchr(line, ')') != NULL &&
                sscanf(strrchr(line, ')') + 1, " %c %ld", state, parent) == 2;
    fclose(f);
    return good;
}

/* True if a process lives; one that has ended, and waits for its parent, does not. */
static inline bool proc_lives(long pid)
{
    char state;
    long parent;
    return proc_read(pid, &state, &parent) && state != 'Z' && state != 'X';
}

/* Waits some seconds for a process to end. */
static inline bool proc_ends(long pid)
{
    const struct timespec moment = {.tv_nsec = 10000000};
    for (int i = 0; i < 1000 && proc_lives(pid); i++)
        nanosleep(&moment, NULL);
    return !proc_lives(pid);
}

/* How many processes there are of which this one is the parent, or the parent's parent, and so on; zombies
 * included. */
static inline int proc_descendants(int generation)
{
    int count = 0;
    DIR *d = opendir("/proc");
    for (struct dirent *e; d != NULL && (e = readdir(d)) != NULL;) {
        char state;
        long pid = strtol(e->d_name, NULL, 10);
        bool lives = pid > 0;
        for (int i = 0; lives && i < generation; i++)
            lives = proc_read(pid, &state, &pid);
        count += lives && pid == (long)getpid();
    }
    closedir(d);
    return count;
}

static inline int proc_children(void)
{
    return proc_descendants(1);
}

/* How many descriptors this process has open. */
static inline int proc_descriptors(void)
{
    int count = 0;
    DIR *d = opendir("/proc/self/fd");
    while (d != NULL && readdir(d) != NULL)
        count++;
    closedir(d);
    return count;
}

#endif
