/* The section on the best organism as a parameter file, to copy, with the command that writes it. */
#include "report_sections.h"

#include "html.h"
#include "params_write.h"

#include <inttypes.h>
#include <stdlib.h>

/* The values as a parameter file. The caller frees it; NULL without memory. */
static char *params_text(const struct run_summary *s)
{
    char *text = NULL, comment[RECIPE_NAME + 96];
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL)
        return NULL;
    snprintf(comment, sizeof comment, "%s, seed %" PRIu64 ": organism %d of generation %d",
             s->recipe.name, s->recipe.seed, s->best_index, s->best_generation);
    bool written = params_write(out, PARAMS_YAML, &s->space, s->best, comment, NULL);
    if (fclose(out) == 0 && written)
        return text;
    free(text);
    return NULL;
}

void report_write_params(const struct page *p)
{
    char *text = params_text(&p->report->summary);
    fputs("<p>The best organism as a parameter file. A click or a tap selects all of it; this "
          "command writes the same values:</p>\n<pre>",
          p->out);
    html_format(p->out, "grayling export %s --format yaml", p->file);
    fputs("</pre>\n<pre class=\"copy\" tabindex=\"0\">", p->out);
    html_text(p->out, text != NULL ? text : "no memory for the parameters");
    fputs("</pre>\n", p->out);
    free(text);
}
