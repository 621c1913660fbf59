/** What programs read of the built program: failures and warnings as JSON, `new` and `report` as JSON,
 * octaves by their names, and a project that comes in on standard input. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "src/base/options/messages.h"
#include "tests/support/json_path.h"
#include "tests/support/program_run.h"

TestSuite(machine, .init = enter_folder, .fini = leave_folder);

#define PLACED CUBE_PLACES, "--fmax", "100", "--duration", "0.05", "--quiet"

/* The last line of standard error, which must be JSON. */
static cJSON *last_line(void)
{
    char *text = read_text("err"), *begin = text;
    const size_t length = strlen(text);
    cr_assert(length > 0 && text[length - 1] == '\n', "no line: %s", text);
    text[length - 1] = '\0';
    if (strrchr(text, '\n') != NULL)
        begin = strrchr(text, '\n') + 1;
    cJSON *object = cJSON_ParseWithOpts(begin, NULL, 1);
    cr_assert(object != NULL, "no JSON: %s", begin);
    return object;
}

/* The program must end with that failure, and say nothing on standard output. */
static void expect_error(int status, int expected, const char *kind, const char *subject, const char *name,
                         const char *message, const char *advice)
{
    expect_status(status, expected);
    cJSON *line = last_line();
    const cJSON *error = record_at(line, "error");
    char *out = read_text("out"), at[40];
    cr_assert(eq(str, out, ""));
    cr_assert(eq(str, (char *)text_of(error, "kind"), (char *)kind));
    cr_assert(eq(dbl, number(error, "status"), expected));
    cr_assert(strstr(text_of(error, "message"), message) != NULL, "%s", text_of(error, "message"));
    snprintf(at, sizeof at, "subject.0.%s", subject);
    cr_assert(eq(str, (char *)record_text(error, at), (char *)name));
    if (advice == NULL)
        cr_assert(cJSON_IsNull(cJSON_GetObjectItem(error, "advice")));
    else
        cr_assert(strstr(text_of(error, "advice"), advice) != NULL, "%s", text_of(error, "advice"));
    cr_assert(advice == NULL || strstr(text_of(error, "message"), advice) == NULL, "advice stands apart");
    cr_assert(cJSON_IsArray(cJSON_GetObjectItem(error, "notes")));
    cJSON_Delete(line);
}

Test(machine, a_failure_is_one_line_of_json_with_kind_subject_message_and_advice)
{
    write_cube();
    expect_error(RUN("plan", "cube.obj", "--json", "--fmaxx", "100"), 2, "input", "option", "--fmaxx",
                 "plan has no option --fmaxx", "did you mean --fmax?");
    expect_error(RUN("plan", "cube.obj", "--json", "--fmax=9"), 2, "input", "option", "--fmax",
                 "--fmax 9 is out of range", NULL);
    expect_error(RUN("check", "none.obj", "--json"), 2, "input", "file", "none.obj",
                 "none.obj could not be opened", NULL);
    expect_error(RUN("simulate", "cube.obj", PLACED, "-o", "run", "--json"), 2, "input", "material", "wall",
                 "no absorption is known for \"wall\"", "transept new ROOM -o PROJECT.yaml");
    expect_error(RUN("simulate", CUBE, "--source", "9,1,1,far", "--receiver", "2,2,2", "-o", "run", "--json"),
                 2, "input", "position", "far", "is outside the room", "move it to the nearest valid point");
    write_text("a.yaml", "room: cube.obj\nfmax_hz: 3\n");
    expect_error(RUN("plan", "a.yaml", "--json"), 2, "input", "file", "a.yaml",
                 "a.yaml, line 2: fmax_hz is 3", NULL);
    cJSON *line = last_line();
    cr_assert(eq(dbl, record_number(line, "error.subject.0.line"), 2));
    cJSON_Delete(line);
}

Test(machine, advice_that_a_key_of_a_project_follows_has_the_key)
{
    static const double width[] = {0.0418, 0};
    for (size_t i = 0; i < 2; i++) {
        struct failure failure = {0};
        char text[MESSAGE_FAILURE_MAX];
        (void)failure_advise(failure_set(&failure, FAILURE_INPUT, "it leaks"), &failure, ADVICE_OPEN_OR_SEAL,
                             width[i]);
        cJSON *line = cJSON_Parse(message_failure_json(&failure, text));
        cr_assert(line != NULL, "%s", text);
        const cJSON *error = record_at(line, "error");
        if (i == 0) {
            cr_assert(eq(dbl, record_number(error, "fix.value"), 0.042));
            cr_assert(eq(str, (char *)record_text(error, "fix.key"), "seal_m"));
        } else
            cr_assert(cJSON_IsNull(cJSON_GetObjectItem(error, "fix")));
        cJSON_Delete(line);
    }
}

