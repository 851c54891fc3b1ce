/* This process: its identity, as text that another process can check later, and threads whose stack suffices
 * for any work of the program, whatever `ulimit -s` and OMP_STACKSIZE say. */
#ifndef GRAYLING_PROCESS_H
#define GRAYLING_PROCESS_H

#include <pthread.h>
#include <stdbool.h>

enum { PROCESS_TEXT = 96 };

/* Writes the identity of this process: "PID START BOOT", its number, when it started in the ticks
 * of /proc/PID/stat, and the id of the machine's boot. Another process never has the same. */
void process_identity(char text[PROCESS_TEXT]);

/* True if the process with this identity is alive on this machine. */
bool process_lives(const char *text);

/* Bytes of stack. The deepest search takes 0.6 MB: MAX_PLY plies of 4.4 KB. Commands keep recipes and
 * results on the stack; the tables of `grayling reproduce` take most, 1.6 MB. */
enum { THREAD_STACK = 4 << 20 };

/* Starts a thread with THREAD_STACK bytes. Returns 0, or the error number. */
int thread_start(pthread_t *thread, void *(*work)(void *), void *context);

/* Calls `work` once: in this thread if its stack has THREAD_STACK bytes, else in another one, for which
 * it waits. Returns false, with errno set, if no thread can be started. */
bool thread_call(void *(*work)(void *), void *context);

#endif
