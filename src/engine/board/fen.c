/* FEN parsing and writing.
 *
 * The parser reads strictly, field by field, then checks the whole position against the invariants
 * of position.h. Each error names the field and the column. */
#include "movegen.h"
#include "position.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char piece_letters[] = "PNBRQKpnbrqk";
static const char castling_letters[] = "KQkq";
static const char *const names[] = {[WHITE] = "White", [BLACK] = "Black"};

/* The parser's position and current field. */
struct reader {
    const char *start, *at;
    const char *field;
    struct error *err;
};

/* ---- errors ---- */

/* Reports an error at `at`, in the current field. Returns false. */
__attribute__((format(printf, 3, 4))) static bool wrong(const struct reader *r, const char *at,
                                                        const char *format, ...)
{
    char reason[256];
    va_list args;
    va_start(args, format);
    vsnprintf(reason, sizeof reason, format, args);
    va_end(args);
    return error_set(r->err, "FEN column %d, %s: %s", (int)(at - r->start) + 1, r->field, reason);
}

/* Formats the character at `at` for an error message. The text lives as long as the block around it. */
#define SHOWN(at) shown(at, (char[16]){""})

static const char *shown(const char *at, char text[16])
{
    unsigned char c = (unsigned char)*at;
    if (c == '\0')
        return "the end";
    snprintf(text, 16, isprint(c) ? "'%c'" : "byte 0x%02x", c);
    return text;
}

/* ---- characters ---- */

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Whether a field may end before this character: separators that other formats put after a FEN. */
static bool ends_field(char c)
{
    return c == '\0' || is_space(c) || c == ';' || c == ',' || c == '|';
}

static const char *skip_spaces(const char *at)
{
    while (is_space(*at))
        at++;
    return at;
}

/* Moves to the next field, which must exist, after a space. */
static bool next_field(struct reader *r, const char *field, const char *expected)
{
    if (!is_space(*r->at) && *r->at != '\0')
        return wrong(r, r->at, "%s follows, expected a space", SHOWN(r->at));
    r->field = field;
    r->at = skip_spaces(r->at);
    return *r->at != '\0' || wrong(r, r->at, "missing, expected %s", expected);
}

/* ---- the fields ---- */

/* Reads the eight ranks: pieces, and numbers of empty squares. */
static bool read_pieces(struct reader *r, struct position *p)
{
    int rank = 7, file = 0;
    r->field = "pieces";
    r->at = skip_spaces(r->at);
    if (*r->at == '\0')
        return wrong(r, r->at, "missing, expected eight ranks");
    for (;; r->at++) {
        const char c = *r->at, *letter = c == '\0' ? NULL : strchr(piece_letters, c);
        const int width = letter != NULL ? 1 : c - '0';
        if (c == '/' || ends_field(c)) {
            if (file < 8)
                return wrong(r, r->at, "rank %d has %d of 8 squares", rank + 1, file);
            if (rank == 0)
                return c != '/' || wrong(r, r->at, "'/' after rank 1, expected a space");
            if (c != '/')
                return wrong(r, r->at, "ends after rank %d, expected '/' and %d more", rank + 1,
                             rank);
            rank--;
            file = 0;
            continue;
        }
        if (width < 1 || width > 8)
            return wrong(r, r->at, "%s in rank %d, expected one of PNBRQKpnbrqk or 1 to 8",
                         SHOWN(r->at), rank + 1);
        if (file + width > 8)
            return wrong(r, r->at, "rank %d has more than 8 squares", rank + 1);
        if (letter != NULL) {
            const int index = (int)(letter - piece_letters), square = square_at(file, rank);
            p->by_kind[index % 6] |= bit(square);
            p->by_color[index < 6 ? WHITE : BLACK] |= bit(square);
            p->board[square] = (uint8_t)(index % 6);
        }
        file += width;
    }
}

static bool read_side(struct reader *r, struct position *p)
{
    if (!next_field(r, "side to move", "w or b"))
        return false;
    if (*r->at != 'w' && *r->at != 'b')
        return wrong(r, r->at, "%s, expected w or b", SHOWN(r->at));
    p->side = *r->at++ == 'w' ? WHITE : BLACK;
    return true;
}