Test(machine, progress_as_json_brings_failures_as_json_and_nothing_else_does)
{
    static const char *const asks[][2] = {{"--progress=json", NULL}, {"--progress", "json"}};
    for (size_t i = 0; i < 2; i++) {
        expect_status(RUN("simulate", "none.obj", "-o", "run", asks[i][0], asks[i][1]), 2);
        cJSON *line = last_line();
        cr_assert(eq(str, (char *)record_text(line, "error.kind"), "input"));
        cJSON_Delete(line);
    }
    expect_status(RUN("plan", "none.obj", "--", "--json"), 2);
    expect_words("err", "transept: plan takes one ROOM");
}

Test(machine, an_answer_of_no_is_the_object_and_a_line_that_says_why)
{
    write_box("hall.obj", 6, 5, 4, false);
    expect_status(RUN("check", "hall.obj", "--json", "--quiet"), 1);
    cJSON *report = read_json("out"), *line = last_line();
    cr_assert(eq(str, (char *)text_of(report, "verdict"), "unfit"));
    cr_assert(eq(str, (char *)record_text(line, "error.kind"), "no"));
    cJSON_Delete(line);
}

Test(machine, a_warning_is_a_line_of_json_whose_advice_stands_apart)
{
    write_cube();
    expect_status(RUN("plan", "cube.obj", "--fmax", "100", "--json", "--quiet"), 0);
    char *text = read_text("err");
    cJSON *line = cJSON_ParseWithOpts(strtok(text, "\n"), NULL, 1);
    cr_assert(line != NULL, "no JSON: %s", text);
    cr_assert(eq(str, (char *)record_text(line, "warning.message"),
                 "1 of 1 materials have no absorption and count as 0.1"));
    cr_assert(strstr(record_text(line, "warning.advice"), "--absorption A") != NULL);
    cJSON_Delete(line);
}

Test(machine, new_tells_every_guess_and_how_sure_it_is)
{
    static const char *const surface[][2] = {{"oak door", "name"}, {"Holzdecke", "words"}, {"xqzt", "none"}};
    FILE *file = fopen("hall.obj", "w");
    cr_assert(file != NULL);
    for (int i = 0; i < 8; i++)
        fprintf(file, "v %d %d %d\n", i & 1 ? 6 : 0, i & 2 ? 5 : 0, i & 4 ? 4 : 0);
    fprintf(file, "usemtl %s\nf 1 3 4 2\nf 5 6 8 7\nusemtl %s\nf 1 2 6 5\nf 3 7 8 4\nusemtl %s\n",
            surface[0][0], surface[1][0], surface[2][0]);
    fprintf(file, "f 1 5 7 3\nf 2 4 8 6\n");
    fclose(file);
    expect_status(RUN("new", "hall.obj", "-o", "hall.yaml", "--json"), 0);
    cJSON *object = read_json("out");
    cr_assert(eq(str, (char *)text_of(object, "file"), "hall.yaml"));
    for (size_t m = 0; m < 3; m++)
        cr_assert(
            eq(str, (char *)text_of(material_of(object, surface[m][0]), "certainty"), (char *)surface[m][1]));
    cr_assert(eq(dbl, number(material_of(object, "oak door"), "area_m2"), 60));
    cr_assert(cJSON_IsNull(cJSON_GetObjectItem(material_of(object, "xqzt"), "library_name")));
    cr_assert(eq(dbl, record_number(material_of(object, "xqzt"), "absorption.7"), 0.1));
    cr_assert(eq(dbl, record_number(object, "receivers.1.position_m.2"), 1.2));
    cr_assert(eq(str, (char *)record_text(object, "receivers.1.name"), "far"));
    cr_assert(gt(dbl, number(object, "fmax_hz"), 0));
}

Test(machine, report_tells_where_the_page_is_and_all_that_it_carries)
{
    write_cube();
    expect_status(RUN("simulate", "cube.obj", "--absorption", "0.1", PLACED, "-o", "run"), 0);
    expect_status(RUN("report", "run", "--json"), 0);
    cJSON *object = read_json("out");
    char *page = read_text(text_of(object, "page"));
    cr_assert(eq(dbl, number(object, "bytes"), (double)strlen(page)));
    const char begin[] = "id=\"transept-data\">";
    cJSON *data = cJSON_Parse(strstr(page, begin) + strlen(begin));
    cr_assert(cJSON_Compare(data, cJSON_GetObjectItem(object, "data"), true));
    cJSON_Delete(data);
}

