/** `report` of run folders that somebody damaged or made up: never a crash, never half a page, never markup,
 * a file or a path of the machine that does not belong into it.
 *
 * With TRANSEPT_FUZZ_ROUNDS=2000 in the environment, more than the few rounds of every day.
 */
#define _XOPEN_SOURCE 700
#include "geometry/base/utf8.h"
#include "src/run_folder/run_folder.h"
#include "tests/support/program_run.h"

TestSuite(report_fuzz, .init = enter_folder, .fini = leave_folder);

#define ROUNDS 60
#define PLACES 4000

/* ---- what is damaged ---- */

static uint64_t state;

static size_t below(size_t count)
{
    return (size_t)(test_random(&state) % count);
}

#define QUOTES "\" onevil=\"1\" ' onevil='1' --> ]]>"

static const char *const text[] = {
    "",
    "<evil></script><script>evil()</script>",
    "</title></style></script><evil a=\"",
    QUOTES,
    "<!--<evil",
    "&lt;evil &#60;evil",
    "line\xE2\x80\xA8separator\xE2\x80\xA9",
    "\xFF\xFE\xC0\xBC"
    "evil\xED\xA0\x80\xF8\x88\x80\x80\x80\xE2\x82",
    "/home/victim/models/hall.obj",
    "/home/victim/secret.wav: cannot be read",
    "../../victim/secret.wav",
    "C:\\Users\\victim\\hall.obj",
    "..\\victim\\hall.obj",
    "\\\\victim\\share\\hall.obj",
    "file:///home/victim/hall.obj",
    "read:/home/victim/hall.obj",
    "--materials=/home/victim/list.csv",
    "javascript:evil()",
    "data:text/html,<evil>",
    "http://evil.example/x.js",
    "%s%n%s%n%99999d",
    "null",
    "-1",
    "..",
    ".",
};

static cJSON *hostile_value(void)
{
    static const char *const raw[] = {"1e999",
                                      "-1e999",
                                      "1e308",
                                      "-1e308",
                                      "4.9e-324",
                                      "-0.0",
                                      "2147483648",
                                      "1e18",
                                      "-1",
                                      "0",
                                      "0.5",
                                      "true",
                                      "false",
                                      "null",
                                      "[]",
                                      "{}",
                                      "[[[[[[[[]]]]]]]]",
                                      "{\"name\":{\"name\":[{}]}}",
                                      "[null,1e300,\"<evil>\",{}]"};
    switch (below(8)) {
    case 0: {
        char *long_text = malloc(100001);
        memset(long_text, "<\"/.\\ a"[below(7)], 100000);
        long_text[100000] = '\0';
        cJSON *item = cJSON_CreateString(long_text);
        free(long_text);
        return item;
    }
    case 1:
    case 2:
    case 3:
        return cJSON_CreateRaw(raw[below(sizeof raw / sizeof raw[0])]);
    default:
        return cJSON_CreateString(text[below(sizeof text / sizeof text[0])]);
    }
}

struct place {
    cJSON *parent, *item;
};

static size_t collect(cJSON *parent, struct place *place, size_t count)
{
    for (cJSON *item = parent->child; item != NULL; item = item->next) {
        if (count < PLACES)
            place[count++] = (struct place){parent, item};
        count = collect(item, place, count);
    }
    return count;
}

/* One entry goes, becomes another, or is buried. */
static void damage_one(cJSON *root)
{
    static struct place place[PLACES];
    const size_t count = collect(root, place, 0);
    if (count == 0)
        return;
    const struct place at = place[below(count)];
    cJSON *value = below(6) == 0 ? NULL : hostile_value();
    if (value == NULL) {
        cJSON_Delete(cJSON_DetachItemViaPointer(at.parent, at.item));
    } else if (at.item->string != NULL) {
        char *key = strdup(at.item->string);
        cJSON_ReplaceItemInObjectCaseSensitive(at.parent, key, value);
        free(key);
    } else {
        cJSON_ReplaceItemViaPointer(at.parent, at.item, value);
    }
}

