/* The section on the best organism as a parameter file, to copy, with the command that writes it. */
#include "report_sections.h"

#include "html.h"
#include "shell_word.h"

void report_write_params(const struct page *p)
{
    char file[SHELL_WORD];
    fputs("<p>The best organism as a parameter file. A click or a tap selects all of it; this "
          "command writes the same values:</p>\n<pre>",
          p->out);
    html_format(p->out, "grayling export %s --format yaml", shell_word(p->file, file));
    fputs("</pre>\n<pre class=\"copy\" tabindex=\"0\">", p->out);
    html_text(p->out, p->report->values);
    fputs("</pre>\n", p->out);
}
