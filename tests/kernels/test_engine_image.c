/* The state of an engine, taken from one and put into another: every back end, layout and width of vectors
 * goes on from it with the bits of the one that was never interrupted. */
#include "kernels/engine/engine_fill.h"
#include "tests/support/back_ends.h"
#include "tests/support/branch_materials.h"
#include "tests/support/cell_grids.h"

/* A room in both layouts, and its walls; NULL: those of room_admittance, which have no states. */
struct imaged_room {
    const struct block_grid *blocks;
    const struct box_grid *box;
    const struct time_step *step;
    const struct wall_materials *walls;
};

static struct engine *engine_in(const struct imaged_room *room, const struct engine_options *options)
{
    return engine_of(room->blocks, room->box, room->step, room_admittance, ROOM_MATERIALS, room->walls,
                     options);
}

/* From `from` to every other way of stepping the room in its precision. */
static void check_from(const struct imaged_room *room, const struct engine_options *from)
{
    double scratch[ROOM_MATERIALS + 1];
    struct engine *engine = engine_in(room, from);
    struct taken begin, end;
    engine_fill(engine, 5);
    engine_run(engine, 20, NULL, NULL);
    if (engine_image_form(engine).absorbed > 0)
        engine_absorbed(engine, scratch);
    engine_run(engine, 7, NULL, NULL); /* losses that nobody has asked for yet */
    take(engine, 3, &begin);
    struct taken copy;
    const bool copied = take_beside(engine, 2, 12, &copy);
    cr_assert(copied && copy.bytes == begin.bytes && copy.steps == begin.steps);
    cr_assert(memcmp(copy.image, begin.image, (size_t)begin.bytes) == 0 &&
                  memcmp(copy.absorbed, begin.absorbed, begin.form.absorbed * sizeof(double)) == 0,
              "%s: a copy is not of its moment", engine_description(engine));
    free(copy.image);
    take(engine, 1000, &end);
    const uint64_t hash = engine_hash(engine);
    struct back_ends all = {.mask = BACK_ENDS_ALL, .one_precision = true, .precision = from->precision};
    while (back_ends_next(&all)) {
        struct engine *other = engine_in(room, &all.options);
        struct taken again;
        engine_fill(other, 77); /* nothing of this may stay */
        engine_run(other, 4, NULL, NULL);
        put(other, 5, &begin);
        take(other, 2, &again);
        cr_assert(same_reals(&begin, &again), "%s to %s: not what was put in", engine_description(engine),
                  engine_description(other));
        free(again.image);
        engine_run(other, 12, NULL, NULL);
        take(other, 7, &again);
        cr_assert(hash == engine_hash(other) && same_reals(&end, &again), "%s to %s: goes on otherwise",
                  engine_description(engine), engine_description(other));
        cr_assert(memcmp(end.absorbed, again.absorbed, end.form.absorbed * sizeof(double)) == 0);
        back_ends_sound(other);
        free(again.image);
        engine_free(other);
    }
    free(begin.image);
    free(end.image);
    engine_free(engine);
}

/* Without walls' states; with branches of every kind and a ledger; with inertance where that is possible. */
static void check_room(const struct block_grid *blocks, const struct box_grid *box, double courant,
                       bool inertance)
{
    struct wall_material material[ROOM_MATERIALS];
    uint64_t random = 9;
    const struct time_step step =
        time_step_for(blocks->isotropic ? SCHEME_ISOTROPIC : SCHEME_STANDARD, 1.0, 340.0, courant);
    draw_materials(&random, step.courant / 340.0, ROOM_MATERIALS, 3, material);
    const struct wall_materials walls[] = {{ROOM_MATERIALS, material, false, true},
                                           {ROOM_MATERIALS, material, inertance, false}};
    for (int w = 0; w < 3; ++w)
        for (int precision = 0; precision < 2; ++precision)
            for (int layout = 0; layout < 2; ++layout)
                check_from(&(const struct imaged_room){blocks, box, &step, w < 2 ? &walls[w] : NULL},
                           &(const struct engine_options){(enum layout)layout, (enum precision)precision,
                                                          BACKEND_CPU, SIMD_AUTO, 2});
}

Test(engine_image, a_room_of_staircases_goes_on_with_the_same_bits_wherever_it_is_put)
{
    struct lossy_room *room = room_ragged(13, 23, 21, 20, 0.1, 0.05, 17);
    check_room(&room->blocks, &room->box, 0.0, true);
    room_free(room);
}

Test(engine_image, and_so_does_one_of_the_isotropic_scheme)
{
    struct lossy_room *room = room_for(SCHEME_ISOTROPIC, room_ragged(14, 19, 21, 12, 0.1, 0.05, 9));
    check_room(&room->blocks, &room->box, exact_courant(SCHEME_ISOTROPIC), false);
    room_free(room);
}

Test(engine_image, and_one_with_conformal_walls_and_further_pieces_of_air)
{
    static const enum scheme schemes[] = {SCHEME_STANDARD, SCHEME_ISOTROPIC};
    for (int s = 0; s < 2; ++s) {
        struct cell_grids *grids = cell_grids_soup_for(3, ROOM_MATERIALS, schemes[s]);
        cr_assert(grids->blocks.list_nodes > 0 && grids->blocks.walls > 0);
        check_room(&grids->blocks, &grids->box, 0.0, false);
        cell_grids_free(grids);
    }
}

Test(engine_image, its_form_and_size_depend_on_the_room_its_walls_and_its_precision_alone)
{
    struct lossy_room *room = room_ragged(13, 23, 21, 20, 0.1, 0.05, 17);
    struct wall_material material[ROOM_MATERIALS];
    uint64_t random = 9;
    draw_materials(&random, 0.5 / 340.0, ROOM_MATERIALS, 3, material);
    const struct wall_materials walls = {ROOM_MATERIALS, material, true, true};
    struct back_ends all = {.mask = BACK_ENDS_EVERY};
    while (back_ends_next(&all)) {
        struct engine *engine = room_engine_of(room, 0.5, &walls, &all.options);
        const struct engine_image_form form = engine_image_form(engine);
        const unsigned real = all.options.precision == PRECISION_SINGLE ? 4 : 8;
        cr_assert(form.blocks == room->blocks.blocks && form.walls == room->blocks.walls);
        cr_assert(form.real_bytes == real && form.planes == 7 && form.absorbed == ROOM_MATERIALS + 1);
        cr_assert(engine_image_bytes(engine, 1, form.blocks + 1) ==
                  (1024 * (uint64_t)form.blocks + 7 * form.walls) * real);
        engine_free(engine);
    }
    room_free(room);
}
