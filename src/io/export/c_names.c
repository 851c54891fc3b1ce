#include "c_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { IDENTIFIER = 256, NUMBERED = IDENTIFIER + 12 };

/* The words of C17, C23 and C++26 that are no names, and `main`, with a blank around each. */
static const char reserved[] =
    " alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t "
    "char16_t char32_t class co_await co_return co_yield compl concept const const_cast "
    "consteval constexpr constinit continue contract_assert decltype default delete do "
    "double dynamic_cast else enum explicit export extern false float for friend goto if "
    "inline int long main mutable namespace new noexcept not not_eq nullptr operator or "
    "or_eq private protected public register reinterpret_cast requires restrict return "
    "short signed sizeof static static_assert static_cast struct switch template this "
    "thread_local throw true try typedef typeid typename typeof typeof_unqual union "
    "unsigned using virtual void volatile wchar_t while xor xor_eq _Alignas _Alignof "
    "_Atomic _BitInt _Bool _Complex _Decimal128 _Decimal32 _Decimal64 _Generic _Imaginary "
    "_Noreturn _Static_assert _Thread_local ";

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_name_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_';
}

static bool is_reserved(const char *word)
{
    char wanted[IDENTIFIER + 2];
    snprintf(wanted, sizeof wanted, " %s ", word);
    return strstr(reserved, wanted) != NULL;
}

void c_identifier(const char *text, char *identifier, size_t size)
{
    size_t length = 0;
    if (is_digit(text[0]) || text[0] == '\0')
        identifier[length++] = '_';
    for (; *text != '\0' && length + 2 < size; text++)
        identifier[length++] = is_name_byte(*text) ? *text : '_';
    identifier[length] = '\0';
    if (is_reserved(identifier))
        strcpy(identifier + length, "_");
}

/* True if one of the first `count` parameters has the name. */
static bool is_taken(const struct param *params, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(params[i].name, name) == 0)
            return true;
    return false;
}

/* Writes an identifier that no earlier parameter has. */
static void name_param(const struct param *params, int index, char name[NUMBERED])
{
    char base[IDENTIFIER];
    c_identifier(params[index].name, base, sizeof base);
    strcpy(name, base);
    for (int n = 2; is_taken(params, index, name); n++)
        snprintf(name, NUMBERED, "%s_%d", base, n);
}

bool c_names_create(const struct param_table *table, struct c_names *names)
{
    size_t rows = (size_t)table->count * sizeof *table->params;
    struct param *params = malloc(rows + (size_t)table->count * NUMBERED + 1);
    char(*texts)[NUMBERED] = (void *)((char *)params + rows);
    if (params == NULL)
        return false;
    memcpy(params, table->params, rows);
    for (int i = 0; i < table->count; i++) {
        name_param(params, i, texts[i]);
        params[i].name = texts[i];
    }
    *names = (struct c_names){.table = *table, .memory = params};
    names->table.params = params;
    return true;
}

void c_names_free(struct c_names *names)
{
    free(names->memory);
    *names = (struct c_names){0};
}
