#include "evolution.h"
