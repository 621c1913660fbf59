/** A day with each room of drawings.h, from the drawing to the page: the answers that an architect needs. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "tests/support/drawings/drawings.h"
#include "tests/support/json_path.h"
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

/* What is known of a room, and what its owner may do. */
struct day {
    int which;                  /* of drawing[] */
    const char *up;             /* the axis of the file */
    const char *fmax, *spacing; /* of waves, and of points where people sit */
    const char *surface[6][2];  /* names, and the library's names for them */
    const char *use;            /* --use */
    const char *change;         /* of the variant `other`, in YAML */
    const char *verdict[2];     /* of the reverberation time: as drawn, and changed */
};

/* The page's data. */
static cJSON *data_of(const char *page)
{
    char *begin = strstr(read_text(page), "id=\"transept-data\">");
    cr_assert(begin != NULL);
    return test_keep(cJSON_Parse(begin + strlen("id=\"transept-data\">")));
}

static void spend(const struct day *day)
{
    const double *at = drawing[day->which].source;
    char source[80];
    (void)snprintf(source, sizeof source, "%g,%g,%g,speaker", at[0], at[1], at[2]);
    joins_rays = true;
    cr_assert(drawing_write(day->which, "room.obj") > 0);
    expect_status(RUN("check", "room.obj", "--up", day->up, "--source", source, "--fmax", "90"), 0);
    expect_words("out", "\nVerdict: fit");
    expect_status(RUN("new", "room.obj", "--up", day->up, "-o", "room.yaml"), 0);
    FILE *project = fopen("room.yaml", "a");
    cr_assert(project != NULL);
    fprintf(project, "\nvariants:\n  other: {%s}\n", day->change);
    fclose(project);
    expect_status(RUN("plan", "room.yaml", "--source", source, "--fmax", day->fmax), 0);
    expect_words("out", "GB are available: fits");
    expect_status(RUN("simulate", "room.yaml", "-o", "run", "--variant", "all", "--source", source, "--fmax",
                      day->fmax, "--quality", "draft", "--ray-noise", "5", "--grid-spacing", day->spacing),
                  0);
    expect_materials(read_json("run/base/run.json"), day->surface);
    expect_people(day->which, "run/base/map_speaker_audience.csv");
    expect_status(RUN("compare", "run/base", "run/other"), 0);
    expect_words("out", "A listener would notice: ", "shorter");
    expect_status(RUN("report", "run/base", "run/other", "--use", day->use, "-o", "page.html"), 0);
    const cJSON *data = data_of("page.html");
    for (int v = 0; v < 2; v++) {
        char path[80];
        (void)snprintf(path, sizeof path, "decision.variants.%d.cells.0.verdict", v);
        cr_expect(eq(str, (char *)record_text(data, path), (char *)day->verdict[v]), "%s", path);
    }
    expect_status(RUN("auralise", "run/base", "run/other", "--dry", "organ", "-o", "heard"), 0);
    cr_assert(exists("heard/listen_base_speaker_far.wav") && exists("heard/listen_other_speaker_far.wav"));
}

Test(day, a_bare_church_is_too_live_for_worship_and_lined_walls_may_cure_it)
{
    spend(&(struct day){CHURCH,
                        "z",
                        "90",
                        "6m",
                        {{"Putz", "plaster on masonry"},
                         {"Gestühl Eiche", "wooden pews empty"},
                         {"Bleiverglasung", "leaded glazing"},
                         {"Holzdecke Fichte", "wood boards on planks"}},
                        "worship",
                        "materials: {Putz: 0.2, Holzdecke Fichte: 0.2}",
                        {"not met", "unsure"}});
}

/* Flat walls face each other above absorbing chairs, so that scattering decides on the reverberation above
 * the waves: its error bars are of two fifths, also with waves to 355 Hz. */
Test(day, a_hall_may_suit_a_choir_and_surely_does_not_with_lined_walls)
{
    spend(&(struct day){HALL,
                        "y",
                        "177",
                        "3m",
                        {{"Wood_Floor_Parquet", "wood floor on joists"},
                         {"Gypsum_Board", "gypsum board on studs"},
                         {"Fabric_Chair_Blue", "moderately upholstered chairs empty"},
                         {"Fabric_Velvet_Red", "curtain velvet tight"},
                         {"Carpet_Loop_Pattern", "carpet heavy on concrete"}},
                        "choir",
                        "materials: {Gypsum_Board: 0.5}",
                        {"unsure", "not met"}});
}

Test(day, a_chapel_of_guessed_surfaces_may_be_too_live_for_speech)
{
    spend(&(struct day){CHAPEL,
                        "z",
                        "177",
                        "3m",
                        {{"Plaster", "plaster on masonry"},
                         {"Oak pews", "wooden pews empty"},
                         {"Wooden floor", "wood floor on joists"},
                         {"Timber ceiling", "wood boards on planks"}},
                        "speech",
                        "audience: 0.8",
                        {"unsure", "unsure"}});
}