/* The castling rights of the field, as far as it is read. */
struct rights {
    Bitboard named; /* rooks given by their files */
    Bitboard outer; /* outermost rooks given by KQkq */
    Bitboard home;  /* those in a corner, with the king on the e-file */
    bool missing;   /* one of KQkq has no such rook */
};

/* The rook of Chess960 that K or Q means: the outermost on that side of the king, if both stand on the
 * first rank of `side`. Empty if there is none. */
static Bitboard outermost_rook(const struct position *p, enum color side, int flag)
{
    Bitboard first = rank_bits(side == WHITE ? 0 : 7), left = position_pieces(p, side, KING) - 1;
    Bitboard rooks = position_pieces(p, side, ROOK) & first & (flag == CASTLE_SHORT ? ~left : left);
    if (rooks == 0 || (position_pieces(p, side, KING) & first) == 0)
        return 0;
    return flag == CASTLE_SHORT ? bit(63 - __builtin_clzll(rooks)) : rooks & -rooks;
}

/* Reads one of KQkq. */
static void read_usual_right(const struct position *p, int index, struct rights *rights)
{
    enum color side = index < 2 ? WHITE : BLACK;
    Bitboard rook = outermost_rook(p, side, index % 2 == 0 ? CASTLE_SHORT : CASTLE_LONG);
    Bitboard corner = bit(square_relative(index % 2 == 0 ? 7 : 0, side));
    rights->outer |= rook;
    rights->missing |= rook == 0;
    if (square_file(position_king(p, side)) == 4)
        rights->home |= rook & corner;
}

/* Reads the file of a rook of `side`. */
static bool read_named_right(const struct reader *r, const struct position *p, enum color side,
                             struct rights *rights)
{
    Bitboard first = rank_bits(side == WHITE ? 0 : 7), king = position_pieces(p, side, KING);
    Bitboard rook = first & file_bits(*r->at - (side == WHITE ? 'A' : 'a'));
    if ((king & first) == 0)
        return wrong(r, r->at, "%c, but %s's king is not on rank %d", *r->at, names[side],
                     side == WHITE ? 1 : 8);
    if ((rook & position_pieces(p, side, ROOK)) == 0)
        return wrong(r, r->at, "%c, but %s has no rook on %c%d", *r->at, names[side],
                     'a' + square_file(bits_first(rook)), side == WHITE ? 1 : 8);
    rights->named |= rook;
    return true;
}

/* Whether two rooks castle to one side. */
static bool has_two_rooks(const struct position *p, enum color side)
{
    int king = position_king(p, side);
    return bits_many(position_castling_rook(p, side, king, CASTLE_SHORT)) ||
           bits_many(position_castling_rook(p, side, king, CASTLE_LONG));
}

/* Whether KQkq are rights of Chess960. Real suites of standard chess have some whose king or rook is not
 * at home: often another right is, or they are of one side, whose king is on the e-file. */
static bool is_chess960(const struct position *p, const struct rights *rights)
{
    Bitboard away = rights->outer & ~rights->home;
    bool off = false, both = true;
    for (enum color side = WHITE; side <= BLACK; side++) {
        bool one = (away & p->by_color[side]) != 0;
        off |= one && square_file(position_king(p, side)) != 4;
        both &= one;
    }
    return !rights->missing && (rights->named != 0 || (off ? rights->home == 0 : both));
}

static bool read_castling(struct reader *r, struct position *p)
{
    struct rights rights = {0};
    if (!next_field(r, "castling", "some of KQkq or -"))
        return false;
    if (*r->at == '-') {
        r->at++;
        return true;
    }
    for (const char *start = r->at; !ends_field(*r->at); r->at++) {
        const char *letter = strchr(castling_letters, *r->at);
        enum color side = *r->at < 'a' ? WHITE : BLACK;
        if (memchr(start, *r->at, (size_t)(r->at - start)) != NULL)
            return wrong(r, r->at, "%c appears twice", *r->at);
        if (letter != NULL)
            read_usual_right(p, (int)(letter - castling_letters), &rights);
        else if (strchr("ABCDEFGHabcdefgh", *r->at) == NULL)
            return wrong(r, r->at, "%s, expected some of KQkq, files of rooks or -", SHOWN(r->at));
        else if (!read_named_right(r, p, side, &rights))
            return false;
        p->castling = rights.named | rights.outer;
        if (has_two_rooks(p, side))
            return wrong(r, r->at, "%c is a second rook on that side of %s's king", *r->at,
                         names[side]);
    }
    p->castling = rights.named | (is_chess960(p, &rights) ? rights.outer : rights.home);
    return true;
}

