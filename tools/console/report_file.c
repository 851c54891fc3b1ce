#include "report_file.h"

#include "checksum.h"
#include "command.h"
#include "night.h"
#include "paths.h"
#include "report_page.h"
#include "text_stream.h"

/* The last line of a page is a comment with the checksum of everything before it. */
#define MARK     "<!-- sha256 of what stands above: "
#define MARK_END " -->\n"

enum { LINE = sizeof MARK - 1 + CHECKSUM_MAX - 1 + sizeof MARK_END - 1 };

static void print_text(FILE *out, const struct report_text *t)
{
    char sum[CHECKSUM_MAX];
    checksum_bytes(t->bytes, t->length, sum);
    fwrite(t->bytes, 1, t->length, out);
    fprintf(out, "%s%s%s", MARK, sum, MARK_END);
}

/* Reads a night, with what the reading before has of it, and composes its page. */
static bool compose_night(FILE *out, const char *store_path, struct night_report *reading,
                          struct error *err)
{
    struct night_report now;
    const bool read = night_report_read(store_path, reading, &now, err);
    if (read)
        night_page_write(out, &now);
    night_report_free(reading != NULL ? reading : &now);
    if (reading != NULL)
        *reading = now;
    return read;
}

bool report_text_compose(const char *store_path, const char *second, struct night_report *reading,
                         struct report_text *text, struct error *err)
{
    *text = (struct report_text){NULL, 0};
    FILE *out = text_stream(&text->bytes, &text->length);
    bool made = out != NULL;
    if (second != NULL) {
        struct report runs[2] = {0};
        const char *const paths[2] = {store_path, second};
        made = true;
        for (int i = 0; made && i < 2; i++)
            made = night_is(paths[i])
                       ? error_set(err, "%s is a night; name one of its runs: %s#STAGE", paths[i],
                                   path_name(paths[i]))
                       : report_read(paths[i], &runs[i], err) &&
                             (runs[i].summary.generation >= 0 ||
                              error_set(err, "%s has no generation yet to compare", paths[i]));
        if (made)
            report_page_write_pair(out, runs);
        report_free(&runs[0]);
        report_free(&runs[1]);
    } else if (night_is(store_path))
        made = compose_night(out, store_path, reading, err);
    else {
        struct report r = {0};
        made = report_read(store_path, &r, err);
        if (made)
            report_page_write(out, &r);
        report_free(&r);
    }
    if (text_close(out, "the report", err) && made)
        return true;
    free(text->bytes);
    text->bytes = NULL;
    return false;
}

bool report_text_finish(struct report_text *text, const char *output, struct output *o,
                        struct error *err)
{
    const bool opened = output_open(o, output, err);
    if (opened)
        print_text(o->stream, text);
    free(text->bytes);
    text->bytes = NULL;
    return opened && output_finish(o, err);
}

bool report_text_write(struct report_text *text, const char *output, struct error *err)
{
    struct output o;
    return report_text_finish(text, output, &o, err) && output_publish(&o, err);
}

bool report_file_print(FILE *out, const void *store_path, struct error *err)
{
    struct report_text text;
    if (!report_text_compose(store_path, NULL, NULL, &text, err))
        return false;
    print_text(out, &text);
    free(text.bytes);
    return true;
}

bool report_file_untouched(const char *path)
{
    struct report_text t = {NULL, 0};
    char sum[CHECKSUM_MAX], line[LINE + 1];
    FILE *in = fopen(path, "rb");
    if (in == NULL)
        return false;
    t.bytes = growing_file_read(in, path, &t.length, NULL);
    fclose(in);
    bool untouched = t.bytes != NULL && t.length > LINE;
    if (untouched) {
        checksum_bytes(t.bytes, t.length - LINE, sum);
        snprintf(line, sizeof line, "%s%s%s", MARK, sum, MARK_END);
        untouched = memcmp(t.bytes + t.length - LINE, line, LINE) == 0;
    }
    free(t.bytes);
    return untouched;
}
