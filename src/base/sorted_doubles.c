#include "src/base/sorted_doubles.h"

#include <stdlib.h>

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void sort_doubles(double *value, size_t count)
{
    qsort(value, count, sizeof *value, compare_doubles);
}

double sort_for_median(double *value, size_t count)
{
    sort_doubles(value, count);
    return 0.5 * (value[(count - 1) / 2] + value[count / 2]);
}