/* Whether an enemy pawn may have just passed over `ep`. */
static bool was_passed(const struct position *p, int ep)
{
    int forward = p->side == WHITE ? 8 : -8;
    Bitboard pawns = position_pieces(p, color_other(p->side), PAWN);
    Bitboard empty = ~position_occupied(p);
    return (empty & bit(ep)) != 0 && (empty & bit(ep + forward)) != 0 &&
           (pawns & bit(ep - forward)) != 0;
}

static bool read_ep(struct reader *r, struct position *p)
{
    char rank = p->side == WHITE ? '6' : '3';
    if (!next_field(r, "en passant", "a square or -"))
        return false;
    if (*r->at == '-') {
        r->at++;
        return true;
    }
    if (*r->at < 'a' || *r->at > 'h')
        return wrong(r, r->at, "%s, expected a square on rank %c or -", SHOWN(r->at), rank);
    if (r->at[1] != rank)
        return wrong(r, r->at + 1, "%s, expected rank %c, since %s is to move", SHOWN(r->at + 1),
                     rank, names[p->side]);
    int ep = square_at(r->at[0] - 'a', rank - '1');
    if (!was_passed(p, ep))
        return wrong(r, r->at, "no pawn has just passed over %.2s", r->at);
    p->ep = (uint8_t)ep;
    r->at += 2;
    return true;
}

/* ---- the counters ---- */

/* The length of a number that fills a field: digits up to a field end; 0 if it is not one. */
static int number_length(const char *at)
{
    int length = (int)strspn(at, "0123456789");
    return ends_field(at[length]) ? length : 0;
}

/* Reads a number from 0 to `max`. */
static bool read_number(struct reader *r, int max, int *number)
{
    int length = number_length(r->at);
    if (length == 0)
        return wrong(r, r->at, "%s, expected a number", SHOWN(r->at));
    *number = 0;
    for (int i = 0; i < length && *number <= max; i++)
        *number = *number * 10 + (r->at[i] - '0');
    if (*number > max)
        return wrong(r, r->at, "%.*s is more than %d", length > 20 ? 20 : length, r->at, max);
    r->at += length;
    return true;
}

/* Reads the counters if both are there; else they are 0 and 1. Some programs write 0 for 1. */
static bool read_counters(struct reader *r, struct position *p, bool whole)
{
    int halfmove = 0, fullmove = 1;
    const char *at = skip_spaces(r->at);
    int length = is_space(*r->at) ? number_length(at) : 0;
    bool both = length != 0 && is_space(at[length]) && number_length(skip_spaces(at + length)) != 0;
    if (both || (whole && *at != '\0')) {
        if (!next_field(r, "halfmove clock", "a number") || !read_number(r, 255, &halfmove) ||
            !next_field(r, "move number", "a number") || !read_number(r, FULLMOVE_MAX, &fullmove))
            return false;
    }
    p->halfmove = (uint16_t)halfmove;
    p->fullmove = fullmove == 0 ? 1 : fullmove;
    return true;
}

/* ---- the position as a whole ---- */

/* Checks a side's pieces: one king, at most sixteen pieces and eight pawns, no more promoted pieces than missing
 * pawns, and no pawn on the first or last rank. */
static bool check_army(const struct reader *r, const struct position *p, enum color side)
{
    static const int initial[] = {8, 2, 2, 2, 1, 1};
    int count[6], promoted = 0;
    for (int kind = PAWN; kind <= KING; kind++) {
        count[kind] = bits_count(position_pieces(p, side, kind));
        if (kind != PAWN && count[kind] > initial[kind])
            promoted += count[kind] - initial[kind];
    }
    if (count[KING] != 1)
        return wrong(r, r->start, "%s has %d kings, expected one", names[side], count[KING]);
    if (count[PAWN] > 8)
        return wrong(r, r->start, "%s has %d pawns, expected at most 8", names[side], count[PAWN]);
    if (promoted > 8 - count[PAWN])
        return wrong(r, r->start, "%s's promoted pieces (%d) are more than its missing pawns (%d)",
                     names[side], promoted, 8 - count[PAWN]);
    if ((position_pieces(p, side, PAWN) & (rank_bits(0) | rank_bits(7))) != 0)
        return wrong(r, r->start, "a pawn on the first or last rank");
    return true;
}

