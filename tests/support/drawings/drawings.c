#include "tests/support/drawings/drawings.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define INCH 0.0254 /* [m] */

const struct drawing drawing[DRAWINGS] = {
    {"church", {46, 0, 2.2}, "--source 46,0,2.2,altar"},
    {"hall", {20, 8, 2.6}, "--up y --source 20,8,2.6,stage"},
    {"chapel", {12.2, 4, 1.75}, "--source 12.2,4,1.75,altar"},
    {"level_church", {46, 0, 1.7}, "--source 46,0,1.7,altar"},
    {"level_chapel", {12.2, 4, 1.6}, "--source 12.2,4,1.6,altar"},
};

static const int like[DRAWINGS] = {0, 1, 2, 0, 2};

/* ---- a file ---- */

#define CORNERS 2000

struct pen {
    FILE *file;
    bool y_up, level;     /* without a step to the altar */
    double unit;          /* [m] */
    const char *material; /* of the next faces */
    int corners, faces;
    double corner[CORNERS][3];
};

/* The number of a corner in the file, written when it is new. */
static int corner_of(struct pen *pen, const double at[3])
{
    for (int c = 0; c < pen->corners; c++)
        if (memcmp(pen->corner[c], at, sizeof pen->corner[c]) == 0)
            return c + 1;
    memcpy(pen->corner[pen->corners], at, sizeof pen->corner[0]);
    const double out[3] = {at[0] / pen->unit, (pen->y_up ? at[2] : at[1]) / pen->unit,
                           (pen->y_up ? -at[1] : at[2]) / pen->unit};
    fprintf(pen->file, "v %.5f %.5f %.5f\n", out[0], out[1], out[2]);
    return ++pen->corners;
}

static void take(struct pen *pen, const char *material)
{
    if (pen->material == NULL || strcmp(pen->material, material) != 0)
        fprintf(pen->file, "usemtl %s\n", material);
    pen->material = material;
}

static void face(struct pen *pen, int count, const double (*at)[3])
{
    int number[4];
    for (int c = 0; c < count; c++)
        number[c] = corner_of(pen, at[c]);
    fputs("f", pen->file);
    for (int c = 0; c < count; c++)
        fprintf(pen->file, " %d", number[c]);
    fputs("\n", pen->file);
    pen->faces++;
}

static void quad(struct pen *pen, double ax, double ay, double az, double bx, double by, double bz, double cx,
                 double cy, double cz, double dx, double dy, double dz)
{
    face(pen, 4, (const double[4][3]){{ax, ay, az}, {bx, by, bz}, {cx, cy, cz}, {dx, dy, dz}});
}

static void level(struct pen *pen, double z, double x0, double x1, double y0, double y1)
{
    quad(pen, x0, y0, z, x1, y0, z, x1, y1, z, x0, y1, z);
}

/* An upright face over the line from x0, y0 to x1, y1. */
static void wall(struct pen *pen, double x0, double y0, double x1, double y1, double z0, double z1)
{
    quad(pen, x0, y0, z0, x1, y1, z0, x1, y1, z1, x0, y0, z1);
}

static void box(struct pen *pen, double x0, double x1, double y0, double y1, double z0, double z1)
{
    level(pen, z0, x0, x1, y0, y1);
    level(pen, z1, x0, x1, y0, y1);
    wall(pen, x0, y0, x1, y0, z0, z1);
    wall(pen, x1, y0, x1, y1, z0, z1);
    wall(pen, x1, y1, x0, y1, z0, z1);
    wall(pen, x0, y1, x0, y0, z0, z1);
}

/* A wall along x with windows of half its bays' width from z = low to high. */
static void windows(struct pen *pen, const char *of_wall, const char *of_window, double y, double x0,
                    double x1, int bays, const double z[4])
{
    const double bay = (x1 - x0) / bays;
    take(pen, of_wall);
    wall(pen, x0, y, x1, y, z[0], z[1]);
    wall(pen, x0, y, x1, y, z[2], z[3]);
    for (int b = 0; b <= bays; b++)
        wall(pen, b == 0 ? x0 : x0 + (b - 0.25) * bay, y, b == bays ? x1 : x0 + (b + 0.25) * bay, y, z[1],
             z[2]);
    take(pen, of_window);
    for (int b = 0; b < bays; b++)
        wall(pen, x0 + (b + 0.25) * bay, y, x0 + (b + 0.75) * bay, y, z[1], z[2]);
}

