/* "did you mean ...?": finds the known name closest to a misspelt one. */
#ifndef GRAYLING_SUGGEST_H
#define GRAYLING_SUGGEST_H

/* Owned by the caller; there is nothing to release. Borrows the word and the names. */
struct suggestion {
    const char *word;
    const char *name; /* the closest so far, or NULL if none is close */
    int distance;     /* edits from the word to that name; a closer name has fewer */
};

/* Starts a search for a name close to `word`. Close means at most one edit per three letters. A
 * word of one or two letters allows one edit. */
void suggest_init(struct suggestion *s, const char *word);

/* Offers a known name: compares `word` with `spelling`, and suggests `name`. */
void suggest_offer(struct suggestion *s, const char *spelling, const char *name);

#endif
