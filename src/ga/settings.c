#include "settings.h"

bool settings_whole(const char *field, int value, int low, int high, struct error *err)
{
    if (value >= low && value <= high)
        return true;
    return error_set(err, "%s is %d; it must be from %d to %d", field, value, low, high);
}

bool settings_real(const char *field, double value, double low, double high, struct error *err)
{
    if (value >= low && value <= high)
        return true;
    return error_set(err, "%s is %g; it must be from %g to %g", field, value, low, high);
}
