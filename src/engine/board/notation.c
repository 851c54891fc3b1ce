/* Move parsing and writing.
 *
 * The parser reads a move backwards, because its end is regular:
 *
 *     piece?  file?  rank?  (x - :)?  target  promotion?  decoration*
 *
 * The text yields a set of from squares and a set of to squares; the legal moves between them
 * decide. UCI text is the case in which both file and rank of the from square are given. */
#include "notation.h"

#include "attacks.h"

#include <stdio.h>
#include <string.h>

static const char piece_letters[] = "PNBRQK";

/* ---- writing ---- */

/* Appends a square's name and returns the end. */
static char *write_square(char *to, int square)
{
    *to++ = (char)('a' + square_file(square));
    *to++ = (char)('1' + square_rank(square));
    return to;
}

/* Writes the disambiguation of a move: the file if that suffices, else the rank, else both. */
static char *write_departure(const struct position *p, Move m, enum kind kind, char *to)
{
    struct move_list list;
    int from = move_from(m);
    Bitboard others = 0;
    movegen_between(p, p->by_kind[kind], bit(move_to(m)), &list);
    for (int i = 0; i < list.count; i++)
        others |= bit(move_from(list.moves[i]));
    others &= ~bit(from);
    bool same_file = (others & file_bits(square_file(from))) != 0;
    bool same_rank = (others & rank_bits(square_rank(from))) != 0;
    if (others != 0 && (!same_file || same_rank))
        *to++ = (char)('a' + square_file(from));
    if (same_file)
        *to++ = (char)('1' + square_rank(from));
    return to;
}

/* Writes the move without the check sign. Returns the end. */
static char *write_body(const struct position *p, Move m, char *to)
{
    enum kind kind = p->board[move_from(m)];
    if (kind != PAWN) {
        *to++ = piece_letters[kind];
        to = kind == KING ? to : write_departure(p, m, kind, to);
    } else if (move_is_capture(m)) {
        *to++ = (char)('a' + square_file(move_from(m)));
    }
    if (move_is_capture(m))
        *to++ = 'x';
    to = write_square(to, move_to(m));
    if (move_is_promotion(m)) {
        *to++ = '=';
        *to++ = piece_letters[move_promotion(m)];
    }
    return to;
}

/* Writes the check or mate sign of the move, if any. Returns the end. */
static char *write_check(const struct position *p, Move m, char *to)
{
    struct position next = *p;
    struct undo undo;
    position_make(&next, m, &undo);
    if (position_in_check(&next))
        *to++ = movegen_any(&next) ? '+' : '#';
    return to;
}

int move_to_san(const struct position *p, Move m, char san[SAN_MAX])
{
    char *end;
    if (move_is_castling(m))
        end = stpcpy(san, move_flag(m) == CASTLE_SHORT ? "O-O" : "O-O-O");
    else
        end = write_body(p, m, san);
    end = write_check(p, m, end);
    *end = '\0';
    return (int)(end - san);
}

/* Writes a move in UCI that goes to this square. */
static int write_uci(Move m, int to, char uci[UCI_MAX])
{
    char *end;
    if (m == NO_MOVE) {
        end = stpcpy(uci, "0000");
    } else {
        end = write_square(write_square(uci, move_from(m)), to);
        if (move_is_promotion(m))
            *end++ = "pnbrq"[move_promotion(m)];
        *end = '\0';
    }
    return (int)(end - uci);
}

int move_to_uci(const struct position *p, Move m, char uci[UCI_MAX])
{
    if (move_is_castling(m) && position_is_chess960(p))
        return move_to_uci960(p, m, uci);
    return write_uci(m, move_to(m), uci);
}

int move_to_uci960(const struct position *p, Move m, char uci[UCI_MAX])
{
    int to = move_to(m);
    if (move_is_castling(m))
        to = bits_first(position_castling_rook(p, p->side, move_from(m), move_flag(m)));
    return write_uci(m, to, uci);
}

/* ---- reading: the text ---- */

/* The content of a move's text. */
struct parsed_move {
    Bitboard from, to;   /* squares that match the text */
    enum kind kind;      /* the piece; NO_KIND if UCI text leaves it open */
    enum kind promotion; /* NO_KIND if not given */
    int castling;        /* CASTLE_SHORT or CASTLE_LONG if the text says so; else 0 */
};

/* The unparsed text: from `start` up to `end`. */
struct scan {
    const char *start, *end;
};

/* Removes and returns the last character if it is in `set`, else returns '\0'. */
static char take_last(struct scan *s, const char *set)
{
    if (s->start == s->end || s->end[-1] == '\0' || strchr(set, s->end[-1]) == NULL)
        return '\0';
    return *--s->end;
}

/* Removes this word from the end; false if it is not there. */
static bool take_word(struct scan *s, const char *word)
{
    size_t length = strlen(word);
    if ((size_t)(s->end - s->start) < length || memcmp(s->end - length, word, length) != 0)
        return false;
    s->end -= length;
    return true;
}

/* Removes suffixes that do not identify the move: check, mate, annotation signs, "e.p.". */
static void take_decoration(struct scan *s)
{
    while (take_last(s, "+#!?= ") != '\0' || take_word(s, "e.p.") || take_word(s, "ep"))
        continue;
}

/* The piece kind of a letter, upper or lower case. */
static enum kind kind_of(char letter)
{
    static const char letters[] = "PNBRQKpnbrqk";
    return (enum kind)((strchr(letters, letter) - letters) % 6);
}

