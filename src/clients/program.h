/* Finds programs by name. */
#ifndef GRAYLING_PROGRAM_H
#define GRAYLING_PROGRAM_H

#include "error.h"

enum { PROGRAM_PATH = 4096 };

/* Finds a program: a name with a slash is a path; others are looked up on the PATH, then in
 * /usr/games, Debian's folder of games, which is often not on the PATH. False, with the reason, if
 * there is none that can be executed. */
bool program_find(const char *name, char file[PROGRAM_PATH], struct error *err);

#endif
