#include "epd.h"
