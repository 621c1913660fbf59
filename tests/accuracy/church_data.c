#include "tests/accuracy/church_data.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/vector.h"
#include "rooms/materials/branch_fit.h"

#define LINE_MAX_BYTES 1000

static FILE *open_file(const char *folder, const char *name, struct failure *failure)
{
    char path[CHURCH_PATH_MAX];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        (void)failure_set(failure, FAILURE_INPUT, "%s cannot be opened", path);
    return file;
}

/* ---- places ---- */

static int read_places(FILE *file, struct church_places *out, struct failure *failure)
{
    char line[LINE_MAX_BYTES], name[32];
    bool source = false;
    int receivers = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        double at[3];
        if (sscanf(line, "source,%31[^,],%lf,%lf,%lf", name, &at[0], &at[1], &at[2]) == 4 &&
            strcmp(name, "S1") == 0) {
            memcpy(out->source, at, sizeof at);
            source = true;
        } else if (sscanf(line, "receiver,%31[^,],%lf,%lf,%lf", name, &at[0], &at[1], &at[2]) == 4 &&
                   receivers < CHURCH_RECEIVERS)
            memcpy(out->receiver[receivers++], at, sizeof at);
    }
    if (!source || receivers != CHURCH_RECEIVERS)
        return failure_set(failure, FAILURE_INPUT, "positions.csv names %s S1 and %d receivers, not %d",
                           source ? "source" : "no source", receivers, CHURCH_RECEIVERS);
    for (int r = 0; r < CHURCH_RECEIVERS; ++r)
        out->distance[r] = vector_distance(out->source, out->receiver[r]);
    return 0;
}

int church_places_read(const char *folder, struct church_places *out, struct failure *failure)
{
    FILE *file = open_file(folder, "positions.csv", failure);
    if (file == NULL)
        return FAILURE_INPUT;
    const int code = read_places(file, out, failure);
    (void)fclose(file);
    return code;
}

/* ---- the peer ---- */

void church_peer_free(struct church_peer *peer)
{
    free(peer->raw);
    *peer = (struct church_peer){0};
}

static double number(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    return cJSON_IsNumber(item) ? item->valuedouble : NAN;
}

static int read_description(const cJSON *object, const char *run, struct church_peer *out,
                            struct failure *failure)
{
    const cJSON *node = cJSON_GetObjectItemCaseSensitive(object, "node0");
    const cJSON *times = cJSON_GetObjectItemCaseSensitive(object, "T30_s");
    const double samples = number(object, "samples");
    out->spacing = number(object, "h");
    out->period = number(object, "Ts");
    out->courant = number(object, "courant");
    for (int axis = 0; axis < 3; ++axis) {
        const cJSON *item = cJSON_GetArrayItem(node, axis);
        out->node[axis] = cJSON_IsNumber(item) ? item->valuedouble : NAN;
    }
    for (int r = 0; r < CHURCH_RECEIVERS; ++r)
        for (int b = 0; b < CHURCH_OCTAVES; ++b) {
            const cJSON *item = cJSON_GetArrayItem(cJSON_GetArrayItem(times, r), b);
            out->t30[r][b] = cJSON_IsNumber(item) ? item->valuedouble : NAN;
        }
    if (!(out->spacing > 0 && out->period > 0 && out->courant > 0 && samples >= 1 && samples < 1e9) ||
        !isfinite(out->node[0] + out->node[1] + out->node[2]) ||
        number(object, "receivers") != CHURCH_RECEIVERS || number(object, "c") != CHURCH_SOUND_SPEED)
        return failure_set(failure, FAILURE_INPUT, "peer.json does not describe a run %s of %d receivers",
                           run, CHURCH_RECEIVERS);
    out->samples = (size_t)samples;
    return 0;
}

static int read_json(const char *folder, const char *run, struct church_peer *out, struct failure *failure)
{
    FILE *file = open_file(folder, "peer/peer.json", failure);
    if (file == NULL)
        return FAILURE_INPUT;
    char text[20000];
    const size_t bytes = fread(text, 1, sizeof text - 1, file);
    text[bytes] = '\0';
    (void)fclose(file);
    cJSON *json = cJSON_Parse(text);
    const int code = read_description(cJSON_GetObjectItemCaseSensitive(json, run), run, out, failure);
    cJSON_Delete(json);
    return code;
}

