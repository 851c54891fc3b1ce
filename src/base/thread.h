/* Threads whose stack suffices for any work of the program, whatever `ulimit -s` and OMP_STACKSIZE say. */
#ifndef GRAYLING_THREAD_H
#define GRAYLING_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* Bytes of stack. The deepest search takes 0.6 MB: MAX_PLY plies of 4.4 KB. Commands keep recipes and
 * results on the stack; the tables of `grayling reproduce` take most, 1.6 MB. */
enum { THREAD_STACK = 4 << 20 };

/* Starts a thread with THREAD_STACK bytes. Returns 0, or the error number. */
int thread_start(pthread_t *thread, void *(*work)(void *), void *context);

/* Calls `work` once: in this thread if its stack has THREAD_STACK bytes, else in another one, for which
 * it waits. Returns false, with errno set, if no thread can be started. */
bool thread_call(void *(*work)(void *), void *context);

#endif