/* ---- church ---- */

static void draw_side(struct pen *pen, double sign)
{
    const double nave = 5.5 * sign, aisle = 9.5 * sign;
    take(pen, "Sandstein");
    level(pen, 0, 4, 40, nave, aisle);
    for (int p = 0; p < 5; p++) /* pillars, 1 cm off the floor */
        box(pen, 8 + 6 * p, 8.8 + 6 * p, nave - 0.4, nave + 0.4, 0.01, 5.5);
    windows(pen, "Putz", "Bleiverglasung", aisle, 4, 40, 5, (const double[]){0, 2.5, 5.5, 7});
    windows(pen, "Putz", "Bleiverglasung", nave, 4, 40, 5, (const double[]){5.5, 9, 13, 16});
    take(pen, "Putz");
    wall(pen, 0, nave, 4, nave, 0, 16);
    wall(pen, 4, nave, 4, aisle, 0, 7);
    wall(pen, 40, nave, 40, aisle, 0, 7);
    level(pen, 7, 4, 40, nave, aisle);
    wall(pen, 40, 5.5 * sign, 40, 3.8 * sign, 0, 16);
    wall(pen, 40, 4.5 * sign, 52, 4.5 * sign, 0, 13);
    wall(pen, 52, 4.5 * sign, 57, 2 * sign, 0, 13);
    take(pen, "Gestühl Eiche");
    for (int row = 0; row < 24; row++) {
        const double x = 10 + 1.0 * row, a = 0.9 * sign, b = 4.6 * sign;
        quad(pen, x, a, 0.45, x + 0.42, a, 0.45, x + 0.42, b, 0.45, x, b, 0.45);
        quad(pen, x, a, 0.02, x, b, 0.02, x - 0.06, b, 0.92, x - 0.06, a, 0.92);
    }
}

static void draw_church(struct pen *pen)
{
    take(pen, "Sandstein");
    level(pen, 0, 0, 40, -5.5, 5.5);
    level(pen, 0, 40, 43, -4.5, 4.5);
    const double choir = pen->level ? 0 : 0.48;
    if (pen->level)
        level(pen, 0, 43, 52, -4.5, 4.5);
    for (int step = 0; step < 3 && !pen->level; step++) {
        const double x = 43 + 0.35 * step, z = 0.16 * step;
        wall(pen, x, -4.5, x, 4.5, z, z + 0.16);
        level(pen, z + 0.16, x, step < 2 ? x + 0.35 : 52, -4.5, 4.5);
    }
    quad(pen, 52, -4.5, choir, 57, -2, choir, 57, 2, choir, 52, 4.5, choir);
    draw_side(pen, -1);
    draw_side(pen, 1);
    take(pen, "Putz");
    wall(pen, 0, -5.5, 0, 5.5, 0, 16);
    wall(pen, 57, -2, 57, 2, 0, 13);
    wall(pen, 40, -3.8, 40, 3.8, 11, 16);
    level(pen, 13, 40, 52, -4.5, 4.5);
    quad(pen, 52, -4.5, 13, 57, -2, 13, 57, 2, 13, 52, 4.5, 13);
    take(pen, "Holzdecke Fichte");
    level(pen, 16, 0, 40, -5.5, 5.5);
    take(pen, "Eichentür"); /* on the wall, which goes on behind it */
    wall(pen, 0, -1.2, 0, 1.2, 0, 2.6);
    take(pen, "Empore"); /* 2 cm short of the walls */
    box(pen, 0.02, 6, -5.48, 5.48, 3.4, 3.7);
    wall(pen, 6, -5.48, 6, 5.48, 3.7, 4.6);
    wall(pen, 5.9, -5.48, 5.9, 5.48, 3.7, 4.6);
    take(pen, "Orgelgehäuse");
    box(pen, 0.3, 2.1, -3, 3, 3.71, 9.5);
    take(pen, "Altar Muschelkalk");
    box(pen, 47.5, 48.6, -1.3, 1.3, choir + 0.01, choir + 0.97);
    take(pen, "Kanzel Eiche");
    box(pen, 37, 38.2, -4.9, -3.7, 0.02, 1.5);
}