static void damage(const char *from, const char *to)
{
    cJSON *root = read_json(from);
    for (size_t i = below(8) + 1; i > 0; i--)
        damage_one(root);
    char *json = cJSON_Print(root);
    size_t length = strlen(json);
    if (below(12) == 0)
        length = below(length + 1);
    for (size_t i = below(12) == 0 ? 5 : 0; i > 0 && length > 0; i--)
        json[below(length)] = (char)below(256);
    write_bytes(to, json, length);
    cJSON_free(json);
}

/* ---- what must hold of a page ---- */

static bool is_utf8(const char *page)
{
    size_t length = 1;
    for (const unsigned char *at = (const unsigned char *)page; *at != '\0' && length > 0; at += length)
        length = utf8_length(at, NULL);
    return length > 0;
}

static char *read_page(const char *path)
{
    struct stat file;
    char *page = read_text(path);
    cr_assert(stat(path, &file) == 0 && strlen(page) == (size_t)file.st_size, "a zero byte is in the page");
    return page;
}

static void check_page(const char *path, size_t round)
{
    char *page = read_page(path), *end = strstr(page, "<script type=\"application/json\"");
    const size_t length = strlen(page);
    cr_assert(length > 8 && strcmp(page + length - 8, "</html>\n") == 0, "round %zu: the page has no end",
              round);
    cr_assert(is_utf8(page), "round %zu: the page is no UTF-8", round);
    cr_assert(strstr(page, "<evil") == NULL, "round %zu: a text became markup", round);
    cr_assert(strstr(page, "victim") == NULL, "round %zu: a path is in the page: %.200s", round,
              strstr(page, "victim") - 60);
    cr_assert(strstr(page, folder) == NULL, "round %zu: the folder's path is in the page", round);
    cr_assert(end != NULL && count_words(end, "</script>") <= 2);
    *end = '\0';
    cr_assert(count_words(page, "<script") == 0, "round %zu: a script begins among the texts", round);
    cr_assert(strstr(page, "\" onevil") == NULL && strstr(page, "' onevil") == NULL,
              "round %zu: a text became an attribute", round);
}

static void check_refusal(int status, const char *path, size_t round)
{
    char *err = read_text("err"), *page = read_page(path);
    cr_assert(status == 2 || status == 3, "round %zu: status %d: %s", round, status, err);
    cr_assert(err[0] != '\0' && count_words(err, "\n") == 1, "round %zu: not one sentence: %s", round, err);
    cr_assert(eq(str, page, "mine"), "round %zu: a page that was there is gone", round);
}

/* ---- the run ---- */

static void make_run(const char *name)
{
    write_cube();
    expect_status(RUN("simulate", "cube.obj", "--fmax", "350", "--duration", "0.5", "--absorption", "0.3",
                      "--source", "1,1,1,pulpit", "--receiver", "2,2,2,pew", "--receiver", "2,1,1",
                      "--receiver-grid", "nave=0.5,0.5,0;2.5,0.5,0;2.5,2.5,0;0.5,2.5,0", "--grid-spacing",
                      "1", "-o", name, "--quiet"),
                  0);
}

/* The record is deleted. */
static void write_record(const char *path, cJSON *record)
{
    char *json = cJSON_Print(record);
    write_text(path, json);
    cJSON_free(json);
    cJSON_Delete(record);
}

/* So that most rounds need no sounds to be made. */
#define SILENT "{\"dry\": {\"synthesised\": \"clap\"}, \"files\": []}\n"

Test(report_fuzz, a_damaged_run_gives_a_safe_page_or_one_sentence)
{
    const char *given = getenv("TRANSEPT_FUZZ_ROUNDS");
    const size_t rounds = given != NULL ? (size_t)atol(given) : ROUNDS;
    make_run("whole");
    make_run("run");
    write_text("whole/listen.json", SILENT);
    size_t pages = 0;
    for (size_t round = 1; round <= rounds; round++) {
        state = round;
        damage("whole/run.json", "run/run.json");
        if (round % 10 == 0)
            remove("run/listen.json");
        else if (round % 10 == 5)
            damage("whole/listen.json", "run/listen.json");
        else
            write_text("run/listen.json", SILENT);
        write_text("run/report.html", "mine");
        const int status = round % 4 == 0
                               ? RUN("report", "run", "whole", "-o", "run/report.html", "--force", "--quiet")
                               : RUN("report", "run", "--force", "--quiet");
        if (status == 0)
            check_page("run/report.html", round);
        else
            check_refusal(status, "run/report.html", round);
        pages += status == 0;
        cr_assert(eq(sz, count_entries("run", ".part"), 0), "round %zu", round);
    }
    cr_assert(3 * pages > rounds, "of %zu rounds %zu gave a page", rounds, pages);
}

