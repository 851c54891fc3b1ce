#include "report_file.h"

#include "checksum.h"
#include "command.h"
#include "output.h"
#include "report_page.h"

#include <stdlib.h>
#include <string.h>

/* The last line of a page is a comment with the checksum of all that stands before it. */
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

/* A run's page; false without memory. */
static bool compose(struct text *t, const struct report *r, const char *store_path)
{
    const char *slash = strrchr(store_path, '/');
    FILE *out = open_memstream(&t->bytes, &t->length);
    if (out == NULL)
        return false;
    report_page_write(out, r, slash == NULL ? store_path : slash + 1);
    bool whole = !ferror(out);
    return fclose(out) == 0 && whole;
}

int report_file_write(const char *store_path, const char *output, struct error *err)
{
    struct report r;
    struct text text = {NULL, 0};
    if (!report_read(store_path, &r, err))
        return EXIT_BAD;
    bool written = (compose(&text, &r, store_path) || error_set(err, "no memory for the report")) &&
                   output_write(output, print_text, &text, err);
    report_free(&r);
    free(text.bytes);
    return written ? EXIT_DONE : EXIT_FAILED;
}

/* A whole file; no bytes where it cannot be read. */
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
