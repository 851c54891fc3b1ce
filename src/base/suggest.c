#include "suggest.h"

#include <string.h>

enum { WORD_MAX = 64 };

/* Computes the edit distance (Levenshtein 1966) between two words, row by row. */
static int edit_distance(const char *a, const char *b, size_t b_length)
{
    int row[WORD_MAX + 1];
    for (size_t j = 0; j <= b_length; j++)
        row[j] = (int)j;
    for (size_t i = 0; a[i] != '\0'; i++) {
        int diagonal = row[0];
        row[0] = (int)i + 1;
        for (size_t j = 0; j < b_length; j++) {
            const int above = row[j + 1], change = diagonal + (a[i] != b[j]);
            const int step = (above < row[j] ? above : row[j]) + 1;
            row[j + 1] = step < change ? step : change;
            diagonal = above;
        }
    }
    return row[b_length];
}

void suggest_init(struct suggestion *s, const char *word)
{
    size_t length = strlen(word);
    *s = (struct suggestion){.word = word, .distance = length < 3 ? 2 : (int)(length / 3) + 1};
}

void suggest_offer(struct suggestion *s, const char *spelling, const char *name)
{
    size_t length = strlen(spelling);
    if (length > WORD_MAX || strlen(s->word) > WORD_MAX)
        return;
    int distance = edit_distance(s->word, spelling, length);
    if (distance >= s->distance)
        return;
    s->distance = distance;
    s->name = name;
}