/* ---- files and paths ---- */

static void name_files(const char *path, const char *response, const char *table, const char *listened)
{
    char list[600];
    cJSON *record = read_json(path), *entry;
    cJSON_ArrayForEach(entry, cJSON_GetObjectItem(record, "responses"))
        cJSON_ReplaceItemInObject(entry, "file", cJSON_CreateString(response));
    cJSON_ArrayForEach(
        entry, cJSON_GetObjectItem(cJSON_GetArrayItem(cJSON_GetObjectItem(record, "grids"), 0), "maps"))
        cJSON_ReplaceItemInObject(entry, "table", cJSON_CreateString(table));
    write_record(path, record);
    snprintf(list, sizeof list,
             "{\"dry\": {\"synthesised\": \"clap\"}, \"files\": [{\"file\": \"%s\", \"kind\": \"wet\", "
             "\"seconds\": 0.1, "
             "\"channels\": 1, \"gain_db\": 0, \"source\": \"pulpit\", \"receiver\": \"pew\"}]}\n",
             listened);
    write_text("run/listen.json", list);
}

static void copy_file(const char *from, const char *to)
{
    expect_status(run(NULL, (const char *const[]){"/bin/cp", from, to, NULL}), 0);
}

/* What a run.json asks for is there, and would be shown if it were the run's own. */
Test(report_fuzz, a_file_outside_the_folder_of_the_run_is_never_read)
{
    make_run("run");
    char response[120], table[120];
    copy_file("run/ir_pulpit_pew.wav", "secret.wav");
    copy_file("run/map_pulpit_nave.csv", "secret.csv");
    copy_file("run/run.json", "kept.json");
    snprintf(response, sizeof response, "%s/secret.wav", folder);
    snprintf(table, sizeof table, "%s/secret.csv", folder);
    const char *const asked[][2] = {{"ir_pulpit_pew.wav", "map_pulpit_nave.csv"},
                                    {"../secret.wav", "../secret.csv"},
                                    {response, table},
                                    {"./../secret.wav", "run/../../secret.csv"}};
    /* The clap that is heard where nobody listened before is folded with the responses by another way. */
    for (size_t i = 0; i < 2 * sizeof asked / sizeof asked[0]; i++) {
        const char *const *names = asked[i / 2];
        copy_file("kept.json", "run/run.json");
        name_files("run/run.json", names[0], names[1], names[0]);
        cr_assert(i % 2 == 0 || remove("run/listen.json") == 0);
        expect_status(RUN("report", "run", "--force", "--quiet"), 0);
        char *page = read_page("run/report.html");
        const bool own = i < 2;
        cr_assert(eq(int, strstr(page, "\"waveform\":") != NULL, own), "%s is read as a response", names[0]);
        cr_assert(eq(int, strstr(page, "<audio") != NULL, own), "%s is heard", names[0]);
        cr_assert(eq(int, strstr(page, "\"maps\":[{\"grid") != NULL, own), "%s is read as a map", names[1]);
    }
}

/* The name of a grid is in the drawing of its map. */
Test(report_fuzz, a_quote_in_a_name_ends_no_attribute)
{
    make_run("run");
    cJSON *record = read_json("run/run.json"),
          *grid = cJSON_GetArrayItem(cJSON_GetObjectItem(record, "grids"), 0);
    cJSON_ReplaceItemInObject(grid, "name", cJSON_CreateString(QUOTES));
    write_record("run/run.json", record);
    expect_status(RUN("report", "run", "--quiet"), 0);
    check_page("run/report.html", 0);
    char *page = read_page("run/report.html");
    cr_assert(strstr(page, "<figure class=\"map\"") != NULL && strstr(page, "&quot; onevil=&quot;") != NULL);
}