/* The side that just moved must not be in check. */
static bool check_turn(const struct reader *r, const struct position *p)
{
    enum color us = p->side, them = color_other(us);
    Bitboard attackers = position_attackers(p, position_king(p, them), position_occupied(p));
    if ((attackers & p->by_color[us]) == 0)
        return true;
    return wrong(r, r->at - 1, "%s is in check, though %s is to move", names[them], names[us]);
}

/* Clears the en passant square unless a capture there is legal. */
static void drop_useless_ep(struct position *p)
{
    struct move_list list;
    movegen_between(p, ~(Bitboard)0, bit(p->ep), &list);
    for (int i = 0; i < list.count; i++)
        if (move_flag(list.moves[i]) == EN_PASSANT)
            return;
    p->ep = NO_SQUARE;
}

bool position_from_fen(struct position *p, const char *fen, const char **rest, struct error *err)
{
    struct reader r = {.start = fen, .at = fen, .err = err};
    *p = (struct position){.ep = NO_SQUARE};
    memset(p->board, NO_KIND, sizeof p->board);
    if (!read_pieces(&r, p) || !check_army(&r, p, WHITE) || !check_army(&r, p, BLACK) ||
        !read_side(&r, p) || !check_turn(&r, p) || !read_castling(&r, p) || !read_ep(&r, p) ||
        !read_counters(&r, p, rest == NULL))
        return false;
    if (!ends_field(*r.at))
        return wrong(&r, r.at, "%s follows, expected a space", SHOWN(r.at));
    r.at = skip_spaces(r.at);
    if (rest == NULL && *r.at != '\0')
        return wrong(&r, r.at, "%s follows, expected the end", SHOWN(r.at));
    if (p->ep != NO_SQUARE)
        drop_useless_ep(p);
    p->key = position_compute_key(p);
    if (rest != NULL)
        *rest = r.at;
    return true;
}

/* ---- writing ---- */

/* Writes the eight ranks. Returns the end of the text. */
static char *write_pieces(const struct position *p, char *to)
{
    for (int rank = 7; rank >= 0; rank--) {
        int empty = 0;
        for (int file = 0; file < 8; file++) {
            int square = square_at(file, rank);
            if (p->board[square] == NO_KIND) {
                empty++;
                continue;
            }
            if (empty > 0)
                *to++ = (char)('0' + empty);
            empty = 0;
            *to++ = piece_letters[p->board[square] + 6 * (p->by_color[BLACK] >> square & 1)];
        }
        if (empty > 0)
            *to++ = (char)('0' + empty);
        *to++ = rank > 0 ? '/' : ' ';
    }
    return to;
}

/* Writes the castling rights and the en passant square. Returns the end of the text. */
static char *write_rights(const struct position *p, char *to)
{
    const bool files = position_is_chess960(p);
    for (int i = 0; i < 4; i++) {
        enum color side = i < 2 ? WHITE : BLACK;
        Bitboard rook = position_castling_rook(p, side, position_king(p, side),
                                               i % 2 == 0 ? CASTLE_SHORT : CASTLE_LONG);
        if (rook != 0)
            *to++ = files ? (char)((side == WHITE ? 'A' : 'a') + square_file(bits_first(rook)))
                          : castling_letters[i];
    }
    if (p->castling == 0)
        *to++ = '-';
    *to++ = ' ';
    if (p->ep == NO_SQUARE) {
        *to++ = '-';
        return to;
    }
    *to++ = (char)('a' + square_file(p->ep));
    *to++ = (char)('1' + square_rank(p->ep));
    return to;
}

int position_to_fen(const struct position *p, char fen[FEN_MAX])
{
    char *to = write_pieces(p, fen);
    *to++ = p->side == WHITE ? 'w' : 'b';
    *to++ = ' ';
    to = write_rights(p, to);
    to += snprintf(to, (size_t)(fen + FEN_MAX - to), " %d %d", p->halfmove,
                   p->fullmove < FULLMOVE_MAX ? p->fullmove : FULLMOVE_MAX);
    return (int)(to - fen);
}
