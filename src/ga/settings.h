/* Settings of the algorithms: whether each is in its range, and the sentence that says so. */
#ifndef GRAYLING_SETTINGS_H
#define GRAYLING_SETTINGS_H

#include "error.h"

/* Whether a whole number lies in its range, both ends included. */
bool settings_whole(const char *field, int value, int low, int high, struct error *err);

/* Whether a real number lies in its range, both ends included; NaN never does. */
bool settings_real(const char *field, double value, double low, double high, struct error *err);

#endif
