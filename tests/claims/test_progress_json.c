/** --progress json: what a program that waits for ours reads. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "tests/support/program_run.h"

#include "src/base/progress_json.h"

TestSuite(progress_json, .init = enter_folder, .fini = leave_folder);

#define JSON        "--progress", "json"
#define PHASES_MOST 100

/* A phase as its lines tell it. */
struct phase {
    char name[60], variant[40], source[40]; /* "": null */
    double first, last;
    int lines;
};

static void take_text(const cJSON *object, const char *name, char *out, size_t size)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    cr_assert(cJSON_IsString(item) || cJSON_IsNull(item), "%s", name);
    (void)snprintf(out, size, "%s", cJSON_IsString(item) ? item->valuestring : "");
}

/* A line into the phases: one that begins again with 0 is another. */
static void take_line(const char *line, struct phase *phase, size_t *count)
{
    const char *end = NULL;
    struct phase now = {0};
    cJSON *object = cJSON_ParseWithOpts(line, &end, 0);
    cr_assert(object != NULL && *end == '\0', "no object of its own: %s", line);
    int members = 5;
    for (const char *const *of = (const char *const[]){"level_db", "fallen_db", "pictured_s", "run", NULL};
         *of != NULL; of++)
        members += cJSON_HasObjectItem(object, *of);
    cr_assert(eq(int, cJSON_GetArraySize(object), members), "%s", line);
    take_text(object, "phase", now.name, sizeof now.name);
    take_text(object, "variant", now.variant, sizeof now.variant);
    take_text(object, "source", now.source, sizeof now.source);
    const double fraction = number(object, "fraction");
    const cJSON *left = cJSON_GetObjectItemCaseSensitive(object, "seconds_left");
    cr_assert(cJSON_IsNull(left) || left->valuedouble >= 0, "%s", line);
    cr_assert(fraction >= 0 && fraction <= 1, "%s", line);
    struct phase *last = *count > 0 ? &phase[*count - 1] : NULL;
    if (last == NULL || last->last == 1) {
        cr_assert(fraction == 0 && *count < PHASES_MOST, "begins with %s", line);
        now.first = fraction;
        phase[(*count)++] = now;
        last = &phase[*count - 1];
    }
    cr_assert(strcmp(last->name, now.name) == 0 && strcmp(last->variant, now.variant) == 0 &&
                  strcmp(last->source, now.source) == 0,
              "%s has not ended: %s", last->name, line);
    cr_assert(fraction >= last->last, "it fell from %g: %s", last->last, line);
    last->last = fraction;
    last->lines++;
    cJSON_Delete(object);
}

/* All that standard error holds is objects, and the last phase has ended. */
static size_t read_phases(struct phase phase[PHASES_MOST])
{
    char *text = read_text("err");
    size_t count = 0;
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n"))
        take_line(line, phase, &count);
    cr_assert(count > 0 && phase[count - 1].last == 1);
    return count;
}

static void expect_phases(const char *names)
{
    static struct phase phase[PHASES_MOST];
    char found[2000] = "";
    const size_t count = read_phases(phase);
    for (size_t p = 0; p < count; p++) {
        const size_t length = strlen(found);
        (void)snprintf(found + length, sizeof found - length, "%s%s%s%s%s", p > 0 ? ", " : "",
                       phase[p].variant, phase[p].variant[0] != '\0' ? ":" : "", phase[p].name,
                       phase[p].source[0] != '\0' ? phase[p].source : "");
    }
    cr_assert(eq(str, found, (char *)names));
}

#define SIMULATE                                                                                             \
    "simulate", "cube.obj", "--fmax", "200", "--duration", "0.3", "--absorption", "0.1", "--source",         \
        "1,1,1,a", "--source", "2,1,1,b", "--receiver", "2,2,2", "--receiver-grid",                          \
        "floor=0.5,0.5,0;2.5,0.5,0;2.5,2.5,0;0.5,2.5,0", "-o", "run"

