#include "process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Reads the first line of a file, "" if it cannot be read. */
static void read_line(const char *path, char *line, int size)
{
    FILE *in = fopen(path, "r");
    line[0] = '\0';
    if (in == NULL)
        return;
    if (fgets(line, size, in) == NULL)
        line[0] = '\0';
    line[strcspn(line, "\n")] = '\0';
    fclose(in);
}

/* When a process started: field 22 of /proc/PID/stat (proc(5)). The fields are counted from the
 * last parenthesis, because the second one is the program's name, which may hold anything. 0 if
 * there is no such process, or if it has ended and its parent has not asked yet (state Z). */
static unsigned long long start_of(long pid)
{
    char path[64], line[1024];
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    read_line(path, line, sizeof line);
    char *at = strrchr(line, ')');
    if (at != NULL && strchr("ZXx", at[2]) != NULL)
        return 0;
    for (int field = 2; at != NULL && field < 22; field++)
        at = strchr(at + 1, ' ');
    return at == NULL ? 0 : strtoull(at, NULL, 10);
}

static void identity_of(long pid, char text[PROCESS_TEXT])
{
    char boot[40];
    read_line("/proc/sys/kernel/random/boot_id", boot, sizeof boot);
    snprintf(text, PROCESS_TEXT, "%ld %llu %.39s", pid, start_of(pid), boot);
}

void process_identity(char text[PROCESS_TEXT])
{
    identity_of((long)getpid(), text);
}

bool process_lives(const char *text)
{
    char now[PROCESS_TEXT];
    long pid = strtol(text, NULL, 10);
    if (pid <= 0 || start_of(pid) == 0)
        return false;
    identity_of(pid, now);
    return strcmp(now, text) == 0;
}
