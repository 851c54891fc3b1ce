/* The command that continues a run. */
#include "resume_words.h"

#include <criterion/criterion.h>
#include <string.h>

static void expect(const char *path, const char *command)
{
    char text[RESUME_WORDS];
    cr_assert_str_eq(resume_words("grayling", path, text), command, "%s", text);
}

Test(resume_words, a_compressed_run_is_decompressed_first)
{
    expect("runs/a.db", "grayling resume runs/a.db");
    expect("my runs/a.db", "grayling resume 'my runs/a.db'");
    expect("a.db.zst", "zstd -d a.db.zst && grayling resume a.db");
    expect("my runs/a.db.zst", "zstd -d 'my runs/a.db.zst' && grayling resume 'my runs/a.db'");
    expect(".zst", "grayling resume .zst");
}

Test(resume_words, a_stage_is_kept)
{
    char plain[RESUME_WORDS], packed[RESUME_WORDS];
    resume_words("./my grayling", "n.db#search", plain);
    resume_words("./my grayling", "n.db.zst#search", packed);
    cr_assert_str_eq(strstr(packed, "'./my grayling' resume"), plain);
    cr_assert_eq(strncmp(packed, "zstd -d n.db.zst && ", 20), 0, "%s", packed);
}