Test(progress_json, progress_as_json_is_one_object_a_line_with_fractions_that_never_fall)
{
    write_cube();
    expect_status(RUN(SIMULATE, "--quiet", JSON), 0);
    expect_phases(
        "model, survey, grid, engine, stepsa, responsesa, pointsa, stepsb, responsesb, pointsb, maps, "
        "record");
    expect_words("err", "\"level_db\":");
    expect_no_words("err", "fallen_db"); /* of automatic runs alone: */
    expect_status(RUN("simulate", "cube.obj", "--fmax", "100", "--absorption", "0.4", "--source", "1,1,1",
                      "--receiver", "2,2,2", "--rays", "off", "-o", "auto", "--quiet", JSON),
                  0);
    expect_words("err", "\"fallen_db\":");
    expect_status(RUN(SIMULATE, "--quiet", "--force", JSON), 0);
    expect_words("err", "\"run\":{\"number\":1,\"count\":2,\"fraction\":0,\"seconds_left\":",
                 "\"run\":{\"number\":2,\"count\":2,\"fraction\":0.5,",
                 "\"run\":{\"number\":2,\"count\":2,\"fraction\":1,");
    /* On standard output it changes nothing, and without it there is none. */
    expect_status(RUN(SIMULATE, "--force"), 0);
    expect_no_words("err", "\"phase\"");
    expect_status(RUN("check", "cube.obj", "--absorption", "0.1", "--fmax", "200", "--source", "1,1,1",
                      "--receiver", "2,2,2", "--quiet", JSON),
                  0);
    static struct phase phase[PHASES_MOST];
    cr_assert(read_phases(phase) >= 5);
    cr_assert(eq(str, phase[0].name, "reading the model"));
    expect_status(RUN("plan", "cube.obj", "--absorption", "0.1", "--fmax", "200", "--quiet", JSON), 0);
    expect_phases("model, survey, grid, speed");
    expect_status(RUN("new", "cube.obj", "-o", "cube.yaml", "--quiet", JSON), 0);
    expect_phases("model, survey, grid");
    expect_status(RUN("analyse", "run", JSON), 0);
    expect_phases("responses");
    expect_status(RUN("modes", "run", JSON), 0);
    expect_phases("responses, modes");
    expect_status(RUN("compare", "run", "run", "--quiet", JSON), 0);
    expect_phases("comparing");
    expect_status(RUN("auralise", "run", "--quiet", JSON), 0);
    expect_phases("dry, levels, sounds");
    expect_status(RUN("report", "run", "--quiet", JSON), 0);
    expect_phases("responses, sounds, page");
    expect_status(RUN("film", "cube.obj", "--fmax", "200", "--absorption", "0.1", "--source", "1,1,1,a",
                      "--slice", "z=1", "-o", "film", "--quiet", JSON),
                  0);
    expect_phases("model, survey, grid, engine, stepsa, record");
    expect_status(RUN("compare", "cube.obj", "--fmax", "200", "--absorption", "0.1", "--source", "1,1,1",
                      "--steps", "50", "--quiet", JSON),
                  0);
    expect_phases("model, survey, grid, engine, steps");
}

Test(progress_json, a_variant_is_named_and_all_are_looked_at_first)
{
    write_cube();
    write_text(
        "p.yaml",
        "room: cube.obj\nfmax_hz: 60\nduration_s: 0.05\nsources: [{name: s, position: [1, 1, 1]}]\n"
        "receivers: [{name: r, position: [2, 2, 2]}]\nmaterials: {wall: 0.1}\noutputs: {folder: runs}\n"
        "variants:\n  soft: {materials: {wall: 0.6}}\n");
    expect_status(RUN("simulate", "p.yaml", "--variant", "all", "--quiet", JSON), 0);
    expect_phases("variants, base:model, base:survey, base:grid, base:engine, base:stepss, base:responsess, "
                  "base:maps, base:record, soft:model, soft:survey, soft:grid, soft:engine, soft:stepss, "
                  "soft:responsess, soft:maps, soft:record");
    expect_status(RUN("plan", "p.yaml", "--variant", "soft", "--quiet", JSON), 0);
    expect_phases("soft:model, soft:survey, soft:grid, soft:speed");
}

/* Lines are a fifth of a second apart. */
static void show(double fraction)
{
    nanosleep(&(const struct timespec){.tv_nsec = 250000000}, NULL);
    progress_json_show(fraction);
}

Test(progress_json, the_fraction_of_a_phase_never_falls)
{
    FILE *file = fopen("err", "w");
    progress_json_to(file);
    progress_json_begin("one", NULL);
    show(0.5);
    show(0.25);
    progress_json_piece(3, 4);
    show(0.5);
    progress_json_begin("two", NULL);
    show(0.125);
    progress_json_end();
    fclose(file);
    char *text = read_text("err");
    static const double told[] = {0, 0.5, 0.5, 0.875, 1, 0, 0.125, 1};
    size_t n = 0;
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n"), n++) {
        cJSON *object = cJSON_Parse(line);
        cr_assert(n < sizeof told / sizeof *told && test_near(number(object, "fraction"), told[n], 1e-9),
                  "%s", line);
        cJSON_Delete(object);
    }
    cr_assert(eq(sz, n, sizeof told / sizeof *told));
    expect_phases("one, two");
}

/* What ends badly has no phase that ends well. */
Test(progress_json, a_failure_ends_no_phase)
{
    expect_status(RUN("simulate", "absent.obj", "-o", "run", "--quiet", JSON), 2);
    expect_words("err", "{\"phase\":\"model\",\"fraction\":0,\"seconds_left\":null,\"variant\":null,"
                        "\"source\":null}\n{\"error\":{\"kind\":\"input\"");
}
