/* An evaluation that speaks the trace protocol of Grayling (docs/trace-protocol.md): piece values and
 * piece-square tables, tapered between middlegame and endgame. psqt.py is the same in Python.
 *
 *     cc -O2 -o psqt psqt.c
 *     grayling trace --check ./psqt
 *
 * Copy from this file what you like, into any program, under any licence (CC0 1.0). */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* The weights: a value for each kind of piece but the king, then 32 squares for each kind (a board
 * that is symmetrical from left to right), each for the middlegame (MG) and the endgame (EG); then
 * the right to move. */
enum { PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING, KINDS };
enum { SQUARES = 32, TABLES = 2 * KING };
enum { TEMPO = TABLES + 2 * KINDS * SQUARES, WEIGHTS };
enum { SCALE = 24 }; /* the phase of all pieces: a count is a number of times, times the phase */

static const char *const kind_name[KINDS] = {"PAWN", "KNIGHT", "BISHOP", "ROOK", "QUEEN", "KING"};
static const int first_value[TABLES] = {82, 94, 337, 281, 365, 297, 477, 512, 1025, 936};
static const int phase_of[KINDS] = {0, 1, 1, 2, 4, 0};

static int weight[WEIGHTS];

/* `square` is seen from the own side, a1 is 0. Files e to h are those of d to a. */
static int table_index(int kind, int square, int eg)
{
    int file = square % 8, rank = square / 8;
    int index = 4 * rank + (file < 4 ? file : 7 - file);
    return TABLES + 2 * (SQUARES * kind + index) + eg;
}

/* The first values: material, and pieces a little better in the centre. */
static void init_weights(void)
{
    memcpy(weight, first_value, sizeof first_value);
    for (int kind = 0; kind < KINDS; kind++)
        for (int s = 0; s < 64; s++) {
            int file = s % 8 < 4 ? s % 8 : 7 - s % 8, rank = s / 8 < 4 ? s / 8 : 7 - s / 8;
            weight[table_index(kind, s, 0)] = kind == KING ? -8 * rank : 4 * (file + rank) - 12;
            weight[table_index(kind, s, 1)] = 4 * (file + rank) - 12;
        }
    weight[TEMPO] = 10;
}

/* Counts one piece for both halves of the taper. */
static void count_piece(int *count, char letter, int square, int phase)
{
    int white = isupper((unsigned char)letter) != 0, sign = white ? 1 : -1;
    int kind = (int)(strchr("pnbrqk", tolower((unsigned char)letter)) - "pnbrqk");
    int seen = white ? square : square ^ 56;
    if (kind != KING) {
        count[2 * kind] += sign * phase;
        count[2 * kind + 1] += sign * (SCALE - phase);
    }
    count[table_index(kind, seen, 0)] += sign * phase;
    count[table_index(kind, seen, 1)] += sign * (SCALE - phase);
}

/* How often each weight counts in a position, from White's side, times SCALE. The score is their
 * product with the weights: an engine may compute it as it likes, here it is the same loop. */
static int evaluate(const char *fen, int *count)
{
    char board[64] = {0};
    int square = 56, phase = 0, sum = 0;
    for (; *fen != '\0' && *fen != ' '; fen++) {
        if (isdigit((unsigned char)*fen)) {
            square += *fen - '0';
        } else if (*fen == '/') {
            square -= 16;
        } else if (square >= 0 && square < 64 && strchr("pnbrqkPNBRQK", *fen) != NULL) {
            board[square++] = *fen;
            phase += phase_of[strchr("pnbrqk", tolower((unsigned char)*fen)) - "pnbrqk"];
        }
    }
    phase = phase < SCALE ? phase : SCALE; /* promotions */
    memset(count, 0, WEIGHTS * sizeof *count);
    for (int s = 0; s < 64; s++)
        if (board[s] != 0)
            count_piece(count, board[s], s, phase);
    count[TEMPO] = strncmp(fen, " w", 2) == 0 ? SCALE : -SCALE;
    for (int i = 0; i < WEIGHTS; i++)
        sum += weight[i] * count[i];
    return sum / SCALE;
}

/* "trace 1": names all weights with value, least and greatest. */
static void name_weights(void)
{
    static const char *const half[] = {"MG", "EG"};
    for (int i = 0; i < TABLES; i++)
        printf("weight %s_%s %d 0 2047\n", kind_name[i / 2], half[i % 2], weight[i]);
    for (int i = 0; i < TEMPO - TABLES; i++) {
        int square = i / 2 % SQUARES;
        printf("weight %s_%c%d_%s %d -128 127\n", kind_name[i / 2 / SQUARES], 'A' + square % 4,
               1 + square / 4, half[i % 2], weight[TABLES + i]);
    }
    printf("weight TEMPO %d 0 63\nscale %d\nsettable\ntraceok\n", weight[TEMPO], SCALE);
}

/* "fen FEN": the score now, and the counts that are not 0. */
static void answer(const char *fen)
{
    int count[WEIGHTS], score = evaluate(fen, count);
    printf("%d bias 0", score);
    for (int i = 0; i < WEIGHTS; i++)
        if (count[i] != 0)
            printf(" %d:%d", i, count[i]);
    putchar('\n');
}

/* "set WEIGHT VALUE", which the check uses. */
static void set(const char *rest)
{
    int index, value;
    if (sscanf(rest, "%d %d", &index, &value) == 2 && index >= 0 && index < WEIGHTS)
        weight[index] = value;
}

int main(void)
{
    char line[256];
    init_weights();
    while (fgets(line, sizeof line, stdin) != NULL && strncmp(line, "quit", 4) != 0) {
        if (strncmp(line, "trace ", 6) == 0)
            name_weights();
        else if (strncmp(line, "fen ", 4) == 0)
            answer(line + 4);
        else if (strncmp(line, "set ", 4) == 0)
            set(line + 4);
        fflush(stdout); /* Grayling waits for the answer */
    }
    return 0;
}
