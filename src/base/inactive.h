/* Inactive parameters: those that have no effect, whatever their value, because of the values of
 * others (LMR_BASE where LMR_USE is 0). Configurators such as irace and SMAC call them conditional
 * parameters.
 *
 * The condition stands in the parameter's own line (`active_if` in param.h), as C writes it:
 *
 *     condition  = comparison { " && " comparison }
 *     comparison = NAME " >= " ( NAME | NUMBER )
 *
 * A comparison with a parameter that the table does not have holds. */
#ifndef GRAYLING_INACTIVE_H
#define GRAYLING_INACTIVE_H

#include "param.h"

/* The index of the parameter whose value makes `param` inactive: the left side of the first
 * comparison that does not hold. -1 where `param` is active. `values` are the table's, in its
 * order. */
int inactive_by(const struct param_table *table, const int32_t *values, int param);

#endif