/* ---- hall ---- */

static void draw_chairs(struct pen *pen, double x, double y0, double y1, double z)
{
    const double seat[4][3] = {
        {x, y0, z + .45}, {x + .45, y0, z + .45}, {x + .45, y1, z + .45}, {x, y1, z + .45}};
    face(pen, 3,
         (const double[3][3]){{seat[0][0], seat[0][1], seat[0][2]},
                              {seat[1][0], seat[1][1], seat[1][2]},
                              {seat[2][0], seat[2][1], seat[2][2]}});
    face(pen, 3,
         (const double[3][3]){{seat[2][0], seat[2][1], seat[2][2]},
                              {seat[3][0], seat[3][1], seat[3][2]},
                              {seat[0][0], seat[0][1], seat[0][2]}});
    wall(pen, x, y0, x, y1, z + 0.01, z + 0.85);
    wall(pen, x - 0.03, y0, x - 0.03, y1, z + 0.01, z + 0.85);
}

static void draw_hall(struct pen *pen)
{
    take(pen, "Wood_Floor_Parquet");
    level(pen, 0, 0, 18, 0, 16);
    level(pen, 1, 18, 24, 0, 16); /* the stage */
    for (int step = 0; step < 4; step++)
        box(pen, 17.1 - 0.3 * step, 17.99, 0.5, 2, 0.8 - 0.2 * step, 0.99 - 0.2 * step);
    take(pen, "Wood_Cherry_Original");
    wall(pen, 18, 0, 18, 16, 0, 1);
    windows(pen, "Gypsum_Board", "Translucent_Glass_Gray", 0, 0, 24, 4, (const double[]){0, 2.2, 5.2, 8});
    windows(pen, "Gypsum_Board", "Translucent_Glass_Gray", 16, 0, 24, 4, (const double[]){0, 2.2, 5.2, 8});
    take(pen, "Gypsum_Board");
    wall(pen, 0, 0, 0, 16, 0, 8);
    wall(pen, 24, 0, 24, 16, 0, 8);
    level(pen, 8, 0, 24, 0, 16);
    take(pen, "Fabric_Velvet_Red"); /* a backdrop, 3 cm before the wall */
    wall(pen, 23.97, 1, 23.97, 15, 1.02, 7);
    take(pen, "Carpet_Loop_Pattern"); /* the balcony, in two tiers, 1 cm off the walls */
    level(pen, 3.6, 2.2, 5, 0.01, 15.99);
    level(pen, 4, 0.01, 2.2, 0.01, 15.99);
    wall(pen, 2.2, 0.01, 2.2, 15.99, 3.6, 4);
    take(pen, "Concrete_Smooth");
    level(pen, 3.3, 0.01, 5, 0.01, 15.99);
    wall(pen, 5, 0.01, 5, 15.99, 3.3, 4.6);
    wall(pen, 4.9, 0.01, 4.9, 15.99, 3.6, 4.6);
    quad(pen, 4.9, 0.01, 4.6, 5, 0.01, 4.6, 5, 15.99, 4.6, 4.9, 15.99, 4.6);
    wall(pen, 0.01, 0.01, 5, 0.01, 3.3, 4);
    wall(pen, 0.01, 15.99, 5, 15.99, 3.3, 4);
    take(pen, "Fabric_Chair_Blue");
    for (int row = 0; row < 11; row++)
        for (int block = 0; block < 2; block++)
            draw_chairs(pen, 4.5 + row, 1.5 + 7 * block, 7.5 + 7 * block, 0);
    for (int block = 0; block < 2; block++) {
        draw_chairs(pen, 3.2, 1.5 + 7 * block, 7.5 + 7 * block, 3.6);
        draw_chairs(pen, 1, 1.5 + 7 * block, 7.5 + 7 * block, 4);
    }
    take(pen, "Fabric_Chair_Blue"); /* and for players */
    for (int row = 0; row < 3; row++)
        draw_chairs(pen, 19 + 1.2 * row, 5, 11, 1);
}

