/* Build step: compiles a text file into C, as a string.
 *
 *   gen_text FILE NAME OUT.c */
#include <stdio.h>
#include <stdlib.h>

/* Copies the characters as numbers, with a final NUL. Accepts only plain ASCII. */
static int copy(FILE *in, FILE *out)
{
    for (int c; (c = getc(in)) != EOF;) {
        if (c > 126)
            return 0;
        fprintf(out, c == '\n' ? "%d,\n" : "%d,", c);
    }
    fputs("0};\n", out);
    return !ferror(in);
}

int main(int argc, char **argv)
{
    FILE *in = argc == 4 ? fopen(argv[1], "r") : NULL;
    FILE *out = in != NULL ? fopen(argv[3], "w") : NULL;
    if (out == NULL) {
        fputs("usage: gen_text FILE NAME OUT.c\n", stderr);
        return EXIT_FAILURE;
    }
    fprintf(out, "extern const char %s[];\nconst char %s[] = {\n", argv[2], argv[2]);
    int copied = copy(in, out);
    if (!copied)
        fprintf(stderr, "gen_text: %s is not plain ASCII\n", argv[1]);
    fclose(in);
    return fclose(out) == 0 && copied ? EXIT_SUCCESS : EXIT_FAILURE;
}
