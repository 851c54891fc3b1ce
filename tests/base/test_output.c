/* Atomic output: a file is complete or as it was, and nothing is written where a link leads. */
#define _GNU_SOURCE /* locks of an open file description */
#include "output.h"

#include "scratch.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

static struct error err;

SCRATCH_SUITE(output);

static void print_text(FILE *out, void *text)
{
    fputs(text, out);
}

static bool has_text(const char *path, const char *text)
{
    return strcmp(scratch_read(path), text) == 0;
}

/* The number of a process that has ended. */
static pid_t dead_process(void)
{
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    waitpid(child, NULL, 0);
    return child;
}

Test(output, replaces_a_file_by_a_complete_one)
{
    char old[] = "old", new[] = "new";
    const char *path = scratch_path("file");
    MUST(output_write(path, print_text, old, &err));
    MUST(output_write(path, print_text, new, &err));
    cr_assert(has_text(path, "new"));
    cr_assert_eq(scratch_count(), 1);
    cr_assert_not(output_check(path, false, &err));
    cr_assert(output_check(path, true, &err));
}

Test(output, a_discarded_one_leaves_what_was_there)
{
    struct output o;
    const char *path = scratch_write("file", "old");
    MUST(output_open(&o, path, &err));
    fputs("half", o.stream);
    output_discard(&o);
    MUST(output_open(&o, path, &err));
    cr_assert(output_finish(&o, &err));
    output_discard(&o);
    cr_assert(has_text(path, "old"));
    cr_assert_eq(scratch_count(), 1);
}

/* Prints half of a text, and finds that it cannot print the rest. */
static bool print_half(FILE *out, const void *text, struct error *reason)
{
    fprintf(out, "%.2s", (const char *)text);
    return strlen(text) <= 2 || error_set(reason, "no memory");
}

Test(output, what_cannot_be_printed_whole_is_not_written)
{
    const char *path = scratch_path("file");
    MUST(output_write_or_fail(path, print_half, "ab", &err));
    cr_assert_not(output_write_or_fail(path, print_half, "whole", &err));
    cr_assert_str_eq(err.text, "no memory");
    cr_assert(has_text(path, "ab"));
    cr_assert_eq(scratch_count(), 1);
    cr_assert_not(output_write_or_fail("/dev/full", print_half, "ab", &err));
    SAID("/dev/full");
}

Test(output, without_room_the_old_file_stays)
{
    static char large[1 << 16];
    memset(large, 'x', sizeof large - 1);
    const char *path = scratch_write("file", "old");
    signal(SIGXFSZ, SIG_IGN);
    const struct rlimit small = {4096, RLIM_INFINITY};
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
    bool written = output_write(path, print_text, large, &err);
    const struct rlimit none = {RLIM_INFINITY, RLIM_INFINITY};
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &none), 0);
    cr_assert_not(written);
    SAID("File too large");
    cr_assert(has_text(path, "old"));
    cr_assert_eq(scratch_count(), 1);
}

/* Somebody who may write in the folder guesses the name, and puts a link there. */
Test(output, follows_no_link)
{
    char text[] = "text", link[16 + OUTPUT_SUFFIX] = "file";
    const char *path = scratch_path("file"), *victim = scratch_write("victim", "precious");
    output_suffix(link + strlen(link));
    cr_assert_eq(symlink(victim, scratch_path(link)), 0);
    MUST(output_write(path, print_text, text, &err));
    cr_assert(has_text(path, "text") && has_text(victim, "precious"));
    cr_assert_eq(scratch_count(), 2);
}

/* Of a killed process; not of one that lives or may live in another container, nor what is called
 * otherwise. */
Test(output, removes_what_the_dead_left)
{
    char text[] = "text";
    const long dead = dead_process();
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    scratch_write(text_of("run.yaml.new-%ld", dead), "half");
    int held = open(scratch_write(text_of("run.svg.new-%ld", dead), "half"), O_RDWR);
    cr_assert(held >= 0 && fcntl(held, F_OFD_SETLK, &lock) == 0);
    scratch_write(text_of("run.html.new-%ld", (long)getppid()), "half");
    scratch_write("run.new-year", "mine");
    scratch_write("run.new-1x", "mine");
    scratch_write(text_of("other.new-%ld", dead), "of another");
    cr_assert(output_write(scratch_path("run"), print_text, text, NULL));
    cr_assert_eq(scratch_count(), 6);
    close(held);
    output_remove_leftovers(scratch_path("run"));
    cr_assert_eq(scratch_count(), 5);
    output_remove_leftovers(scratch_path("o"));
    cr_assert_eq(scratch_count(), 4);
}

static void expect_refused(const char *path, const char *reason)
{
    cr_expect_not(output_check(path, true, &err), "%s", path);
    SAID(reason);
}

/* Before the work, not at its end. */
Test(output, refuses_what_cannot_be_written)
{
    expect_refused(directory, "it is a directory");
    expect_refused("/nowhere/file", "cannot write /nowhere/file: /nowhere: No such file");
    expect_refused("", "is empty");
    MUST(output_check(scratch_path("file"), false, &err));
    MUST(output_check("file-in-this-folder", false, &err));
    if (geteuid() != 0) {
        cr_assert_eq(chmod(directory, 0500), 0);
        expect_refused(scratch_path("file"), "Permission denied");
        cr_assert_eq(chmod(directory, 0700), 0);
    }
    cr_assert_eq(scratch_count(), 0);
}

Test(output, two_names_of_one_file_are_told)
{
    const char *file = scratch_path("file");
    cr_expect(output_is_same(file, file));
    cr_expect(output_is_same(file, scratch_path("./file")));
    cr_expect_not(output_is_same(file, scratch_path("file2")));
    cr_assert_eq(symlink(directory, scratch_path("link")), 0);
    cr_expect(output_is_same(scratch_path("link/file"), file));
    cr_expect(output_is_same("file", "./file"));
    cr_expect(output_is_same("-", "/dev/stdout") && output_is_same("/dev/fd/1", "-"));
    cr_expect_not(output_is_same("-", "/dev/stderr") || output_is_same("-", file));
    cr_expect_not(output_is_same("/dev/null", "/dev/null"));
    cr_expect_not(output_is_same("/nowhere/file", "/nowhere/file2"));
}

/* What is written goes where the open file is: after what was written before, not instead of it. */
Test(output, an_open_file_is_written_on)
{
    char text[] = "text";
    const char *path = scratch_path("file"), *name;
    int fd = open(path, O_WRONLY | O_CREAT, 0600);
    cr_assert(fd >= 0 && write(fd, "old ", 4) == 4);
    for (int i = 0; i < 2; i++) {
        name = text_of("%s/%d", i == 0 ? "/dev/fd" : "/proc/self/fd", fd);
        MUST(output_check(name, false, &err));
        MUST(output_write(name, print_text, text, &err));
    }
    cr_assert_not(output_is_file("/dev/stdout"));
    cr_assert(has_text(path, "old texttext"));
    cr_assert_eq(scratch_count(), 1);
    close(fd);
    expect_refused(name, "it is not open for writing");
    cr_assert_eq(open(path, O_RDONLY), fd);
    expect_refused(name, "it is not open for writing");
    close(fd);
}

Test(output, a_device_is_written_through)
{
    char text[] = "text";
    MUST(output_write("/dev/null", print_text, text, &err));
    cr_assert_not(output_write("/dev/full", print_text, text, &err));
    SAID("No space");
    cr_assert_not(output_write("/nowhere/file", print_text, text, &err));
}
