#include "evaluate.h"
