/* Consent to the command lines of files. A run, a recipe's space or a parameter file may come from anybody, and may
 * say how an engine is started. Such a command line is started only if one of these holds:
 *
 *   - it is our own engine: grayling-uci, or `grayling uci`, from the folder of this program;
 *   - it is the bare name of a program in an absolute folder of the PATH, or in /usr/games: without
 *     arguments it can only start what the user has installed;
 *   - the user has agreed to it before: with --trust, at the question below, or by giving it to
 *     `grayling init`, `grayling space` or `grayling trace`, which write it into a file;
 *   - he agrees now: with --trust, with GRAYLING_TRUST=1 in the environment, of which nothing is kept,
 *     or by answering a question on the terminal.
 *
 * What was agreed to is kept in $XDG_STATE_HOME/grayling/trusted, or that of ~/.local/state: a line for
 * each command line, its checksum and its text. The checksum is that of the program's absolute path
 * and the arguments, with the working directory if an argument may name something in it.
 *
 * A command that reads a file asks here before an engine of the file is started. What the user types
 * on the command line of this program needs no consent, and other ranks start what the first one did. */
#ifndef GRAYLING_TRUST_H
#define GRAYLING_TRUST_H

#include "night_recipe.h"

/* From now on this process agrees to all command lines: the `take` of --trust (options.h). */
bool option_trust(void *target, const char *text, struct error *err);

/* Keeps a command line that the user typed as one that he agrees to. One that cannot be kept is asked
 * for when a file has it. */
void trust_typed(const char *command);

/* True if a command line of `file` may be started, as seen from the working directory. NULL may. Else
 * false with the reason, which shows it and names --trust. */
bool trust_command(const char *file, const char *command, struct error *err);

/* The same of the command of a space file, or of the engine that `plays` with its values. A file that
 * cannot be read, or has none, is left to its reader. */
bool trust_space(const char *path, bool plays, struct error *err);

/* The same of all that a recipe starts, or the recipes of a night, or the recipe of the run at `path`. */
bool trust_recipe(const struct recipe *recipe, struct error *err);
bool trust_night(const struct night_recipe *night, struct error *err);
bool trust_run(const char *path, struct error *err);

#endif
