#include "params_file.h"
