/* Inactive parameters. A parameter is inactive if the values of other parameters leave it without
 * effect, as LMR_USE = 0 does to LMR_BASE. Configurators such as irace and SMAC call such
 * parameters conditional.
 *
 * The condition is part of the parameter's line in its table (`active_if` in param.h). Its syntax
 * is a subset of C:
 *
 *     condition  = comparison { " && " comparison }
 *     comparison = NAME " >= " ( NAME | NUMBER )
 *
 * A comparison that names a parameter missing from the table is true. param_check (param.h) refuses
 * other texts in rows from outside. */
#ifndef GRAYLING_INACTIVE_H
#define GRAYLING_INACTIVE_H

#include "param.h"

/* True if a text is a condition, or empty or NULL: always active. */
bool inactive_is_condition(const char *condition);

/* Returns the index of the parameter whose value makes `param` inactive, or -1 if `param` is
 * active. That parameter is the left side of the first comparison that is false. `values` holds one
 * value for each parameter, in the order of the table. */
int inactive_by(const struct param_table *table, const int32_t *values, int param);

#endif
