#include "src/response/acoustics/box_modes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI    3.14159265358979323846
#define ALIKE 0.002

struct box_mode {
    int n[3];
    double frequency; /* on the grid */
};

/* Modes of the box in a row, alike ones together: groups begin at first[g] and end at first[g + 1]. */
struct box_list {
    struct box_mode *mode; /* owned */
    size_t *first;         /* owned */
    size_t *left;          /* (groups) modes without a frequency; owned */
    size_t count, groups;
};

static int by_frequency(const void *left, const void *right)
{
    const double a = ((const struct box_mode *)left)->frequency,
                 b = ((const struct box_mode *)right)->frequency;
    return (a > b) - (a < b);
}

static void list_free(struct box_list *list)
{
    free(list->mode);
    free(list->first);
    free(list->left);
}

static double box_frequency(const struct box_room *room, const int n[3])
{
    return 0.5 * room->sound_speed *
           hypot(hypot(n[0] / room->size[0], n[1] / room->size[1]), n[2] / room->size[2]);
}

/* NaN where the grid has no such mode. */
static double grid_frequency(const struct box_room *room, const int n[3])
{
    if (room->spacing == 0.0)
        return box_frequency(room, n);
    double sum = 0.0;
    for (int d = 0; d < 3; d++)
        sum += pow(sin(0.5 * PI * n[d] * room->spacing / room->size[d]), 2.0);
    return asin(room->courant * sqrt(sum)) * room->sound_speed / (PI * room->courant * room->spacing);
}

/* Modes up to `highest`, written where there is room. Their number. */
static size_t enumerate_modes(const struct box_room *room, double highest, struct box_mode *mode)
{
    size_t count = 0;
    int most[3];
    for (int d = 0; d < 3; d++)
        most[d] = (int)(2.4 * room->size[d] * highest / room->sound_speed); /* the grid's are lower */
    for (int x = 0; x <= most[0]; x++)
        for (int y = 0; y <= most[1]; y++)
            for (int z = 0; z <= most[2]; z++) {
                const struct box_mode next = {{x, y, z}, grid_frequency(room, (const int[]){x, y, z})};
                if (!(next.frequency > 0.0 && next.frequency <= highest))
                    continue;
                if (mode != NULL)
                    mode[count] = next;
                count++;
            }
    return count;
}

static int list_make(const struct box_room *room, double highest, struct box_list *out,
                     struct failure *failure)
{
    out->count = enumerate_modes(room, highest, NULL);
    out->mode = malloc((out->count + 1) * sizeof *out->mode);
    out->first = calloc(out->count + 1, sizeof *out->first);
    out->left = calloc(out->count + 1, sizeof *out->left);
    if (out->mode == NULL || out->first == NULL || out->left == NULL)
        return failure_memory(failure, (out->count + 1) * sizeof *out->mode, "the modes of a box");
    enumerate_modes(room, highest, out->mode);
    qsort(out->mode, out->count, sizeof *out->mode, by_frequency);
    for (size_t m = 0; m < out->count; m++) {
        const size_t group = out->groups;
        if (group == 0 || out->mode[m].frequency > (1.0 + ALIKE) * out->mode[out->first[group - 1]].frequency)
            out->first[out->groups++] = m;
        out->left[out->groups - 1]++;
    }
    out->first[out->groups] = out->count;
    return 0;
}

static double group_frequency(const struct box_list *list, size_t group)
{
    return list->mode[list->first[group]].frequency;
}

static void name_modes(const struct box_room *room, const struct box_list *list, size_t group,
                       struct box_guess *out)
{
    out->count = list->first[group + 1] - list->first[group];
    out->frequency = box_frequency(room, list->mode[list->first[group]].n);
    for (size_t m = 0; m < out->count && m < BOX_MODES_NAMED; m++)
        memcpy(out->n[m], list->mode[list->first[group] + m].n, sizeof out->n[m]);
}

int box_modes_guess(const struct box_room *room, const double *frequency, size_t count, struct box_guess *out,
                    struct failure *failure)
{
    struct box_list list = {0};
    double highest = 0.0;
    for (size_t i = 0; i < count; i++) {
        out[i] = (struct box_guess){0};
        highest = fmax(highest, frequency[i]);
    }
    int code = list_make(room, (1.0 + BOX_MODES_WITHIN) * highest, &list, failure);
    for (size_t pairs = 0; code == 0 && pairs < count; pairs++) {
        double nearest = BOX_MODES_WITHIN;
        size_t which = count, whose = 0;
        for (size_t i = 0; i < count; i++)
            for (size_t g = 0; out[i].count == 0 && g < list.groups; g++) {
                const double away = fabs(frequency[i] / group_frequency(&list, g) - 1.0);
                if (list.left[g] > 0 && away <= nearest) {
                    nearest = away;
                    which = i;
                    whose = g;
                }
            }
        if (which == count)
            break;
        name_modes(room, &list, whose, &out[which]);
        list.left[whose]--;
    }
    list_free(&list);
    return code;
}