Test(machine, octaves_have_their_names_beside_their_centres)
{
    write_cube();
    expect_status(RUN("simulate", "cube.obj", "--absorption", "0.1", CUBE_PLACES, "--fmax", "355",
                      "--duration", "0.2", "-o", "run", "--json", "--quiet"),
                  0);
    cJSON *record = read_json("run/run.json");
    expect_status(RUN("analyse", "run", "--json"), 0);
    cJSON *figures = read_json("out");
    const cJSON *at[] = {record, record_at(record, "air"), record_at(record, "responses.0"),
                         record_at(figures, "responses.0")};
    for (size_t i = 0; i < 4; i++) {
        static const double name[] = {63, 125, 250};
        cr_assert(eq(int, cJSON_GetArraySize(record_at(at[i], "nominal_hz")), 3), "%zu", i);
        for (int b = 0; b < 3; b++) {
            const double centre = cJSON_GetArrayItem(record_at(at[i], "octaves_hz"), b)->valuedouble;
            cr_assert(eq(dbl, cJSON_GetArrayItem(record_at(at[i], "nominal_hz"), b)->valuedouble, name[b]));
            cr_assert(test_near(centre, name[b], 0.01 * name[b]) && centre != name[b]);
        }
    }
}

/* ---- a project on standard input ---- */

/* Run with the file `input` there. */
#define RUN_WITH(input, ...) run_with(input, (const char *const[]){TEST_PROGRAM, __VA_ARGS__, NULL})

static int run_with(const char *input, const char *const *argument)
{
    const int own = dup(STDIN_FILENO), file = open(input, O_RDONLY);
    cr_assert(own >= 0 && file >= 0 && dup2(file, STDIN_FILENO) == 0);
    const int status = run(NULL, argument);
    cr_assert(dup2(own, STDIN_FILENO) == 0);
    close(own);
    close(file);
    return status;
}

#define PROJECT                                                                                              \
    "room: cube.obj\nmaterials: {wall: 0.1}\nfmax_hz: 100\nduration_s: 0.05\n"                               \
    "sources: [{name: S1, position: [1, 1, 1]}]\nreceivers: [{name: R1, position: [2, 2, 2]}]\n"

Test(machine, a_project_on_standard_input_runs_as_one_in_a_file_and_is_kept_in_the_record)
{
    write_cube();
    write_text("p.yaml", PROJECT);
    expect_status(RUN("simulate", "p.yaml", "-o", "file", "--quiet"), 0);
    expect_status(RUN_WITH("p.yaml", "simulate", "-", "-o", "piped", "--quiet"), 0);
    cr_assert(same_file("file/ir_S1_R1.wav", "piped/ir_S1_R1.wav"));
    cJSON *record = read_json("piped/run.json"), *other = read_json("file/run.json");
    cr_assert(eq(str, (char *)record_text(record, "project.text"), PROJECT));
    cr_assert(
        eq(str, (char *)record_text(record, "project.hash"), (char *)record_text(other, "project.hash")));
    cr_assert(record_text(other, "project.text") == NULL);
    /* Opened for each variant, and read once; JSON is YAML. */
    write_text("p.json", "{\"room\": \"cube.obj\", \"materials\": {\"wall\": 0.1}, \"fmax_hz\": 100,"
                         "\"duration_s\": 0.05, \"sources\": [{\"name\": \"S1\", \"position\": [1, 1, 1]}],"
                         "\"receivers\": [{\"name\": \"R1\", \"position\": [2, 2, 2]}],"
                         "\"variants\": {\"soft\": {\"materials\": {\"wall\": 0.5}}}}");
    expect_status(RUN_WITH("p.json", "simulate", "-", "--variant", "all", "-o", "both", "--quiet"), 0);
    cr_assert(same_file("file/ir_S1_R1.wav", "both/base/ir_S1_R1.wav"));
    cr_assert(exists("both/soft/ir_S1_R1.wav"));
}

Test(machine, a_run_of_standard_input_goes_on_without_it)
{
    write_cube();
    write_text("p.yaml", PROJECT);
    write_text("nothing", "");
    expect_status(RUN_WITH("p.yaml", "simulate", "-", "-o", "whole", "--duration", "3", "--quiet"), 0);
    const char *const command[] = {TEST_PROGRAM, "simulate",     "-",     "-o",      "run", "--duration",
                                   "3",          "--checkpoint", "0.001", "--quiet", NULL};
    const int own = dup(STDIN_FILENO), file = open("p.yaml", O_RDONLY);
    cr_assert(own >= 0 && dup2(file, STDIN_FILENO) == 0);
    const pid_t child = start(NULL, command);
    cr_assert(dup2(own, STDIN_FILENO) == 0);
    while (!exists("run/checkpoint.command"))
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    expect_status(RUN_WITH("nothing", "simulate", "--resume", "run", "--quiet"), 0);
    cr_assert(same_file("whole/ir_S1_R1.wav", "run/ir_S1_R1.wav"));
}

