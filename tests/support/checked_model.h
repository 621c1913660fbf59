/** Models written part by part as OBJ, and what `transept check --json` says of them. Define _XOPEN_SOURCE
 * 700 before including anything (program_run.h). */
#ifndef TESTS_CHECKED_MODEL_H
#define TESTS_CHECKED_MODEL_H

#include "tests/support/program_run.h"

/* ---- models ---- */

/* An OBJ that is written part by part. */
struct model {
    FILE *file;
    int vertices;
};

static inline struct model model_open(const char *path)
{
    const struct model model = {.file = fopen(path, "w")};
    cr_assert(model.file != NULL);
    return model;
}

static inline void model_material(struct model *model, const char *name)
{
    fprintf(model->file, "usemtl %s\n", name);
}

/* Four corners in turn. */
static inline void model_quad(struct model *model, const double corner[4][3])
{
    for (int i = 0; i < 4; i++)
        fprintf(model->file, "v %.12g %.12g %.12g\n", corner[i][0], corner[i][1], corner[i][2]);
    fprintf(model->file, "f %d %d %d %d\n", model->vertices + 1, model->vertices + 2, model->vertices + 3,
            model->vertices + 4);
    model->vertices += 4;
}

/* The rectangle low..high in the plane axis = at; low and high along the two other axes in rising order. */
static inline void model_panel(struct model *model, int axis, double at, double u0, double v0, double u1,
                               double v1)
{
    const int u = axis == 0 ? 1 : 0, v = axis == 2 ? 1 : 2;
    double corner[4][3];
    for (int i = 0; i < 4; i++) {
        corner[i][axis] = at;
        corner[i][u] = i == 1 || i == 2 ? u1 : u0;
        corner[i][v] = i >= 2 ? v1 : v0;
    }
    model_quad(model, (const double(*)[3])corner);
}

/* A box without the faces whose bit (-x +x -y +y -z +z) is set in `skip`. */
static inline void model_box(struct model *model, const double low[3], const double high[3], int skip)
{
    for (int face = 0; face < 6; face++) {
        const int axis = face / 2, u = axis == 0 ? 1 : 0, v = axis == 2 ? 1 : 2;
        if ((skip >> face & 1) == 0)
            model_panel(model, axis, face % 2 == 0 ? low[axis] : high[axis], low[u], low[v], high[u],
                        high[v]);
    }
}

#define AT(...) ((const double[3]){__VA_ARGS__})
#define FACE_XP 2
#define FACE_ZP 32

/* A box, or a rectangle where low and high are equal along one axis, of a material; NULL: that of the part
 * before. */
struct model_part {
    const char *material;
    double low[3], high[3];
    int skip;
};

static inline void write_model(const char *path, const struct model_part *part, size_t count)
{
    struct model model = model_open(path);
    for (size_t p = 0; p < count; p++) {
        const double *low = part[p].low, *high = part[p].high;
        int flat = 0;
        while (flat < 3 && low[flat] != high[flat])
            flat++;
        const int u = flat == 0 ? 1 : 0, v = flat == 2 ? 1 : 2;
        if (part[p].material != NULL)
            model_material(&model, part[p].material);
        if (flat == 3)
            model_box(&model, low, high, part[p].skip);
        else
            model_panel(&model, flat, low[flat], low[u], low[v], high[u], high[v]);
    }
    fclose(model.file);
}
#define MODEL(path, ...)                                                                                     \
    write_model(path, (const struct model_part[]){__VA_ARGS__},                                              \
                sizeof((const struct model_part[]){__VA_ARGS__}) / sizeof(struct model_part))

/* A hall 8 x 6 x 4 m whose wall at x = 8 has a slot over its whole width, from z = low to z = high. */
static inline void write_slotted_hall(const char *path, double low, double high)
{
    MODEL(path, {"plaster", {0, 0, 0}, {8, 6, 4}, FACE_XP}, {NULL, {8, 0, 0}, {8, 6, low}, 0},
          {NULL, {8, 0, high}, {8, 6, 4}, 0});
}

static inline void write_hall(const char *path)
{
    MODEL(path, {"plaster", {0, 0, 0}, {8, 6, 4}, 0});
}

#define PLACES "--source", "2,2,1.5", "--receiver", "5,3,1.2"

/* ---- reports ---- */

static inline cJSON *judged(int status, int expected)
{
    expect_status(status, expected);
    return read_json("out");
}

/* What `check` says of a room whose walls take a tenth of the sound. */
#define CHECKED(expected, ...) judged(RUN("check", __VA_ARGS__, "--absorption", "0.1", "--json"), expected)

/* The finding of a kind, or NULL. */
static inline const cJSON *find(const cJSON *report, const char *kind)
{
    const cJSON *finding;
    cJSON_ArrayForEach(finding, cJSON_GetObjectItemCaseSensitive(report, "findings"))
    {
        if (strcmp(text_of(finding, "kind"), kind) == 0)
            return finding;
    }
    return NULL;
}

static inline const cJSON *expect_finding(const cJSON *report, const char *kind, const char *severity)
{
    const cJSON *finding = find(report, kind);
    char *all = cJSON_Print(cJSON_GetObjectItemCaseSensitive(report, "findings"));
    cr_assert(finding != NULL, "no finding %s in %s", kind, all);
    cr_assert(eq(str, (char *)text_of(finding, "severity"), (char *)severity));
    cr_assert(test_above((double)(strlen(text_of(finding, "sentence"))), (double)(10)));
    cJSON_free(all);
    return finding;
}

static inline void expect_none(const cJSON *report, const char *kind)
{
    const cJSON *finding = find(report, kind);
    cr_assert(finding == NULL, "unexpected %s: %s", kind, text_of(finding, "sentence"));
}

static inline void expect_verdict(const cJSON *report, const char *verdict)
{
    cr_assert(eq(str, (char *)text_of(report, "verdict"), (char *)verdict), "%s", text_of(report, "why"));
}

static inline void expect_in(const cJSON *finding, const char *name, const char *words)
{
    cr_assert(strstr(text_of(finding, name), words) != NULL, "\"%s\" is not in: %s", words,
              text_of(finding, name));
}

static inline void expect_place(const cJSON *finding, double x, double y, double z, double within)
{
    const cJSON *place = cJSON_GetObjectItemCaseSensitive(finding, "position_m");
    const double expected[3] = {x, y, z};
    cr_assert(eq(int, cJSON_GetArraySize(place), 3));
    for (int axis = 0; axis < 3; axis++)
        cr_assert(test_near(cJSON_GetArrayItem(place, axis)->valuedouble, expected[axis], within), "%c is %g",
                  "xyz"[axis], cJSON_GetArrayItem(place, axis) -> valuedouble);
}

/* Entry `index` of an array of the report. */
static inline const cJSON *entry_of(const cJSON *report, const char *array, int index)
{
    const cJSON *entry = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(report, array), index);
    cr_assert(entry != NULL, "%s has no entry %d", array, index);
    return entry;
}

#endif
