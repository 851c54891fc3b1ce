/* Values in the shapes of engines and tuners: what is recognised, read and refused. */
#include "value_document.h"

#include "scratch.h"
#include "space.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct yaml_document doc;
static struct error err;
static const char *path;

SCRATCH_SUITE(value_document);

static bool read_text(const char *text)
{
    path = scratch_write("v", text);
    return value_document_read(&doc, path, false, &err);
}

/* The text must be flat and have these values: "NAME=VALUE;". */
static void expect_flat(const char *text, const char *values)
{
    char found[512] = "";
    cr_assert(read_text(text), "%s: %s", text, err.text);
    cr_assert(value_document_is_flat(&doc), "%s", text);
    for (const struct yaml_node *n = doc.root->child; n != NULL; n = n->next)
        snprintf(found + strlen(found), sizeof found - strlen(found), "%s=%s;", n->key, n->text);
    cr_expect_str_eq(found, values, "%s: %s", text, found);
    yaml_finish(&doc);
}

Test(value_document, a_parameter_file_stays_as_it_is)
{
    cr_assert(read_text("{\"kind\": \"search\", \"parameters\": {\"A\": 1}}"));
    cr_expect_not(value_document_is_flat(&doc));
    cr_expect_str_eq(yaml_find_path(doc.root, "parameters.A")->text, "1");
    yaml_finish(&doc);
    cr_assert(read_text("parameters: {A: {value: 1}}\n"));
    cr_expect_not(value_document_is_flat(&doc));
    cr_expect_eq(yaml_find_path(doc.root, "parameters.A")->kind, YAML_MAPPING);
    yaml_finish(&doc);
}

Test(value_document, mappings)
{
    expect_flat("{\"A\":1,\n\t\"B \\\"b\\\"\" : \"Fail High\", \"C\":true}",
                "A=1;B \"b\"=Fail High;C=true;");
    expect_flat("A: 1\nB: 2\n", "A=1;B=2;");
    expect_flat("{\"A\": {\"value\": 5, \"min_value\": 0, \"max_value\": 9, \"step\": 1}}", "A=5;");
    expect_flat("A: {default: 5, min: 0, max: 9, step: 1}\n", "A=5;");
    expect_flat("{}", "");
}

Test(value_document, setoption_lines)
{
    expect_flat("\xef\xbb\xbfsetoption name A b value 1\r\n\n# more\n  setoption name C value 2 3\n"
                "setoption name D value ",
                "A b=1;C=2 3;D=;");
}

Test(value_document, lines_between_commas)
{
    expect_flat("A b, int, 1, 0, 9, 0.50, 0.002\nB,float,0.25,0,1,0.1,0.002", "A b=1;B=0.25;");
    expect_flat("# fishtest\nA b,1,0,9,0.50,0.002\nB,-2,-9,0,0.5,0.002\n", "A b=1;B=-2;");
    expect_flat("name,value,min,max\nA,1,0,9\n\"B, \"\"b\"\"\",\"x, y\",,\n", "A=1;B, \"b\"=x, y;");
}

static void expect_refused(const char *text, const char *reason)
{
    cr_assert_not(read_text(text), "taken: %s", text);
    cr_expect_str_eq(err.text + strlen(directory) + 1, reason);
    cr_expect_null(doc.root);
}

Test(value_document, what_is_wrong_is_said_with_its_place)
{
    expect_refused(
        "A: 1\nga: {population: 3}\n",
        "v:2:1: ga: expected a value; a parameter file has the keys kind and parameters");
    expect_refused("setoption name A value 1\nsetoption name B\n",
                   "v:2: expected 'setoption name NAME value VALUE'");
    expect_refused("setoption name A value 1\n\n  setoption name A value 2\n",
                   "v:3:18: A: repeated; it is already in line 1");
    expect_refused("A, int, 1, 0, 9, 0.5, 0.002\nB, int, 1, 0, 9, 0.5\n",
                   "v:2: expected 'NAME, int, VALUE, MIN, MAX, C_END, R_END'");
    expect_refused("A, int, 1, 0, 9, 0.5, 0.002\nB, bool, 1, 0, 9, 0.5, 0.002\n",
                   "v:2: expected 'NAME, int, VALUE, MIN, MAX, C_END, R_END'");
    expect_refused("A,1,0,9,0.5,0.002\nB,one,0,9,0.5,0.002\n",
                   "v:2: expected 'NAME,VALUE,MIN,MAX,C,R'");
    expect_refused("A,1,0,9,0.5,0.002\n,1,0,9,0.5,0.002\n",
                   "v:2: expected 'NAME,VALUE,MIN,MAX,C,R'");
    expect_refused("name,value,min,max\nA,1\n", "v:2: expected 'NAME,VALUE,MIN,MAX'");
    expect_refused("", "v:1:1: empty; keys and their values are expected");
}

/* The time of lines is quadratic in their number. */
Test(value_document, more_lines_than_a_space_has_parameters_are_refused)
{
    enum { LINE = 16 };
    char *text = malloc((SPACE_PARAMS_MAX + 2) * LINE), *at = text;
    cr_assert_not_null(text);
    at += sprintf(at, "name,value,min,max\n");
    for (int i = 0; i < SPACE_PARAMS_MAX; i++)
        at += sprintf(at, "P%d,1,0,9\n", i);
    MUST(read_text(text));
    yaml_finish(&doc);
    sprintf(at, "Q,1,0,9\n");
    expect_refused(text, "v:4098: more than 4096 parameters");
    free(text);
}
