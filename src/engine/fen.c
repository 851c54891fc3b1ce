#include "position.h"
