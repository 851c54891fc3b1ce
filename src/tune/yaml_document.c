#include "yaml_document.h"
