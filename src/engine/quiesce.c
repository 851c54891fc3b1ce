#include "quiesce.h"
