/* YAML as a tree that knows where each thing stood. */
#include "yaml_document.h"

#include "scratch.h"

#include <criterion/criterion.h>
#include <string.h>

static struct yaml_document doc;
static struct error err;

static bool read_text(const char *text)
{
    yaml_finish(&doc);
    err.text[0] = '\0';
    return yaml_read_text(&doc, "t.yaml", text, strlen(text), &err);
}

static void finish(void)
{
    yaml_finish(&doc);
}

TestSuite(yaml_document, .fini = finish);

Test(yaml_document, remembers_kinds_texts_and_places)
{
    MUST(read_text("a: 1\nb:\n  c: [x, 'y z']\n"));
    const struct yaml_node *a = yaml_find(doc.root, "a");
    cr_assert_str_eq(a->text, "1");
    cr_assert(a->line == 1 && a->column == 1);
    const struct yaml_node *c = yaml_find_path(doc.root, "b.c");
    cr_assert_eq(c->kind, YAML_SEQUENCE);
    cr_assert(c->line == 3 && c->column == 3);
    cr_assert_str_eq(c->child->text, "x");
    cr_assert(c->child->line == 3 && c->child->column == 7);
    cr_assert_str_eq(c->child->next->text, "y z");
    cr_assert_null(c->child->next->next);
    cr_assert_null(yaml_find_path(doc.root, "b.d"));
    cr_assert_null(yaml_find_path(doc.root, "a.c"));
    cr_assert_null(yaml_find(a, "c"));
}

Test(yaml_document, a_reason_names_file_line_column_and_key)
{
    cr_assert(read_text("a:\n  b: {c: 5}\n"));
    const struct yaml_node *c = yaml_find_path(doc.root, "a.b.c");
    cr_assert_not(yaml_fail(&doc, c, "%d is too many", 5));
    cr_assert_str_eq(err.text, "t.yaml:2:7: a.b.c: 5 is too many");
    yaml_fail(&doc, doc.root, "odd");
    cr_assert_str_eq(err.text, "t.yaml:1:1: odd");
}

Test(yaml_document, refuses_what_recipes_never_need)
{
    static const struct {
        const char *text, *reason;
    } cases[] = {
        {"", "t.yaml:1:1: empty; keys and their values are expected"},
        {"# only a comment\n", "t.yaml:1:1: empty; keys and their values are expected"},
        {"a: 1\nb: 2\na: 3\n", "t.yaml:3:1: a: repeated key; it is already in line 1"},
        {"s: {a: 1, a: 2}\n", "t.yaml:1:11: s.a: repeated key; it is already in line 1"},
        {"a: &x 1\n", "t.yaml:1:4: anchors and tags have no meaning here; leave it out"},
        {"a: !!int 1\n", "t.yaml:1:4: anchors and tags have no meaning here; leave it out"},
        {"a: &x [1]\n", "t.yaml:1:4: anchors and tags have no meaning here; leave it out"},
        {"a: *x\n", "t.yaml:1:4: anchors and aliases have no meaning here; write the value out"},
        {"a: 1\n---\nb: 2\n", "t.yaml:2:1: a second document; one file holds one document"},
        {"[1, 2]: 3\n", "t.yaml:1:1: a key must be a plain word"},
        {"a: \"x\\0y\"\n", "t.yaml:1:4: a value with a NUL byte; values are plain text"},
        {"\"x\\0y\": 1\n", "t.yaml:1:1: a key with a NUL byte; keys are plain words"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cr_expect_not(read_text(cases[i].text), "%s", cases[i].text);
        cr_expect_str_eq(err.text, cases[i].reason);
        cr_expect_null(doc.root);
    }
}

Test(yaml_document, names_the_place_of_broken_syntax)
{
    cr_assert_not(read_text("a: 1\nb: [1, 2\nc: 3\n"));
    cr_assert_eq(strncmp(err.text, "t.yaml:3:2: not YAML: ", 22), 0, "%s", err.text);
    cr_assert_not(read_text("a: \xff\n"));
    SAID("not YAML: invalid leading UTF-8 octet");
}

Test(yaml_document, refuses_deep_nesting)
{
    char text[YAML_DEPTH + 2];
    memset(text, '[', YAML_DEPTH + 1);
    text[YAML_DEPTH + 1] = '\0';
    cr_assert_not(read_text(text));
    cr_assert_str_eq(err.text, "t.yaml:1:33: nested too deeply; 32 levels are the most");
}

Test(yaml_document, a_setting_replaces_or_adds)
{
    cr_assert(read_text("a: 1\nb: {c: 2}\n"));
    cr_assert(yaml_apply(&doc, "a=7"));
    cr_assert(yaml_apply(&doc, "b.c=[x, y]"));
    cr_assert(yaml_apply(&doc, "new.deep.key={k: v}"));
    cr_assert_str_eq(yaml_find(doc.root, "a")->text, "7");
    cr_assert_str_eq(yaml_find_path(doc.root, "b.c")->child->next->text, "y");
    const struct yaml_node *k = yaml_find_path(doc.root, "new.deep.key.k");
    cr_assert_str_eq(k->text, "v");
    yaml_fail(&doc, k, "odd");
    cr_assert_str_eq(err.text, "--set new.deep.key.k: odd");
}

Test(yaml_document, a_setting_that_does_not_fit_is_refused)
{
    cr_assert(read_text("a: 1\n"));
    cr_assert_not(yaml_apply(&doc, "a.b=7"));
    cr_assert_str_eq(err.text, "t.yaml:1:1: a: not a mapping; --set a.b cannot go inside");
    cr_assert_not(yaml_apply(&doc, "a=["));
    cr_assert_eq(strncmp(err.text, "--set a:", 8), 0, "%s", err.text);
}

Test(yaml_document, files_that_cannot_be_read_are_named)
{
    scratch_begin();
    MUST(yaml_read_file(&doc, scratch_write("a.yaml", "a: 1\n"), &err));
    cr_assert_str_eq(yaml_find(doc.root, "a")->text, "1");
    yaml_finish(&doc);
    cr_assert_not(yaml_read_file(&doc, "/no/such.yaml", &err));
    cr_assert_str_eq(err.text, "/no/such.yaml: cannot open: No such file or directory");
    cr_assert_not(yaml_read_file(&doc, directory, &err));
    SAID("cannot open: it is a directory");
    scratch_end();
}

Test(yaml_document, a_written_document_reads_back)
{
    static const char text[] = "kind: uci\n'a b': {list: [1, [], {}], \"q\\\"\\\\\": ''}\n"
                               "lines: |\n  one\n  two\n";
    char *first, *second;
    size_t size;
    MUST(read_text(text));
    FILE *out = open_memstream(&first, &size);
    yaml_write(out, &doc);
    fclose(out);
    MUST(read_text(first));
    cr_expect_str_eq(yaml_find(doc.root, "kind")->text, "uci");
    cr_expect_str_eq(yaml_find(doc.root, "lines")->text, "one\ntwo\n");
    const struct yaml_node *list = yaml_find_path(doc.root, "a b.list");
    cr_assert(list != NULL && list->kind == YAML_SEQUENCE);
    cr_expect_str_eq(list->child->text, "1");
    cr_expect_eq(list->child->next->kind, YAML_SEQUENCE);
    cr_expect_eq(list->child->next->next->kind, YAML_MAPPING);
    cr_expect_str_eq(list->next->key, "q\"\\");
    cr_expect_str_eq(list->next->text, "");
    out = open_memstream(&second, &size);
    yaml_write(out, &doc);
    fclose(out);
    cr_expect_str_eq(first, second);
    free(first);
    free(second);
}
