/* The identity of a process, as text that another process can check later. */
#ifndef GRAYLING_PROCESS_H
#define GRAYLING_PROCESS_H

#include <stdbool.h>

enum { PROCESS_TEXT = 96 };

/* Writes the identity of this process: "PID START BOOT", its number, when it started in the ticks
 * of /proc/PID/stat, and the id of the machine's boot. Another process never has the same. */
void process_identity(char text[PROCESS_TEXT]);

/* True if the process with this identity is alive on this machine. */
bool process_lives(const char *text);

#endif