/* ---- chapel ---- */

static void draw_chapel(struct pen *pen)
{
    take(pen, "Wooden floor");
    level(pen, 0, 0, 14, 0, 8);
    level(pen, 0, 1, 3, 1, 3); /* drawn twice */
    level(pen, 4.2, 0, 14, 0.02, 8);
    take(pen, "Plaster");
    for (int side = 0; side < 2; side++) {
        windows(pen, "Plaster", "Leaded glass", 8.0 * side, 0, 14, 3, (const double[]){0, 1.5, 3.2, 4.5});
        const double x = 14.0 * side;
        take(pen, "Plaster");
        wall(pen, x, 0, x, 8, 0, 4.5);
        face(pen, 3, (const double[3][3]){{x, 0, 4.5}, {x, 8, 4.5}, {x, 4, 9}});
    }
    take(pen, "Timber ceiling");
    level(pen, 4, 0, 14, 0.02, 8);
    take(pen, "Roof tiles");
    quad(pen, 0, 0, 4.5, 14, 0, 4.5, 14, 4, 9, 0, 4, 9);
    quad(pen, 0, 8, 4.5, 14, 8, 4.5, 14, 4, 9, 0, 4, 9);
    take(pen, "Stone");
    if (!pen->level)
        box(pen, 11, 13.98, 2, 6, 0.01, 0.15);
    box(pen, 12.6, 13.3, 3.2, 4.8, pen->level ? 0.01 : 0.16, 1.1);
    take(pen, "Oak pews");
    for (int row = 0; row < 9; row++)
        for (int block = 0; block < 2; block++) {
            const double x = 1.6 + 0.95 * row, y = 0.5 + 4 * block;
            level(pen, 0.45, x, x + 0.4, y, y + 3);
            wall(pen, x, y, x, y + 3, 0.02, 0.9);
            wall(pen, x - 0.03, y, x - 0.03, y + 3, 0.02, 0.9);
        }
}

int drawing_write(int which, const char *path)
{
    static void (*const draw[])(struct pen *) = {draw_church, draw_hall, draw_chapel};
    struct pen pen = {.file = fopen(path, "w"), .unit = 1, .level = which >= 3};
    if (pen.file == NULL)
        return 0;
    if (which == 1) {
        pen.y_up = true;
        pen.unit = INCH;
        fputs("# File units = inches\n", pen.file);
    }
    fprintf(pen.file, "g %s\n", drawing[which].name);
    draw[like[which]](&pen);
    return fclose(pen.file) == 0 ? pen.faces : 0;
}

/* ---- where people sit ---- */

static const struct {
    int which;
    double low[2], high[2], floor; /* [m] */
} seat[] = {
    {0, {0, -5.5}, {40, 5.5}, 0},  {0, {4, -9.5}, {40, 9.5}, 0}, {0, {40, -4.5}, {43, 4.5}, 0},
    {0, {0, -5.5}, {6, 5.5}, 3.7}, {1, {0, 0}, {18, 16}, 0},     {1, {2.2, 0}, {5, 16}, 3.6},
    {1, {0, 0}, {2.2, 16}, 4},     {2, {0, 0}, {14, 2}, 0},      {2, {0, 6}, {14, 8}, 0},
    {2, {0, 2}, {11, 6}, 0},
};

bool drawing_is_seat(int which, const double ears[3])
{
    for (size_t s = 0; s < sizeof seat / sizeof seat[0]; s++)
        if (seat[s].which == like[which] && fabs(ears[2] - 1.2 - seat[s].floor) < 0.01 &&
            ears[0] > seat[s].low[0] && ears[0] < seat[s].high[0] && ears[1] > seat[s].low[1] &&
            ears[1] < seat[s].high[1])
            return true;
    return false;
}
