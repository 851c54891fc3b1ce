/* Messages between the ranks of a run: blocks of bytes, which arrive in the order in which a rank
 * sent them to another. MPI carries them (jobs_mpi.c).
 *
 * Only the thread that opened the post uses it. No function waits for another rank, except
 * post_open and post_close, for which all ranks meet, and post_flush, which has a limit. */
#ifndef GRAYLING_POST_H
#define GRAYLING_POST_H

#include "error.h"

#include <stddef.h>

enum { POST_HOST = 64 };

struct post;

/* Opens the post between all ranks. */
struct post *post_open(struct error *err);

int post_rank(const struct post *p); /* of this process, from 0 */
int post_ranks(const struct post *p);
const char *post_host(const struct post *p); /* the name of this machine */

/* Sends malloc'ed bytes, which the post frees. False if the other rank is known to be gone. */
bool post_send(struct post *p, int to, void *bytes, size_t size);

/* Takes the next message, malloc'ed with room for one byte more. False if there is none now. */
bool post_receive(struct post *p, int *from, void **bytes, size_t *size);

/* Waits until all messages are on their way. False if that takes longer. */
bool post_flush(struct post *p, double seconds);

/* Closes the post; all ranks must do so. */
void post_close(struct post *p);

/* Ends all ranks, where one is gone and cannot close. Does not return. */
_Noreturn void post_abort(struct post *p, int code);

#endif
