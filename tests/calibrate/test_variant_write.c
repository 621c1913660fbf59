/* A variant is added to a project, and every other byte stays. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "tests/support/own_folder.h"

#include "src/calibrate/variant_write.h"
#include "tests/support/outcome.h"

TestSuite(variant_write, .init = enter_folder, .fini = leave_folder);

#define BODY "# why\nmaterials:\n  wall: 0.25\n"

/* Add `name` to a project of this text: what the file is then. */
static const char *add(const char *text, const char *name, int expected, const char *says)
{
    struct project *project = NULL;
    write_text("p.yaml", text);
    MUST(project_open("p.yaml", NULL, &project, &failure));
    if (expected == 0)
        MUST(variant_write(project, name, BODY, false, &failure));
    else
        MUST_FAIL(variant_write(project, name, BODY, false, &failure), expected, says);
    project_close(project);
    if (expected == 0) {
        MUST(project_open("p.yaml", name, &project, &failure));
        cr_expect(test_near(project->material.entry[0].absorption[3], 0.25, 1e-12));
        project_close(project);
    }
    return read_text("p.yaml");
}

Test(variant_write, a_project_without_variants_gets_them_at_its_end)
{
    cr_expect_str_eq(
        add("room: {shape: cube}  # mine\nmaterials: {wall: 0.1}", "new one", 0, ""),
        "room: {shape: cube}  # mine\nmaterials: {wall: 0.1}\n\nvariants:\n  new one:\n    # why\n"
        "    materials:\n      wall: 0.25\n");
}

Test(variant_write, it_follows_the_last_variant_in_its_indentation)
{
    cr_expect_str_eq(add("variants:   # two\n   a:\n      audience: 0.5 # half\n   b: {audience: 1}\n\n"
                         "# the room\nroom: {shape: cube}\nmaterials: {wall: 0.1}\n",
                         "c", 0, ""),
                     "variants:   # two\n   a:\n      audience: 0.5 # half\n   b: {audience: 1}\n"
                     "   c:\n     # why\n     materials:\n       wall: 0.25\n"
                     "\n# the room\nroom: {shape: cube}\nmaterials: {wall: 0.1}\n");
}

Test(variant_write, what_it_cannot_be_added_to_stays_as_it_is)
{
    static const char *const text[] = {
        "room: {shape: cube}\nmaterials: {wall: 0.1}\nvariants: {a: {audience: 1}}\n",
        "room: {shape: cube}\nmaterials: {wall: 0.1}\nvariants:\n  a: {audience: 1}\n...\n",
        "{room: {shape: cube}, materials: {wall: 0.1}}\n"};
    for (size_t t = 0; t < sizeof text / sizeof *text; t++)
        cr_expect_str_eq(add(text[t], "c", FAILURE_INPUT, "no variant c can be added to p.yaml"), text[t]);
    cr_expect_str_eq(add("room: {shape: cube}\nmaterials: {wall: 0.1}\nvariants:\n  a b: {audience: 1}\n",
                         "a_b", FAILURE_INPUT, "p.yaml has a variant a_b"),
                     "room: {shape: cube}\nmaterials: {wall: 0.1}\nvariants:\n  a b: {audience: 1}\n");
    DIR *here = opendir(".");
    size_t files = 0;
    for (const struct dirent *entry; (entry = readdir(here)) != NULL;)
        files += entry->d_name[0] != '.' || strlen(entry->d_name) > 2;
    closedir(here);
    cr_expect(eq(sz, files, 1), "a temporary file stays");
}

Test(variant_write, a_file_keeps_its_permissions_and_its_link)
{
    struct project *project = NULL;
    struct stat there;
    write_text("real.yaml", "room: {shape: cube}\nmaterials: {wall: 0.1}\n");
    cr_assert(chmod("real.yaml", 0600) == 0 && symlink("real.yaml", "p.yaml") == 0);
    MUST(project_open("p.yaml", NULL, &project, &failure));
    const char *before = read_text("p.yaml");
    MUST(variant_write(project, "c", BODY, true, &failure));
    cr_expect_str_eq(read_text("p.yaml"), before, "a trial changes the file");
    MUST(variant_write(project, "c", BODY, false, &failure));
    cr_assert(lstat("p.yaml", &there) == 0 && S_ISLNK(there.st_mode));
    cr_assert(stat("real.yaml", &there) == 0);
    cr_expect(eq(uint, there.st_mode & 0777, 0600));
    cr_expect(strstr(read_text("real.yaml"), "wall: 0.25") != NULL);
    project_close(project);
}
