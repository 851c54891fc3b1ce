#include "genome.h"
