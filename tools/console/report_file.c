#include "report_file.h"

#include "checksum.h"
#include "command.h"
#include "night.h"
#include "night_page.h"
#include "output.h"
#include "report_page.h"

#include <stdlib.h>
#include <string.h>

/* The last line of a page is a comment with the checksum of everything before it. */
#define MARK     "<!-- sha256 of what stands above: "
#define MARK_END " -->\n"

enum { LINE = sizeof MARK - 1 + CHECKSUM_MAX - 1 + sizeof MARK_END - 1 };

/* A page in memory. */
struct text {
    char *bytes; /* owned */
    size_t length;
};

static void print_text(FILE *out, void *context)
{
    const struct text *t = context;
    char sum[CHECKSUM_MAX];
    checksum_bytes(t->bytes, t->length, sum);
    fwrite(t->bytes, 1, t->length, out);
    fprintf(out, "%s%s%s", MARK, sum, MARK_END);
}

static bool compose_run(FILE *out, const char *store_path, const char *name, struct error *err)
{
    struct report r;
    if (!report_read(store_path, &r, err))
        return false;
    report_page_write(out, &r, name);
    report_free(&r);
    return true;
}

static bool compose_night(FILE *out, const char *store_path, const char *name, struct error *err)
{
    struct night_report r;
    if (!night_report_read(store_path, &r, err))
        return false;
    night_page_write(out, &r, name);
    night_report_free(&r);
    return true;
}

/* Reads a run or a night, and renders its page. */
static bool compose(struct text *t, const char *store_path, struct error *err)
{
    const char *slash = strrchr(store_path, '/'), *name = slash == NULL ? store_path : slash + 1;
    FILE *out = open_memstream(&t->bytes, &t->length);
    if (out == NULL)
        return error_set(err, "no memory for the report");
    bool made = (night_is(store_path) ? compose_night : compose_run)(out, store_path, name, err);
    bool whole = !ferror(out);
    whole = fclose(out) == 0 && whole;
    return made && (whole || error_set(err, "no memory for the report"));
}

int report_file_write(const char *store_path, const char *output, struct error *err)
{
    struct text text = {NULL, 0};
    int code = EXIT_BAD;
    if (compose(&text, store_path, err))
        code = output_write(output, print_text, &text, err) ? EXIT_DONE : EXIT_FAILED;
    free(text.bytes);
    return code;
}

/* Reads a whole file; without bytes if it cannot be read. */
static struct text read_file(const char *path)
{
    struct text t = {NULL, 0};
    FILE *in = fopen(path, "rb"), *out = in == NULL ? NULL : open_memstream(&t.bytes, &t.length);
    char block[1 << 14];
    for (size_t n; out != NULL && (n = fread(block, 1, sizeof block, in)) > 0;)
        fwrite(block, 1, n, out);
    if (out != NULL)
        fclose(out);
    if (in != NULL)
        fclose(in);
    return t;
}

bool report_file_untouched(const char *path)
{
    struct text t = read_file(path);
    char sum[CHECKSUM_MAX], line[LINE + 1];
    bool untouched = false;
    if (t.bytes != NULL && t.length > LINE) {
        checksum_bytes(t.bytes, t.length - LINE, sum);
        snprintf(line, sizeof line, "%s%s%s", MARK, sum, MARK_END);
        untouched = memcmp(t.bytes + t.length - LINE, line, LINE) == 0;
    }
    free(t.bytes);
    return untouched;
}