Test(machine, standard_input_without_a_project_is_refused)
{
    write_cube();
    write_text("nothing", "");
    write_text("wrong", "rom: cube.obj\n");
    write_text("model", "glTF\2\1");
    expect_error(RUN_WITH("nothing", "check", "-", "--json"), 2, "input", "file", "standard input",
                 "standard input is empty", "pipe a project into it");
    expect_error(RUN_WITH("cube.obj", "plan", "-", "--json"), 2, "input", "file", "standard input",
                 "standard input holds a model and no project", "by the name of its file");
    expect_error(RUN_WITH("model", "plan", "-", "--json"), 2, "input", "file", "standard input",
                 "holds a model", "by the name of its file");
    expect_status(RUN_WITH("wrong", "plan", "-"), 2);
    expect_words("err", "transept: standard input, line 1: rom is not a key of a project");
    expect_status(RUN_WITH("nothing", "new", "cube.obj", "-o", "-"), 2);
}

/* ---- the page ---- */

/* A line of an example: run it, and keep what it printed under the name of its command. */
static void run_line(const char *line, size_t length)
{
    char verb[40] = "", text[1200];
    (void)sscanf(strstr(line, "transept "), "transept %39s", verb);
    snprintf(text, sizeof text, "PATH=$(dirname '%s'):$PATH; %.*s >%s.out", TEST_PROGRAM, (int)length, line,
             verb);
    const char *const shell[] = {"/bin/sh", "-c", text, NULL};
    const int status = run(NULL, shell);
    if (line[length] == '\0' || line[length + 1] != '{') /* else what is shown is a failure */
        expect_status(status, 0);
}

/* Every `name` of a row of the table is in what its command printed. */
static size_t look_up_names(const char *row, size_t length)
{
    char text[1000], file[60], *rest = NULL;
    size_t names = 0;
    snprintf(text, sizeof text, "%.*s", (int)length, row);
    (void)strtok_r(text, "`", &rest);
    snprintf(file, sizeof file, "%s.out", strtok_r(NULL, "`", &rest));
    if (!exists(file)) /* another table */
        return 0;
    cJSON *object = read_json(file);
    while (strtok_r(NULL, "`", &rest) != NULL) {
        const char *name = strtok_r(NULL, "`", &rest);
        if (name == NULL)
            break;
        cr_assert(record_at(object, name) != NULL, "%s has no %s", file, name);
        names++;
    }
    return names;
}

Test(machine, the_manual_shows_and_names_what_is_printed)
{
    char *page = read_text(test_source_file("src/manual/machine.md"));
    size_t lines = 0, shown = 0, names = 0, kinds = 0;
    for (char *at = page, *next; *at != '\0'; at = next) {
        const size_t length = strcspn(at, "\n");
        char kind[20];
        int status;
        next = at + length + (at[length] == '\n');
        if (strncmp(at, "transept ", 9) == 0 || strncmp(at, "cat ", 4) == 0 || strncmp(at, "echo ", 5) == 0) {
            run_line(at, length);
            lines++;
        } else if (at[0] == '{') {
            at[length] = '\0';
            expect_words("err", at);
            shown++;
        } else if (strncmp(at, "| `", 3) == 0) {
            names += look_up_names(at, length);
        } else if (sscanf(at, "| %d | `%19[a-z]`", &status, kind) == 2) {
            cr_assert(eq(str, (char *)failure_kind((enum failure_code)status), kind));
            kinds++;
        }
    }
    cr_assert(lines >= 14 && shown >= 2 && names >= 40 && kinds == 6,
              "%zu lines, %zu shown, %zu names, %zu kinds", lines, shown, names, kinds);
}

Test(machine, an_interruption_before_any_result_is_a_line_of_json_too)
{
    expect_status(RUN("room", "church", "-o", "church.obj"), 0);
    const char *const argument[] = {TEST_PROGRAM, "plan", "church.obj", "--json", "--fmax", "5680", NULL};
    struct stat err;
    unlink("err");
    const pid_t child = start(NULL, argument);
    while (stat("err", &err) != 0 || err.st_size == 0) /* it has begun to speak of the room */
        nanosleep(&(struct timespec){0, 10000000}, NULL);
    kill(child, SIGINT);
    expect_status(finish(child), 130);
    cJSON *line = last_line();
    cr_assert(eq(str, (char *)record_text(line, "error.kind"), "interrupted"));
    cr_assert(eq(dbl, record_number(line, "error.status"), 130));
    cJSON_Delete(line);
}
