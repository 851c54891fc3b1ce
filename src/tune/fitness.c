#include "fitness.h"
