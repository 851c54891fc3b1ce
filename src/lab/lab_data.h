/* The files of tables/, one after another: what lab_table.h describes. */
#ifndef GRAYLING_LAB_DATA_H
#define GRAYLING_LAB_DATA_H

#include <stddef.h>

extern const char lab_data[];
extern const size_t lab_data_size;

#endif
