/** A day with each room of drawings.h, from the drawing to the page: the answers that an architect needs. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "tests/support/drawings/drawings.h"
#include "tests/support/program_run.h"

TestSuite(day, .init = enter_folder, .fini = leave_folder);

enum { CHURCH, HALL, CHAPEL };

/* The library's names of surfaces, in pairs. */
static void expect_materials(const cJSON *record, const char *const (*surface)[2])
{
    for (; (*surface)[0] != NULL; surface++)
        cr_expect(eq(str, (char *)text_of(material_of(record, (*surface)[0]), "library_name"),
                     (char *)(*surface)[1]),
                  "%s", (*surface)[0]);
}

/* Nine of ten points of the map are ears of people. */
static void expect_people(int which, const char *map)
{
    FILE *table = fopen(map, "r");
    cr_assert(table != NULL, "%s", map);
    char line[4000];
    int points = 0, seats = 0;
    double ears[3];
    while (fgets(line, sizeof line, table) != NULL)
        if (sscanf(line, "%*[^,],%lf,%lf,%lf", ears, ears + 1, ears + 2) == 3) {
            points++;
            seats += drawing_is_seat(which, ears);
        }
    fclose(table);
    cr_assert(points >= 5 && 10 * seats >= 9 * points, "%d of %d points", seats, points);
}

/* From room.obj to run/base, run/VARIANT, their sounds and the page, with its tables. */
static void spend_day(int which, const char *variant, const char *changes, const char *use)
{
    char source[80], project[80], compared[80];
    const double *at = drawing[which].source;
    (void)snprintf(source, sizeof source, "%g,%g,%g,speaker", at[0], at[1], at[2]);
    (void)snprintf(compared, sizeof compared, "run/%s", variant);
    const char *up = which == HALL ? "y" : "z";
    joins_rays = true;
    cr_assert(drawing_write(which, "room.obj") > 0);
    expect_status(RUN("check", "room.obj", "--up", up, "--source", source, "--fmax", "90"), 0);
    expect_words("out", "\nVerdict: fit\n");
    expect_status(RUN("new", "room.obj", "--up", up, "-o", "room.yaml", "--json"), 0);
    char *text = read_text("room.yaml");
    FILE *file = fopen("room.yaml", "w");
    cr_assert(file != NULL);
    fprintf(file, "%s\nvariants:\n  %s:\n%s", text, variant, changes);
    fclose(file);
    expect_status(RUN("plan", "room.yaml", "--source", source, "--fmax", "177"), 0);
    expect_words("out", ": fits");
    expect_status(RUN("simulate", "room.yaml", "-o", "run", "--variant", "all", "--source", source, "--fmax",
                      "177", "--quality", "draft", "--ray-noise", "10", "--grid-spacing", "3m"),
                  0);
    expect_status(RUN("compare", "run/base", compared), 0);
    expect_words("out", "A listener would notice: ");
    expect_status(RUN("auralise", "run/base", compared, "--dry", "organ", "-o", "heard"), 0);
    (void)snprintf(project, sizeof project, "heard/listen_%s_speaker_far.wav", variant);
    cr_assert(exists("heard/listen_base_speaker_far.wav") && exists(project));
    expect_status(RUN("report", "run/base", compared, "--use", use, "--tables", "tables", "-o", "page.html"), 0);
    expect_people(which, "run/base/map_speaker_audience.csv");
}
