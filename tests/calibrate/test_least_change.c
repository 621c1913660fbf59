/* The smallest change that gives a sum, against closed forms and against chance. */
#include <math.h>

#include "src/calibrate/least_change.h"
#include "tests/support/test_support.h"

static struct changed_value value_of(double start, double uncertainty, double weight)
{
    return (struct changed_value){
        .start = start, .uncertainty = uncertainty, .low = 0, .high = 1, .weight = weight};
}

/* Without bounds in the way: x = x0 + u^2 w (t - w x0) / sum u^2 w^2. */
Test(least_change, free_values_move_by_their_variance_and_weight)
{
    struct changed_value of[] = {value_of(0.2, 0.05, 3), value_of(0.5, 0.1, 1), value_of(0.4, 0.02, 2)};
    double start = 0, spread = 0;
    for (int i = 0; i < 3; i++) {
        start += of[i].weight * of[i].start;
        spread += pow(of[i].uncertainty * of[i].weight, 2);
    }
    for (double change = -0.2; change < 0.25; change += 0.1) {
        cr_assert(eq(int, (int)least_change_find(start + change, of, 3), LEAST_CHANGE_FOUND));
        for (int i = 0; i < 3; i++) {
            const double wanted =
                of[i].start + of[i].uncertainty * of[i].uncertainty * of[i].weight * change / spread;
            cr_expect(test_near(of[i].value, wanted, 1e-12), "%g: %g, not %g", change, of[i].value, wanted);
        }
        cr_expect(test_near(least_change_sum(of, 3), start + change, 1e-12));
    }
}

/* The first reaches its bound, and the other takes what is left: a closed form of one unknown. */
Test(least_change, a_value_at_its_bound_leaves_the_rest_to_the_others)
{
    struct changed_value of[] = {value_of(0.9, 1, 1), value_of(0.1, 0.1, 2)};
    cr_assert(eq(int, (int)least_change_find(1.8, of, 2), LEAST_CHANGE_FOUND));
    cr_expect(test_near(of[0].value, 1, 0));
    cr_expect(test_near(of[1].value, 0.4, 1e-12));
}

Test(least_change, what_is_known_stays_and_what_does_not_count_stays)
{
    struct changed_value of[] = {value_of(0.3, 0, 5), value_of(0.3, 0.1, 0), value_of(0.3, 0.1, 1)};
    cr_assert(eq(int, (int)least_change_find(2.1, of, 3), LEAST_CHANGE_FOUND));
    cr_expect(test_near(of[0].value, 0.3, 0));
    cr_expect(test_near(of[1].value, 0.3, 0));
    cr_expect(test_near(of[2].value, 0.6, 1e-12));
}

Test(least_change, a_target_beyond_all_bounds_is_told_with_the_farthest_sum)
{
    struct changed_value of[] = {value_of(0.2, 0.1, 3), value_of(0.5, 0.1, 1), value_of(0.5, 0, 1)};
    cr_expect_eq(least_change_find(4.6, of, 3), LEAST_CHANGE_ABOVE);
    cr_expect(test_near(least_change_sum(of, 3), 4.5, 1e-12));
    cr_expect_eq(least_change_find(0.4, of, 3), LEAST_CHANGE_BELOW);
    cr_expect(test_near(least_change_sum(of, 3), 0.5, 1e-12));
    cr_expect_eq(least_change_find(4.5, of, 3), LEAST_CHANGE_FOUND);
    cr_expect_eq(least_change_find(0.5, of, 3), LEAST_CHANGE_FOUND);
}

static double cost(const struct changed_value *of, const double *at, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += pow((at[i] - of[i].start) / of[i].uncertainty, 2);
    return sum;
}

/* Every exchange between two values that keeps the sum and the bounds costs more. */
Test(least_change, no_exchange_between_two_values_is_cheaper)
{
    enum { COUNT = 6, ROOMS = 200 };
    uint64_t seed = 41;
    for (int room = 0; room < ROOMS; room++) {
        struct changed_value of[COUNT];
        double at[COUNT], most = 0;
        for (int i = 0; i < COUNT; i++) {
            of[i] = value_of(test_uniform(&seed, 0, 1), 0.01 + 0.3 * test_uniform(&seed, 0, 1),
                             0.1 + test_uniform(&seed, 0, 1));
            most += of[i].weight;
        }
        cr_assert(
            eq(int, (int)least_change_find(most * test_uniform(&seed, 0, 1), of, COUNT), LEAST_CHANGE_FOUND));
        for (int i = 0; i < COUNT; i++)
            at[i] = of[i].value;
        const double least = cost(of, at, COUNT);
        for (int i = 0; i < COUNT; i++)
            for (int j = 0; j < COUNT; j++) {
                const double step = 1e-3, back = step * of[i].weight / of[j].weight;
                if (i == j || at[i] + step > 1 || at[j] - back < 0)
                    continue;
                at[i] += step;
                at[j] -= back;
                cr_expect(cost(of, at, COUNT) > least, "room %d: from %d to %d", room, j, i);
                at[i] = of[i].value;
                at[j] = of[j].value;
            }
    }
}
