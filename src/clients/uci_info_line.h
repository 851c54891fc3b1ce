/* The line `info` of a UCI engine. */
#ifndef GRAYLING_UCI_INFO_LINE_H
#define GRAYLING_UCI_INFO_LINE_H

#include "uci_client.h"
#include "uci_words.h"

/* Parses the words after `info` in a search of position `p`, and adds to `info` what they give:
 * depth, nodes, time, score, and the first move of the pv if it is legal. The score is a bound if
 * the line says so anywhere. Returns true if they hold
 * depth, nodes, score or pv. Skips unknown and unreadable words, and all after `string`. The depth
 * of a line with `currmove` is that of a search in progress, and is left out. Nodes never go back.
 * If `info->line` is not 1 afterwards, the line is about another variation than the best (multipv):
 * score and move are those that it gives, or none. `info->judges` is of this line alone. */
bool uci_info_line_read(struct words words, const struct position *p, struct uci_info *info);

#endif
