/* The formats of tuners that play games: OpenBench and fishtest (SPSA), weather-factory,
 * chess-tuning-tools, and Optuna's tuner. See params_write.h. */
#ifndef GRAYLING_TUNER_FORMATS_H
#define GRAYLING_TUNER_FORMATS_H

#include "params_write.h"

void write_openbench(FILE *out, const struct params_values *v);
void write_fishtest(FILE *out, const struct params_values *v);
void write_weather_factory(FILE *out, const struct params_values *v);
void write_ctt(FILE *out, const struct params_values *v);
void write_optuna(FILE *out, const struct params_values *v);

#endif