Test(report_fuzz, a_page_replaces_no_file_of_a_run)
{
    make_run("run");
    char *before = read_text("run/run.json");
    char whole[120];
    snprintf(whole, sizeof whole, "%s/run/run.json", folder);
    static const char *const own[] = {"run/run.json", "run/ir_pulpit_pew.wav", "run/room.glb",
                                      "run/../run/blocks.json", "run/report"};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
        expect_status(RUN("report", "run", "--force", "-o", own[i]), 2);
        expect_words("err", "among the files of a run");
    }
    expect_status(RUN("report", "run", "--force", "-o", whole), 2);
    expect_status(RUN("report", "run", "-o", "run/for_the_client.html", "--quiet"), 0);
    char *after = read_text("run/run.json");
    cr_assert(eq(str, after, before));
}

Test(report_fuzz, paths_of_every_system_are_cut_down_to_names_and_what_people_call_things_is_theirs)
{
    static const char *const pair[][2] = {
        {"/home/me/hall.obj", "hall.obj"},
        {"C:\\Users\\me\\hall.obj", "hall.obj"},
        {"d:/rooms/hall.obj: is gone", "hall.obj: is gone"},
        {"\\\\server\\share\\hall.obj", "hall.obj"},
        {"..\\me\\hall.obj", "hall.obj"},
        {"see \"/home/me/a.wav\" and [/home/me/b.wav]", "see \"a.wav\" and [b.wav]"},
        {"file:///home/me/hall.obj", "hall.obj"},
        {"read:/home/me/hall.obj", "read:hall.obj"},
        {"http://a.b/c is an address, 3 m/s and 1:2 are none",
         "http://a.b/c is an address, 3 m/s and 1:2 are none"},
        {"~/hall.obj", "hall.obj"},
    };
    for (size_t i = 0; i < sizeof pair / sizeof pair[0]; i++) {
        cJSON *words = cJSON_CreateString(pair[i][0]);
        run_folder_strip(words);
        cr_assert(eq(str, cJSON_GetStringValue(words), (char *)pair[i][1]));
        cJSON_Delete(words);
    }
    cJSON *record = cJSON_Parse(
        "{\"room\": {\"file\": \"/home/me/hall.obj\"}, \"arguments\": [\"models/hall.obj\", "
        "\"--materials=/srv/list.csv\", \"-o\", \"../out/run\", \"--fmax\", \"200\"], \"warnings\": "
        "[\"cannot "
        "read /var/x/y.obj: gone\", \"1/r is no path, nor m/s\"], \"name\": \"/stone\", \"material\": "
        "\"/home/me/tiles.png\", \"source\": \"a/b\", \"receiver\": \"pew of C:/me/hall.obj\"}");
    run_folder_strip(record);
    char *json = cJSON_PrintUnformatted(record);
    cr_assert(
        eq(str, json,
           "{\"room\":{\"file\":\"hall.obj\"},\"arguments\":[\"hall.obj\",\"--materials=list.csv\",\"-o\","
           "\"run\",\"--fmax\",\"200\"],\"warnings\":[\"cannot read y.obj: gone\",\"1/r is no path, nor "
           "m/s\"],\"name\":\"/stone\",\"material\":\"tiles.png\",\"source\":\"a/b\",\"receiver\":\"pew of "
           "hall.obj\"}"));
    cJSON_free(json);
    cJSON_Delete(record);
}

/* A folder with blanks, given in a way that no word of it begins like a path. */
Test(report_fuzz, a_sentence_about_a_file_does_not_give_away_where_the_run_is)
{
    make_run("run");
    cr_assert(mkdir("my rooms", 0777) == 0 && rename("run", "my rooms/the run") == 0);
    write_text("my rooms/the run/ir_pulpit_pew.wav", "no sound");
    cr_assert(remove("my rooms/the run/room.glb") == 0);
    write_text("my rooms/the run/blocks.json", "{}");
    expect_status(RUN("report", "my rooms/the run", "--quiet"), 0);
    char *page = read_page("my rooms/the run/report.html");
    cr_assert(strstr(page, "my rooms") == NULL && strstr(page, "rooms/") == NULL);
    cr_assert(strstr(page, "why_no_curves\":\"ir_pulpit_pew.wav") != NULL);
    cr_assert(strstr(page, "mesh_why\":\"room.glb") != NULL);
}

