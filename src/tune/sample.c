#include "sample.h"
