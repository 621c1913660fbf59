#include "src/response/acoustics/damped_waves.h"

#include <assert.h>
#include <lapacke.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#define LEAST_SAMPLES 8

void damped_waves_free(struct damped_waves *waves)
{
    free(waves->z);
    free(waves->amplitude);
    *waves = (struct damped_waves){0};
}

static void *allocate_zeros(size_t count, size_t size, struct failure *failure)
{
    void *memory = calloc(count + 1, size);
    if (memory == NULL)
        failure_memory(failure, (unsigned long long)count * size, "the search for modes");
    return memory;
}

/* Sum over all windows of `length` samples of w w^H, by columns. */
static void sum_windows(const double complex *value, size_t count, size_t records, size_t length,
                        double complex *sum)
{
    for (size_t r = 0; r < records; r++)
        for (size_t first = 0; first + length <= count; first++) {
            const double complex *window = value + r * count + first;
            for (size_t j = 0; j < length; j++)
                for (size_t i = j; i < length; i++) /* the lower triangle will do */
                    sum[j * length + i] += window[i] * conj(window[j]);
        }
}

/* Eigenvalues of what turns the first rows of the space into the last ones. `space` is (length, waves) by
 * columns. LAPACK's status, 0 for success. */
static int turn_space(const double complex *space, size_t length, size_t waves, double complex *first,
                      double complex *last, double complex *z)
{
    const size_t rows = length - 1;
    for (size_t m = 0; m < waves; m++)
        for (size_t i = 0; i < rows; i++) {
            first[m * rows + i] = space[m * length + i];
            last[m * rows + i] = space[m * length + i + 1];
        }
    const lapack_int n = (lapack_int)waves, high = (lapack_int)rows;
    int trouble = LAPACKE_zgels(LAPACK_COL_MAJOR, 'N', high, n, n, first, high, last, high);
    if (trouble == 0)
        trouble = LAPACKE_zgeev(LAPACK_COL_MAJOR, 'N', 'N', n, last, high, z, NULL, 1, NULL, 1);
    return trouble;
}

/* Amplitudes of the waves in all records. What grows so fast that its powers would drown the others is left
 * out: its z becomes 0. */
static int fit_amplitudes(const double complex *value, size_t count, size_t records,
                          struct damped_waves *waves, struct failure *failure)
{
    const size_t unknowns = waves->count;
    double complex *power = allocate_zeros(count * unknowns, sizeof *power, failure);
    double complex *right = allocate_zeros(count * records, sizeof *right, failure);
    int code = power == NULL || right == NULL ? FAILURE_CAPACITY : 0;
    if (code != 0)
        goto done;
    for (size_t m = 0; m < unknowns; m++) {
        double complex z = 1.0;
        for (size_t n = 0; n < count; n++, z *= waves->z[m])
            power[m * count + n] = z;
    }
    for (size_t n = 0; n < count * records; n++)
        right[n] = value[n];
    const lapack_int rows = (lapack_int)count;
    if (LAPACKE_zgels(LAPACK_COL_MAJOR, 'N', rows, (lapack_int)unknowns, (lapack_int)records, power, rows,
                      right, rows) != 0) {
        waves->count = 0; /* two of them are the same to the last digit: they cannot be separated */
        goto done;
    }
    for (size_t m = 0; m < unknowns; m++)
        for (size_t r = 0; r < records; r++)
            waves->amplitude[m * records + r] = right[r * count + m];
done:
    free(power);
    free(right);
    return code;
}

/* Drops waves that grow by more than a factor of 2 over the record: no room makes them. */
static void keep_decaying(size_t count, struct damped_waves *waves)
{
    const double limit = pow(2.0, 1.0 / (double)count);
    size_t kept = 0;
    for (size_t m = 0; m < waves->count; m++)
        if (cabs(waves->z[m]) <= limit)
            waves->z[kept++] = waves->z[m];
    waves->count = kept;
}

int damped_waves_find(const double complex *value, size_t count, size_t records, double weakest,
                      struct damped_waves *out, struct failure *failure)
{
    *out = (struct damped_waves){.records = records};
    if (count < LEAST_SAMPLES || records == 0)
        return 0;
    const size_t length = records > 1 ? 2 * count / 3 : count / 2;
    const size_t windows = (count - length + 1) * records;
    const size_t most = records > 1 ? count / 2 : count / 3;
    double complex *sum =
        allocate_zeros(3 * length * length, sizeof *sum, failure); /* and room for two more */
    double *strength = allocate_zeros(length, sizeof *strength, failure);
    out->z = allocate_zeros(length, sizeof *out->z, failure);
    out->amplitude = allocate_zeros(length * records, sizeof *out->amplitude, failure);
    int code =
        sum == NULL || strength == NULL || out->z == NULL || out->amplitude == NULL ? FAILURE_CAPACITY : 0;
    if (code != 0)
        goto done;
    sum_windows(value, count, records, length, sum);
    const lapack_int n = (lapack_int)length;
    /* Ascending; eigenvectors in the columns. */
    if (LAPACKE_zheev(LAPACK_COL_MAJOR, 'V', 'L', n, sum, n, strength) != 0)
        goto done;
    size_t waves = 0;
    const double largest = strength[length - 1];
    while (waves < most && waves < windows && waves + 2 < length &&
           strength[length - 1 - waves] > weakest * weakest * largest)
        waves++;
    if (!(largest > 0.0) || waves == 0 ||
        turn_space(sum + (length - waves) * length, length, waves, sum + length * length,
                   sum + 2 * length * length, out->z) != 0)
        goto done;
    out->count = waves;
    keep_decaying(count, out);
    if (out->count > 0)
        code = fit_amplitudes(value, count, records, out, failure);
done:
    free(sum);
    free(strength);
    if (code != 0)
        damped_waves_free(out);
    return code;
}
