/* The axis of a picture: round steps, and positions from 0 at its low end to 1 at its high end.
 *
 * An axis may be broken, so that most of its length goes to the values of interest. What lies far
 * beyond one end of those, like the steep start of a run, is compressed into a strip:
 *
 *     1    ─┬─ high
 *           │       the values of interest, on a scale of their own
 *           ├─ low
 *           ≈       the break
 *           ├─      the strip, here below
 *     0    ─┴─ end
 */
#ifndef GRAYLING_SCALE_H
#define GRAYLING_SCALE_H

enum broken_side { NOT_BROKEN, BROKEN_BELOW, BROKEN_ABOVE };

struct scale {
    double low, high, step; /* ticks are multiples of the step: 1, 2 or 5 times a power of ten */
    int decimals;           /* of its ticks */
    enum broken_side side;
    double end; /* the value at the far end of the strip */
};

/* The axis for values from `low` to `high`, with about `ticks` steps. */
struct scale scale_for(double low, double high, int ticks);

/* The same, of which the values from `from` to `to` are of interest. It is broken only if these are
 * less than two thirds of the whole. */
struct scale scale_broken(double low, double high, double from, double to, int ticks);

/* The axis from 0 to `last`, which need not be a whole step: of generations or evaluations. A single
 * generation is in the middle. */
struct scale scale_to(double last, int ticks);

/* The axis of cells of equal width, one for each of the generations 0 to `last`: a tick is in the
 * middle of its cell. */
struct scale scale_cells(int last, int ticks);

/* The position of a value, clamped to 0 to 1; 0 for NaN. */
double scale_place(const struct scale *s, double value);

/* The positions of the two edges of a break, the lower first. Undefined if there is none. */
void scale_gap(const struct scale *s, double edges[2]);

/* The ticks: each step, and the end of the strip. Returns their number. */
enum { SCALE_TICKS = 32 };
int scale_ticks(const struct scale *s, double ticks[SCALE_TICKS]);

/* A tick in words, with a minus as wide as a plus. Returns `text`. */
enum { SCALE_TEXT = 48 };
const char *scale_text(const struct scale *s, double tick, char text[SCALE_TEXT]);

#endif
