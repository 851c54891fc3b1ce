#include "uci_position.h"

#include "notation.h"

#include <string.h>

enum { FEN_TEXT = 512 };

void uci_position_init(struct uci_position *p)
{
    position_from_fen(&p->position, FEN_START, NULL, NULL);
    history_init(&p->history);
}

/* Joins the words up to `moves` with spaces; false if they are too long for a FEN. */
static bool join_fen(struct words *w, char fen[FEN_TEXT])
{
    int length = 0;
    fen[0] = '\0';
    for (struct word word; (word = words_peek(w)).text != NULL && !word_is(word, "moves");) {
        words_next(w);
        if (length + word.length + 2 > FEN_TEXT)
            return false;
        if (length > 0)
            fen[length++] = ' ';
        memcpy(fen + length, word.text, (size_t)word.length);
        length += word.length;
        fen[length] = '\0';
    }
    return true;
}

/* Parses the position. */
static bool read_board(struct position *p, struct words *w, struct error *err)
{
    char fen[FEN_TEXT], shown[SHOWN];
    struct word word = words_next(w);
    if (word_is(word, "startpos"))
        return position_from_fen(p, FEN_START, NULL, err);
    if (!word_is(word, "fen"))
        return error_set(err, "expected startpos or fen, not '%s'", word_shown(word, shown));
    if (!join_fen(w, fen))
        return error_set(err, "too long for a FEN");
    return position_from_fen(p, fen, NULL, err);
}

/* Makes the moves up to the first illegal one. */
static void read_moves(struct uci_position *p, struct words *w, struct uci_text *notes)
{
    char shown[SHOWN];
    for (struct word word; (word = words_next(w)).text != NULL;) {
        struct error err;
        struct undo undo;
        Move m;
        if (!move_from_text(&p->position, word.text, word.length, &m, &err)) {
            uci_note(notes, "position: '%s' and all moves after it are ignored: %s",
                     word_shown(word, shown), err.text);
            return;
        }
        history_push(&p->history, &p->position);
        position_make(&p->position, m, &undo);
    }
}

void uci_position_read(struct uci_position *p, struct words *w, struct uci_text *notes)
{
    struct error err;
    struct uci_position read;
    char shown[SHOWN];
    history_init(&read.history);
    if (!read_board(&read.position, w, &err)) {
        uci_note(notes, "position refused, the previous one is kept: %s", err.text);
        return;
    }
    struct word word = words_next(w);
    if (word_is(word, "moves"))
        read_moves(&read, w, notes);
    else if (word.text != NULL)
        uci_note(notes, "position: '%s' is ignored; expected moves", word_shown(word, shown));
    *p = read;
}
