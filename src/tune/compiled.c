#include "compiled.h"