static int read_raw(FILE *file, struct church_peer *out, struct failure *failure)
{
    const size_t count = out->samples;
    float *row = calloc(count, sizeof *row);
    out->raw = calloc(CHURCH_RECEIVERS * count, sizeof *out->raw);
    int code =
        row == NULL || out->raw == NULL
            ? failure_memory(failure, CHURCH_RECEIVERS * count * sizeof *out->raw, "the peer's responses")
            : 0;
    for (size_t r = 0; code == 0 && r < CHURCH_RECEIVERS; ++r) {
        if (fread(row, sizeof *row, count, file) != count)
            code = failure_set(failure, FAILURE_INPUT, "the peer's responses end before %d times %zu samples",
                               CHURCH_RECEIVERS, count);
        for (size_t n = 0; code == 0 && n < count; ++n)
            out->raw[r * count + n] = out->period / 2 * ((double)row[n] + (n > 0 ? (double)row[n - 1] : 0.0));
    }
    free(row);
    return code;
}

int church_peer_read(const char *folder, const char *run, struct church_peer *out, struct failure *failure)
{
    struct church_peer peer = {0};
    char name[100];
    TRY(read_json(folder, run, &peer, failure));
    (void)snprintf(name, sizeof name, "peer/%s.f32", run);
    FILE *file = open_file(folder, name, failure);
    if (file == NULL)
        return FAILURE_INPUT;
    const int code = read_raw(file, &peer, failure);
    (void)fclose(file);
    if (code != 0)
        church_peer_free(&peer);
    else
        *out = peer;
    return code;
}

/* ---- walls ---- */

/* Rows "name,D,E,F": one branch each. */
static void add_branch(const char *line, const char *name, struct wall_material *out)
{
    char row[64];
    struct wall_branch branch;
    if (out->branches < WALL_BRANCHES_MAX &&
        sscanf(line, "%63[^,],%lf,%lf,%lf", row, &branch.D, &branch.E, &branch.F) == 4 &&
        strcmp(row, name) == 0)
        out->branch[out->branches++] = branch;
}

/* Rows "name,16 Hz,31.5 Hz,63 Hz .. 8000 Hz,16000 Hz": absorption. */
static int add_fit(const char *line, const char *name, struct wall_material *out, struct failure *failure)
{
    char row[64];
    double a[FIT_OCTAVES];
    struct branch_fit fit = {0};
    if (sscanf(line, "%63[^,],%*f,%*f,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf", row, &a[0], &a[1], &a[2], &a[3],
               &a[4], &a[5], &a[6], &a[7]) != 1 + FIT_OCTAVES ||
        strcmp(row, name) != 0)
        return 0;
    TRY(branch_fit(a, FIT_BRANCHES_MAX, &fit, failure));
    out->branches = fit.count;
    memcpy(out->branch, fit.branch, fit.count * sizeof *fit.branch);
    return 0;
}

int church_walls_read(const char *folder, enum church_walls walls, const struct mesh *mesh,
                      struct wall_material *material, struct failure *failure)
{
    const char *const table = walls == CHURCH_PEERS_WALLS ? "peer/branches.csv" : "materials.csv";
    char line[LINE_MAX_BYTES];
    FILE *file = open_file(folder, table, failure);
    if (file == NULL)
        return FAILURE_INPUT;
    int code = 0;
    for (size_t m = 0; m < mesh->material_count; ++m)
        material[m] = (struct wall_material){0};
    while (code == 0 && fgets(line, sizeof line, file) != NULL)
        for (size_t m = 0; code == 0 && m < mesh->material_count; ++m) {
            if (walls == CHURCH_PEERS_WALLS)
                add_branch(line, mesh->material[m], &material[m]);
            else
                code = add_fit(line, mesh->material[m], &material[m], failure);
        }
    (void)fclose(file);
    for (size_t m = 0; code == 0 && m < mesh->material_count; ++m)
        if (material[m].branches == 0)
            code = failure_set(failure, FAILURE_INPUT, "%s has no row for the material %s", table,
                               mesh->material[m]);
    return code;
}
