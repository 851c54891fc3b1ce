/* "did you mean ...?": the known name that is closest to a misspelt one. */
#ifndef GRAYLING_SUGGEST_H
#define GRAYLING_SUGGEST_H

/* Owned by the caller, nothing to release; borrows the word and the names. */
struct suggestion {
    const char *word;
    const char *name; /* the best so far, or NULL when none is close */
    int distance;     /* edits between the word and that name */
};

/* Begins the search for a name close to `word`: at most one edit in three letters. */
void suggest_init(struct suggestion *s, const char *word);

/* Offers a known name; `spelling` is what is compared, `name` what is proposed. */
void suggest_offer(struct suggestion *s, const char *spelling, const char *name);

#endif
