/* Move text in and out.
 *
 * Reading takes a move apart from its end, where it is regular, to its beginning:
 *
 *     piece?  file?  rank?  (x - :)?  target  promotion?  decoration*
 *
 * What it names becomes two sets of squares, and the legal moves from the one to the other decide.
 * UCI text is the case in which the file and the rank of departure are both there. */
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

/* Says which of several pieces of a kind moves: by its file if that will do, else by its rank, else
 * by both. */
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

/* Writes all but the sign of check, and returns the end. */
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

/* Writes the sign of check or mate that the move gives, if any, and returns the end. */
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
    if (move_flag(m) == CASTLE_SHORT || move_flag(m) == CASTLE_LONG)
        end = stpcpy(san, move_flag(m) == CASTLE_SHORT ? "O-O" : "O-O-O");
    else
        end = write_body(p, m, san);
    end = write_check(p, m, end);
    *end = '\0';
    return (int)(end - san);
}

int move_to_uci(Move m, char uci[UCI_MAX])
{
    char *end;
    if (m == NO_MOVE) {
        end = stpcpy(uci, "0000");
    } else {
        end = write_square(write_square(uci, move_from(m)), move_to(m));
        if (move_is_promotion(m))
            *end++ = "pnbrq"[move_promotion(m)];
        *end = '\0';
    }
    return (int)(end - uci);
}

/* ---- reading: the text ---- */

/* What a move's text says. */
struct spoken {
    Bitboard from, to;   /* squares that fit it */
    enum kind kind;      /* the piece named; NO_KIND where UCI leaves it open */
    enum kind promotion; /* NO_KIND when none is named */
};

/* What is left of the text: from `start` up to `end`. */
struct scan {
    const char *start, *end;
};

/* Takes the last character off if it is one of these, and returns it, else '\0'. */
static char take_last(struct scan *s, const char *set)
{
    if (s->start == s->end || s->end[-1] == '\0' || strchr(set, s->end[-1]) == NULL)
        return '\0';
    return *--s->end;
}

/* Takes this word off the end. */
static bool take_word(struct scan *s, const char *word)
{
    size_t length = strlen(word);
    if ((size_t)(s->end - s->start) < length || memcmp(s->end - length, word, length) != 0)
        return false;
    s->end -= length;
    return true;
}

/* Takes off what says nothing about which move it is: check, mate, praise and blame, "e.p.". */
static void take_decoration(struct scan *s)
{
    while (take_last(s, "+#!?= ") != '\0' || take_word(s, "e.p.") || take_word(s, "ep"))
        continue;
}

/* The kind of a letter of either case. */
static enum kind kind_of(char letter)
{
    static const char lower[] = "pnbrqk";
    const char *upper = strchr(piece_letters, letter);
    return (enum kind)(upper != NULL ? upper - piece_letters : strchr(lower, letter) - lower);
}

/* Takes off a promotion: "=Q", "(Q)", "/Q", or the bare letter behind the rank. */
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

/* Reads "O-O" and "O-O-O", also with zeros or small letters, as a move of the king. */
static bool read_castling(struct scan s, const struct position *p, struct spoken *said)
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
    enum color us = p->side;
    *said = (struct spoken){.from = bit(square_relative(4, us)),
                            .to = bit(square_relative(wings == 2 ? 6 : 2, us)),
                            .kind = KING,
                            .promotion = NO_KIND};
    return true;
}

/* Reads any other move from its end to its beginning. */
static bool read_plain(struct scan s, struct spoken *said)
{
    const char *files = "abcdefgh", *ranks = "12345678";
    said->promotion = take_promotion(&s);
    char to_rank = take_last(&s, ranks), to_file = take_last(&s, files);
    if (to_rank == '\0' || to_file == '\0')
        return false;
    take_last(&s, "x-:");
    char rank = take_last(&s, ranks), file = take_last(&s, files);
    char letter = take_last(&s, piece_letters);
    if (s.start != s.end)
        return false;
    said->to = bit(square_at(to_file - 'a', to_rank - '1'));
    said->from = ~(Bitboard)0;
    if (rank != '\0')
        said->from &= rank_bits(rank - '1');
    if (file != '\0')
        said->from &= file_bits(file - 'a');
    bool uci = letter == '\0' && rank != '\0' && file != '\0';
    said->kind = letter != '\0' ? kind_of(letter) : uci ? NO_KIND : PAWN;
    return true;
}

/* ---- reading: the position ---- */

/* Narrows the squares of departure to pieces of the kind that could reach the target, which spares
 * generating moves of the others. */
static Bitboard departures(const struct position *p, const struct spoken *said)
{
    Bitboard from = said->from & p->by_color[p->side], occupied = position_occupied(p);
    int to = bits_first(said->to);
    switch (said->kind) {
    case NO_KIND:
        return from;
    case KNIGHT:
        return from & p->by_kind[KNIGHT] & knight_attacks(to);
    case BISHOP:
        return from & p->by_kind[BISHOP] & bishop_attacks(to, occupied);
    case ROOK:
        return from & p->by_kind[ROOK] & rook_attacks(to, occupied);
    case QUEEN:
        return from & p->by_kind[QUEEN] & queen_attacks(to, occupied);
    default:
        return from & p->by_kind[said->kind];
    }
}

/* Lists the legal moves that fit what was said. A pawn that reaches the last rank must name its
 * promotion, or all four fit. */
static void list_fitting(const struct position *p, const struct spoken *said,
                         struct move_list *fitting)
{
    movegen_between(p, departures(p, said), said->to, fitting);
    int count = 0;
    for (int i = 0; i < fitting->count; i++) {
        Move m = fitting->moves[i];
        if (said->promotion == NO_KIND || move_promotion(m) == said->promotion)
            fitting->moves[count++] = m;
    }
    fitting->count = count;
}

/* Says between which moves the text does not decide. */
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
    struct spoken said;
    int shown = length < 20 ? length : 20;
    take_decoration(&s);
    if (!read_castling(s, p, &said) && !read_plain(s, &said))
        return error_set(err, "\"%.*s\" is not a move, expected one such as Nf3, exd5 or g1f3",
                         shown, text);
    struct move_list fitting;
    list_fitting(p, &said, &fitting);
    if (fitting.count == 0)
        return error_set(err, "\"%.*s\" is not a legal move here", shown, text);
    if (fitting.count > 1)
        return ambiguous(p, text, shown, &fitting, err);
    *m = fitting.moves[0];
    return true;
}
