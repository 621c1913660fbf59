/* Maps as models, read back with the importer that takes rooms: places and colours of what is drawn. */
#include <assimp/cimport.h>
#include <assimp/scene.h>

#include "src/draw/map_scale.h"
#include "src/draw/map_model.h"
#include "tests/support/outcome.h"

enum { POINTS = 5, SIDES = 4 };
#define SPACING 0.5

static double position[POINTS][3] = {{1, 2, 1.2}, {1.5, 2, 1.2}, {2, 2, 4.2}, {2.5, 2, 1.2}, {3, 2, 1.2}};
static const double value[POINTS] = {-3, 1.5, (double)NAN, 4, 7};

static struct map_drawing drawing_of(const double *values)
{
    return (struct map_drawing){
        .grid = {.name = "nave", .spacing = SPACING, .count = POINTS, .position = position},
        .figure = FIGURE_C80,
        .octave = "500 Hz octave",
        .value = values};
}

/* As a screen has it, 0 to 1, of one that is linear (IEC 61966-2-1). */
static double on_screen(double linear)
{
    return linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055;
}

/* Every square in the file, in order: its corners about its point and the colour of the point's class. `up`
 * is the file's upward axis, `linear` says whether its colours are. */
static void expect_squares(const struct text_buffer *file, const char *kind, int up, bool linear)
{
    const struct aiScene *scene = aiImportFileFromMemory(file->data, (unsigned)file->size, 0, kind);
    struct map_scale scale;
    cr_assert(scene != NULL, "%s", aiGetErrorString());
    MUST(map_scale_make(FIGURE_C80, value, POINTS, &scale, &failure));
    cr_assert(eq(u32, scene->mNumMeshes, 1));
    const struct aiMesh *mesh = scene->mMeshes[0];
    cr_assert(mesh->mColors[0] != NULL, "%s without colours", kind);
    cr_assert(eq(u32, mesh->mNumFaces * (mesh->mFaces[0].mNumIndices - 2), 2 * (POINTS - 1)));
    size_t seen = 0;
    for (size_t p = 0; p < POINTS; p++) {
        char text[MAP_COLOUR_MAX];
        unsigned rgb[3];
        if (isnan(value[p]))
            continue;
        cr_assert(eq(int,
                     sscanf(map_scale_colour(&scale, map_scale_class(&scale, value[p]), text), "#%2x%2x%2x",
                            &rgb[0], &rgb[1], &rgb[2]),
                     3));
        for (unsigned v = 0; v < mesh->mNumVertices; v++) {
            const struct aiVector3D at = mesh->mVertices[v];
            const double x = (double)at.x, y = up == 2 ? (double)at.y : -(double)at.z,
                         z = up == 2 ? (double)at.z : (double)at.y;
            const struct aiColor4D colour = mesh->mColors[0][v];
            const double part[3] = {(double)colour.r, (double)colour.g, (double)colour.b};
            bool same = fabs(fabs(x - position[p][0]) - SPACING / 2) < 1e-6 &&
                        fabs(fabs(y - position[p][1]) - SPACING / 2) < 1e-6 &&
                        fabs(z - position[p][2]) < 1e-6;
            for (int c = 0; c < 3; c++)
                same = same && fabs((linear ? on_screen(part[c]) : part[c]) - rgb[c] / 255.0) < 1e-5;
            seen += same;
        }
    }
    cr_assert(eq(sz, seen, (size_t)SIDES * (POINTS - 1)), "corners of the right place and colour in %s",
              kind);
    aiReleaseImport(scene);
}

Test(map_model, a_glb_has_every_square_in_place_in_the_colour_of_the_legend)
{
    struct text_buffer file = {0};
    const struct map_drawing map = drawing_of(value);
    MUST(map_model_glb(&map, &file, &failure));
    cr_assert(eq(sz, file.size % 4, 0));
    expect_squares(&file, "glb", 1, true);
    free(file.data);
}

Test(map_model, a_ply_has_every_square_in_place_in_the_colour_of_the_legend_and_the_figure_itself)
{
    struct text_buffer file = {0};
    const struct map_drawing map = drawing_of(value);
    MUST(map_model_ply(&map, &file, &failure));
    expect_squares(&file, "ply", 2, false);
    cr_assert(strstr(file.data, "comment c80_db, 500 Hz octave\n") != NULL);
    cr_assert(strstr(file.data, " 1.5\n") != NULL && strstr(file.data, " -3\n") != NULL);
    free(file.data);
}

Test(map_model, of_a_figure_that_no_point_has_nothing_is_written)
{
    const double none[POINTS] = {(double)NAN, (double)NAN, (double)NAN, (double)NAN, (double)NAN};
    const struct map_drawing map = drawing_of(none);
    struct text_buffer file = {0};
    MUST(map_model_glb(&map, &file, &failure));
    MUST(map_model_ply(&map, &file, &failure));
    cr_assert(eq(sz, file.size, 0));
}
