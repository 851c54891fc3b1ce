#include "file_kind.h"

#include "text_stream.h"

#include <string.h>

static const struct {
    enum file_kind kind;
    const char *name;
} names[] = {
    {FILE_RUN, "a run (SQLite)"},        {FILE_YAML, "a recipe or parameter file (YAML)"},
    {FILE_POSITIONS, "positions (EPD)"}, {FILE_GAMES, "games (PGN)"},
    {FILE_PACKED, "compressed"},         {FILE_PROGRAM, "a program"},
    {FILE_PAGE, "a web page"},
};

static const struct {
    enum file_kind kind;
    const char *bytes;
} beginnings[] = {
    {FILE_RUN, "SQLite format 3"},
    {FILE_PACKED, "\x1f\x8b"},
    {FILE_PACKED, "BZh"},
    {FILE_PACKED, "\x28\xb5\x2f\xfd"},
    {FILE_PACKED, "PK\x03\x04"},
    {FILE_PROGRAM, "\x7f"
                   "ELF"},
    {FILE_PROGRAM, "#!"},
    {FILE_PAGE, "<!DOCTYPE html"},
};

/* The keys with which our YAML files begin, after comments. */
static const char *const keys[] = {"name:", "kind:", "phase:"};

/* True if the first word of a line could be the ranks of a board. */
static bool is_board(const char *line, const char *end)
{
    int slashes = 0;
    for (; line < end && strchr(" \t\r\n", *line) == NULL; line++) {
        if (strchr("/12345678pnbrqkPNBRQK", *line) == NULL)
            return false;
        slashes += *line == '/';
    }
    return slashes > 0;
}

/* True if a line begins with a tag of PGN: [Event "...". */
static bool is_tag(const char *line, const char *end)
{
    const char *at = line + 1;
    while (at < end && ((*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z')))
        at++;
    return line < end && *line == '[' && at > line + 1 && at + 1 < end && at[0] == ' ' &&
           at[1] == '"';
}

enum file_kind file_kind_of(const char *bytes, size_t length)
{
    const char *at = bytes, *end = bytes + length;
    for (size_t i = 0; i < sizeof beginnings / sizeof beginnings[0]; i++) {
        const size_t size = strlen(beginnings[i].bytes);
        if (length >= size && memcmp(bytes, beginnings[i].bytes, size) == 0)
            return beginnings[i].kind;
    }
    if (length >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0)
        at += 3;
    for (;;) { /* the first line with content */
        while (at < end && strchr(" \t\r\n", *at) != NULL)
            at++;
        if (at == end || *at != '#')
            break;
        while (at < end && *at != '\n')
            at++;
    }
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if ((size_t)(end - at) > strlen(keys[i]) && memcmp(at, keys[i], strlen(keys[i])) == 0)
            return FILE_YAML;
    return at == end           ? FILE_BLANK
           : is_board(at, end) ? FILE_POSITIONS
           : is_tag(at, end)   ? FILE_GAMES
                               : FILE_OTHER;
}

/* Writes the names of a set of kinds: "positions (EPD), or games (PGN)". */
static void list_names(unsigned kinds, char *text, size_t size)
{
    text[0] = '\0';
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if ((kinds & names[i].kind) != 0)
            text_add(text, size, "%s%s", text[0] != '\0' ? ", or " : "", names[i].name);
}

bool file_kind_expect(const char *path, const char *bytes, size_t length, unsigned wanted,
                      struct error *err)
{
    char found[64], expected[128];
    const enum file_kind kind = file_kind_of(bytes, length);
    if (kind == FILE_OTHER || (kind & (wanted | FILE_BLANK)) != 0)
        return true;
    list_names(kind, found, sizeof found);
    list_names(wanted, expected, sizeof expected);
    return error_set(err, "%s: %s, not %s", path, found, expected);
}
