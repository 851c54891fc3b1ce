#include "recipe.h"