/* Removes a promotion: "=Q", "(Q)", "/Q", or the bare letter after the rank. */
static enum kind take_promotion(struct scan *s)
{
    struct scan before = *s;
    take_last(s, ")");
    char letter = take_last(s, "NBRQnbrq");
    if (letter != '\0' && s->end > s->start && strchr("=(/12345678", s->end[-1]) != NULL) {
        take_last(s, "=(/");
        return kind_of(letter);
    }
    *s = before;
    return NO_KIND;
}

/* Makes the squares those of castling. */
static void set_castling(const struct position *p, int castling, struct parsed_move *parsed)
{
    parsed->from = position_pieces(p, p->side, KING);
    parsed->to = bit(square_relative(castling == CASTLE_SHORT ? 6 : 2, p->side));
    parsed->castling = castling;
}

/* Parses "O-O" and "O-O-O", also with zeros or lower-case letters, as a king move. */
static bool read_castling(struct scan s, const struct position *p, struct parsed_move *parsed)
{
    int wings = 0;
    while (take_last(&s, "O0o") != '\0') {
        wings++;
        if (s.start == s.end)
            break;
        if (take_last(&s, "-") == '\0')
            return false;
    }
    if (s.start != s.end || wings < 2 || wings > 3)
        return false;
    *parsed = (struct parsed_move){.kind = KING, .promotion = NO_KIND};
    set_castling(p, wings == 2 ? CASTLE_SHORT : CASTLE_LONG, parsed);
    return true;
}

/* Understands a king who takes a rook with which he may castle. */
static void take_own_rook(const struct position *p, struct parsed_move *parsed)
{
    if ((parsed->to & p->castling) != 0 && parsed->from == position_pieces(p, p->side, KING))
        set_castling(p, parsed->to > parsed->from ? CASTLE_SHORT : CASTLE_LONG, parsed);
}

/* Parses any other move backwards. */
static bool read_plain(struct scan s, struct parsed_move *parsed)
{
    const char *files = "abcdefgh", *ranks = "12345678";
    parsed->castling = 0;
    parsed->promotion = take_promotion(&s);
    char to_rank = take_last(&s, ranks), to_file = take_last(&s, files);
    if (to_rank == '\0' || to_file == '\0')
        return false;
    take_last(&s, "x-:");
    char rank = take_last(&s, ranks), file = take_last(&s, files);
    char letter = take_last(&s, piece_letters);
    if (s.start != s.end)
        return false;
    parsed->to = bit(square_at(to_file - 'a', to_rank - '1'));
    parsed->from = ~(Bitboard)0;
    if (rank != '\0')
        parsed->from &= rank_bits(rank - '1');
    if (file != '\0')
        parsed->from &= file_bits(file - 'a');
    bool uci = letter == '\0' && rank != '\0' && file != '\0';
    parsed->kind = letter != '\0' ? kind_of(letter) : uci ? NO_KIND : PAWN;
    return true;
}

/* ---- reading: the position ---- */

/* Restricts the from squares to pieces of the kind that could reach the target, so that fewer moves are generated. */
static Bitboard departures(const struct position *p, const struct parsed_move *parsed)
{
    const enum kind kind = parsed->kind;
    const Bitboard from = parsed->from & p->by_color[p->side];
    if (kind == NO_KIND)
        return from;
    const bool far = kind != PAWN && kind != KING; /* a king may castle */
    return from & p->by_kind[kind] &
           (far ? piece_attacks(kind, bits_first(parsed->to), position_occupied(p)) : ~(Bitboard)0);
}

/* Lists the legal moves that match the text. A pawn move to the last rank must name its promotion,
 * otherwise all four match. A king's move is castling if it can be nothing else. */
static void list_fitting(const struct position *p, const struct parsed_move *parsed,
                         struct move_list *fitting)
{
    movegen_between(p, departures(p, parsed), parsed->to, fitting);
    int count = 0;
    Move castling = NO_MOVE;
    for (int i = 0; i < fitting->count; i++) {
        Move m = fitting->moves[i];
        if (parsed->promotion != NO_KIND && move_promotion(m) != parsed->promotion)
            continue;
        if (move_is_castling(m))
            castling = m;
        else if (parsed->castling == 0)
            fitting->moves[count++] = m;
    }
    if (count == 0 && castling != NO_MOVE)
        fitting->moves[count++] = castling;
    fitting->count = count;
}

/* Reports the moves that the text matches. */
static bool ambiguous(const struct position *p, const char *text, int length,
                      const struct move_list *fitting, struct error *err)
{
    char first[SAN_MAX], second[SAN_MAX];
    move_to_san(p, fitting->moves[0], first);
    move_to_san(p, fitting->moves[1], second);
    return error_set(err, "\"%.*s\" is ambiguous: it could be %s or %s", length, text, first,
                     second);
}

bool move_from_text(const struct position *p, const char *text, int length, Move *m,
                    struct error *err)
{
    struct scan s = {text, text + length};
    struct parsed_move parsed;
    int shown = length < 20 ? length : 20;
    take_decoration(&s);
    if (!read_castling(s, p, &parsed) && !read_plain(s, &parsed))
        return error_set(err, "\"%.*s\" is not a move, expected one such as Nf3, exd5 or g1f3",
                         shown, text);
    take_own_rook(p, &parsed);
    struct move_list fitting;
    list_fitting(p, &parsed, &fitting);
    if (fitting.count == 0)
        return error_set(err, "\"%.*s\" is not a legal move here", shown, text);
    if (fitting.count > 1)
        return ambiguous(p, text, shown, &fitting, err);
    *m = fitting.moves[0];
    return true;
}
