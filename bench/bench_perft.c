/* How fast legal moves are generated and made, by perft.
 *   bench_perft              leaves per second of a position full of tactics
 *   bench_perft FEN DEPTH    leaves and seconds of any position; bench_perft.py asks for these */
#include "movegen.h"
#include "parse.h"

#include <stdio.h>
#include <time.h>

static const char middlegame[] =
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
    const char *fen = argc == 3 ? argv[1] : middlegame;
    int64_t depth = 5;
    struct position p;
    struct error err;
    if ((argc != 1 && argc != 3) || (argc == 3 && !parse_int64(argv[2], &depth)) || depth < 1 ||
        depth > 20) {
        fputs("usage: bench_perft [FEN DEPTH]\n", stderr);
        return 2;
    }
    if (!position_from_fen(&p, fen, NULL, &err)) {
        fprintf(stderr, "bench_perft: %s\n", err.text);
        return 2;
    }
    double start = seconds();
    uint64_t leaves = perft(&p, (int)depth);
    double taken = seconds() - start;
    if (argc == 3)
        printf("%llu leaves %.6f s\n", (unsigned long long)leaves, taken);
    else
        printf("perft %.1f million leaves/s\n", (double)leaves / taken * 1e-6);
    return 0;
}
