/* Build-time program that writes tables.c, the constant tables declared in attacks.h:
 *
 *   1. knight, king and pawn attacks, by stepping
 *   2. for each square, a magic factor for bishops and rooks and the attack sets that it indexes;
 *      factors are found by trial with a fixed generator
 *   3. the squares between two squares, and the line through them
 *   4. Zobrist keys from the same generator
 *
 * The output is the same on every machine. */
#include "chess.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct step {
    int file, rank;
};

static const struct step knight_steps[8] = {{1, 2},   {2, 1},   {2, -1}, {1, -2},
                                            {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};
static const struct step king_steps[8] = {{1, 0}, {0, 1},  {-1, 0},  {0, -1},
                                          {1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
/* The directions of rooks and bishops are four of the king's steps each. */
static const struct step *const rook_steps = king_steps;
static const struct step *const bishop_steps = king_steps + 4;
static const struct step pawn_steps[2][2] = {{{-1, 1}, {1, 1}}, {{-1, -1}, {1, -1}}};

/* The next number of SplitMix64 (Steele, Lea and Flood 2014). */
static uint64_t random_bits(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* The square one step away, or NO_SQUARE beyond the edge. */
static int step_from(int square, struct step s)
{
    int file = square_file(square) + s.file, rank = square_rank(square) + s.rank;
    bool inside = file >= 0 && file < 8 && rank >= 0 && rank < 8;
    return inside ? square_at(file, rank) : NO_SQUARE;
}

static Bitboard steps_from(int square, const struct step *steps, int count)
{
    Bitboard set = 0;
    for (int i = 0; i < count; i++) {
        int to = step_from(square, steps[i]);
        if (to != NO_SQUARE)
            set |= bit(to);
    }
    return set;
}

/* The squares along one direction, up to and including the first occupied one. */
static Bitboard ray(int square, struct step s, Bitboard occupied)
{
    Bitboard set = 0;
    for (int to = step_from(square, s); to != NO_SQUARE; to = step_from(to, s)) {
        set |= bit(to);
        if ((occupied & bit(to)) != 0)
            break;
    }
    return set;
}

/* The squares that a slider with these four directions attacks. */
static Bitboard slider_attacks(int square, const struct step *steps, Bitboard occupied)
{
    Bitboard set = 0;
    for (int i = 0; i < 4; i++)
        set |= ray(square, steps[i], occupied);
    return set;
}

/* The relevant occupancy of a slider: its rays without their last squares. */
static Bitboard slider_mask(int square, const struct step *steps)
{
    Bitboard set = 0;
    for (int i = 0; i < 4; i++) {
        Bitboard along = ray(square, steps[i], 0);
        for (int to = square; to != NO_SQUARE; to = step_from(to, steps[i]))
            if (step_from(to, steps[i]) == NO_SQUARE)
                along &= ~bit(to);
        set |= along;
    }
    return set;
}

/* ---- writing ---- */

static void write_numbers(FILE *out, const uint64_t *numbers, int count)
{
    for (int i = 0; i < count; i++)
        fprintf(out, "0x%llx,%c", (unsigned long long)numbers[i], i % 6 == 5 ? '\n' : ' ');
}

/* Writes a constant array of `count` numbers; `shape` is its type and name. The numbers of an array of arrays
 * follow one another. */
static void write_array(FILE *out, const char *shape, const uint64_t *numbers, int count)
{
    fprintf(out, "const %s = {\n", shape);
    write_numbers(out, numbers, count);
    fputs("};\n\n", out);
}

/* ---- 1. leapers ---- */

static void write_leapers(FILE *out)
{
    uint64_t knight[64], king[64], pawn[2][64];
    for (int square = 0; square < 64; square++) {
        knight[square] = steps_from(square, knight_steps, 8);
        king[square] = steps_from(square, king_steps, 8);
        pawn[WHITE][square] = steps_from(square, pawn_steps[WHITE], 2);
        pawn[BLACK][square] = steps_from(square, pawn_steps[BLACK], 2);
    }
    write_array(out, "Bitboard knight_table[64]", knight, 64);
    write_array(out, "Bitboard king_table[64]", king, 64);
    write_array(out, "Bitboard pawn_table[2][64]", pawn[0], 2 * 64);
}

/* ---- 2. magics ---- */

enum { MAX_SUBSETS = 4096 };

/* The blocker sets of a square, their attack sets, and the magic factor that separates them. */
struct search {
    Bitboard mask;
    uint64_t factor;
    int shift, subsets;
    Bitboard occupied[MAX_SUBSETS], attacks[MAX_SUBSETS];
    Bitboard table[MAX_SUBSETS]; /* attacks by magic index; 0 where unused */
};

/* Lists every blocker set on the mask with its attack set, in the order of their pext. */
static void list_subsets(struct search *s, int square, const struct step *steps)
{
    s->mask = slider_mask(square, steps);
    s->shift = 64 - bits_count(s->mask);
    s->subsets = 0;
    Bitboard occupied = 0;
    do {
        s->occupied[s->subsets] = occupied;
        s->attacks[s->subsets++] = slider_attacks(square, steps, occupied);
        occupied = (occupied - s->mask) & s->mask;
    } while (occupied != 0);
}

/* Fills the table using this factor. False if two different attack sets share an index. */
static bool factor_fits(struct search *s, uint64_t factor)
{
    memset(s->table, 0, sizeof s->table);
    s->factor = factor;
    for (int i = 0; i < s->subsets; i++) {
        Bitboard *entry = &s->table[(s->occupied[i] * factor) >> s->shift];
        if (*entry != 0 && *entry != s->attacks[i])
            return false;
        *entry = s->attacks[i];
    }
    return true;
}

/* Tries sparse random factors until one fits. Skips factors that map the mask to few high bits. */
static void find_magic(struct search *s, uint64_t *random)
{
    uint64_t factor;
    do {
        factor = random_bits(random);
        factor &= random_bits(random);
        factor &= random_bits(random);
    } while (bits_count((s->mask * factor) >> 56) < 6 || !factor_fits(s, factor));
}

/* Writes the attack sets of one kind of slider, by pext and by magic. */
static void write_attack_sets(FILE *out, const char *kind, const struct search *searches)
{
    fprintf(out, "static const Bitboard %s_attack_sets[] = {\n#if SLIDERS_BY_PEXT\n", kind);
    for (int square = 0; square < 64; square++)
        write_numbers(out, searches[square].attacks, searches[square].subsets);
    fputs("\n#else\n", out);
    for (int square = 0; square < 64; square++)
        write_numbers(out, searches[square].table, searches[square].subsets);
    fputs("\n#endif\n};\n\n", out);
}

/* Writes the attack sets and the magics of one kind of slider. */
static bool write_magics(FILE *out, const char *kind, const struct step *steps, uint64_t *random)
{
    struct search *searches = calloc(64, sizeof *searches);
    if (searches == NULL)
        return false;
    for (int square = 0; square < 64; square++) {
        list_subsets(&searches[square], square, steps);
        find_magic(&searches[square], random);
    }
    write_attack_sets(out, kind, searches);
    fprintf(out, "const struct magic %s_magics[64] = {\n", kind);
    int start = 0;
    for (int square = 0; square < 64; square++) {
        const struct search *s = &searches[square];
        fprintf(out, "{0x%llx, 0x%llx, %s_attack_sets + %d, %d},\n", (unsigned long long)s->mask,
                (unsigned long long)s->factor, kind, start, s->shift);
        start += s->subsets;
    }
    fputs("};\n\n", out);
    free(searches);
    return true;
}

/* ---- 3. lines ---- */

/* Fills in the between and line sets for all squares seen from `from` in one direction. */
static void fill_direction(int from, struct step s, uint64_t *between, uint64_t *line)
{
    struct step back = {-s.file, -s.rank};
    Bitboard whole = ray(from, s, 0) | bit(from) | ray(from, back, 0), passed = 0;
    for (int to = step_from(from, s); to != NO_SQUARE; to = step_from(to, s)) {
        between[to] = passed;
        line[to] = whole;
        passed |= bit(to);
    }
}

static void write_lines(FILE *out)
{
    uint64_t between[64][64] = {{0}}, line[64][64] = {{0}};
    for (int from = 0; from < 64; from++)
        for (int i = 0; i < 8; i++)
            fill_direction(from, king_steps[i], between[from], line[from]);
    write_array(out, "Bitboard between_table[64][64]", between[0], 64 * 64);
    write_array(out, "Bitboard line_table[64][64]", line[0], 64 * 64);
}

/* ---- 4. Zobrist keys ---- */

/* The rooks of standard chess come first, and those of Chess960 last. */
static void write_keys(FILE *out, uint64_t *random)
{
    enum { PIECE_KEYS = 2 * 6 * 64 };
    static const int corners[] = {7, 0, 63, 56};
    uint64_t pieces[PIECE_KEYS], castling[64] = {0}, ep[8];
    for (int i = 0; i < PIECE_KEYS; i++)
        pieces[i] = random_bits(random);
    write_array(out, "uint64_t zobrist_piece[2][6][64]", pieces, PIECE_KEYS);
    for (int i = 0; i < 4; i++)
        castling[corners[i]] = random_bits(random);
    for (int file = 0; file < 8; file++)
        ep[file] = random_bits(random);
    write_array(out, "uint64_t zobrist_ep[8]", ep, 8);
    fprintf(out, "const uint64_t zobrist_black = 0x%llx;\n",
            (unsigned long long)random_bits(random));
    for (Bitboard set = rank_bits(0) | rank_bits(7); set != 0;) {
        int rook = bits_pop(&set);
        castling[rook] = castling[rook] != 0 ? castling[rook] : random_bits(random);
    }
    write_array(out, "uint64_t zobrist_castling[64]", castling, 64);
}

static bool write_tables(FILE *out)
{
    uint64_t random = 2014;
    fputs("/* Written by gen_tables.c at build. */\n#include \"attacks.h\"\n\n"
          "#pragma GCC diagnostic ignored \"-Wmissing-braces\"\n\n",
          out);
    write_leapers(out);
    bool done = write_magics(out, "bishop", bishop_steps, &random) &&
                write_magics(out, "rook", rook_steps, &random);
    write_lines(out);
    write_keys(out, &random);
    return done && ferror(out) == 0;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fputs("usage: gen_tables OUTPUT.c\n", stderr);
        return 2;
    }
    FILE *out = fopen(argv[1], "w");
    bool done = out != NULL && write_tables(out);
    if (out != NULL && fclose(out) != 0)
        done = false;
    if (!done)
        perror(argv[1]);
    return done ? 0 : 1;
}
