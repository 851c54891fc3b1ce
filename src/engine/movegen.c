#include "movegen.h"