/* A receiver's name that is a whole path: in the table, and of a sound. */
Test(report_fuzz, a_path_for_a_name_is_cut_wherever_the_name_is_written)
{
    make_run("run");
    cJSON *record = read_json("run/run.json");
    cJSON_ReplaceItemInObject(cJSON_GetArrayItem(cJSON_GetObjectItem(record, "responses"), 0), "receiver",
                              cJSON_CreateString("../../victim/secret.wav"));
    write_record("run/run.json", record);
    expect_status(RUN("report", "run", "--quiet"), 0);
    check_page("run/report.html", 0);
    char *page = read_page("run/report.html");
    cr_assert(strstr(page, "<audio") != NULL && strstr(page, "pulpit heard at secret.wav<") != NULL);
}

/* "." is a folder, and the name of every file begins with it. */
Test(report_fuzz, a_sentence_about_a_file_keeps_its_words)
{
    static const char *const words[][3] = {
        {".", "./ir_a_b.wav cannot be read. Is it gone?", "ir_a_b.wav cannot be read. Is it gone?"},
        {"run", "run/ir_a_b.wav is not of the run", "ir_a_b.wav is not of the run"},
        {"a/", "a/ir_a_b.wav (a/ir_c.wav) is a word", "ir_a_b.wav (ir_c.wav) is a word"},
        {"my rooms/the run", "\"my rooms/the run//ir_a_b.wav\" is no file", "\"ir_a_b.wav\" is no file"},
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        const struct run_folder given = {.path = (char *)words[i][0]};
        cJSON *item = cJSON_CreateString(words[i][1]);
        run_folder_strip_of(&given, item);
        cr_assert(eq(str, cJSON_GetStringValue(item), (char *)words[i][2]));
        cJSON_Delete(item);
    }
}

/* ---- what a run.json may bring along ---- */

#define MADE_UP                                                                                              \
    "[{\"t_s\": [0, 1], \"level_db\": [0, -9], \"fits\": [{\"figure\": \"\\\"><evil a=\\\"\", \"from_s\": "  \
    "0, "                                                                                                    \
    "\"to_s\": 1, \"slope_db_per_s\": -9, \"intercept_db\": 0}]}]"

/* The first of two entries of one name would be drawn, and its figure's name be markup. */
Test(report_fuzz, curves_are_made_of_files_and_not_taken_from_a_run_json)
{
    make_run("run");
    cJSON *record = read_json("run/run.json"), *entry;
    cJSON_ArrayForEach(entry, cJSON_GetObjectItem(record, "responses"))
    {
        cJSON_AddItemToObject(entry, "decay", cJSON_CreateRaw(MADE_UP));
        cJSON_AddStringToObject(entry, "waveform", "evil waveform");
    }
    write_record("run/run.json", record);
    expect_status(RUN("report", "run", "--quiet"), 0);
    check_page("run/report.html", 0);
    char *page = read_page("run/report.html");
    cr_assert(strstr(page, "id=\"decay-figure\"") != NULL && strstr(page, "id=\"waveform-figure\"") != NULL,
              "the curves of the file are drawn");
    *strstr(page, "<script type=\"application/json\"") = '\0';
    cr_assert(strstr(page, "evil") == NULL, "what the run.json made up is in the page");
}

Test(report_fuzz, the_command_of_a_run_keeps_its_blanks)
{
    make_run("run");
    cJSON *record = read_json("run/run.json");
    cJSON_AddItemToArray(cJSON_GetObjectItem(record, "arguments"), cJSON_CreateString("--title=a 5 m room"));
    write_record("run/run.json", record);
    expect_status(RUN("report", "run", "--quiet"), 0);
    char *page = read_page("run/report.html");
    cr_assert(strstr(page, "&#39;--title=a 5 m room&#39;") != NULL);
}
