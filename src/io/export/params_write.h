/* Values of parameters, written for people, engines and tuners: the formats of `grayling export`.
 *
 * Names are those of the table. YAML, JSON, UCI options, OpenBench, fishtest, weather-factory, Optuna
 * and CSV read back (value_document.h). YAML, JSON, UCI options and CSV leave out parameters that are 0
 * where a parameter file may (params_omit_zeros).
 *
 * The formats of tuners list what a tuner can move: parameters that evolve (bits > 0) and are numbers,
 * with a range and the size of a step. A check counts as a number from 0 to 1. The size of a step is
 * the standard deviation of the parameter in a population. Where that is unknown or 0 it is a
 * twentieth of the range. It is at least half of the parameter's own step.
 *
 * In C and C++ a whole number is an int, a number with decimals a double, a text (the choice of a combo) a string; a
 * check is an int in C and a bool in C++. Names become identifiers: a letter of ASCII, a digit and an underscore stay,
 * any other byte becomes an underscore; a name that begins with a digit gets an underscore before it, and a word of
 * the language one after it; a name that an earlier parameter has got already is numbered: NAME_2, NAME_3. */
#ifndef GRAYLING_PARAMS_WRITE_H
#define GRAYLING_PARAMS_WRITE_H

#include "error.h"
#include "param.h"

#include <stdbool.h>
#include <stdio.h>

/* Constants, which have no bits (the pawn), appear in YAML, JSON, C and CSV; those of our tables are no UCI options. */
enum params_format {
    PARAMS_YAML,
    PARAMS_JSON,
    PARAMS_C,
    PARAMS_C_STRUCT,
    PARAMS_CPP,
    PARAMS_CSV,
    PARAMS_UCI,
    PARAMS_OPENBENCH,
    PARAMS_FISHTEST,
    PARAMS_WEATHER_FACTORY,
    PARAMS_CTT,
    PARAMS_OPTUNA,
    PARAMS_FORMATS
};

const char *params_format_name(enum params_format f);
int params_format_from_name(const char *name); /* -1 when unknown; "setoption" is "uci" */

/* True for the formats of tuners: those from OpenBench on. */
bool params_format_is_tuner(enum params_format f);

/* True if a format of a tuner lists the parameter. Else it does not evolve, or *why (may be NULL) says why. */
bool params_format_lists(enum params_format f, const struct param *p, const char **why);

/* What is written. All is borrowed. */
struct params_values {
    const struct param_table *table;
    const int32_t *values;
    const char *comment; /* names their source; NULL: none. Formats without comments omit it. */
    const double
        *spread; /* of each parameter, the standard deviation in a population; NULL: none */
};

/* Writes the values. What the mode of the null move does not read becomes 0, as a parameter file requires. False if
 * memory is short; whether all is written the stream says at its end. */
bool params_write_values(FILE *out, enum params_format format, const struct params_values *v,
                         struct error *err);

/* Same, without a spread. */
bool params_write(FILE *out, enum params_format format, const struct param_table *table,
                  const int32_t *values, const char *comment, struct error *err);

#endif
