/** Two numbers in a sentence, with so many digits that they look as different as they are. */
#ifndef SRC_DISTINCT_NUMBERS_H
#define SRC_DISTINCT_NUMBERS_H

#define DISTINCT_NUMBER_MAX 48

struct distinct_numbers {
    char first[DISTINCT_NUMBER_MAX], second[DISTINCT_NUMBER_MAX];
};

/** Both with the same number of decimals and without zeros that end both: so many that the larger has
 * `digits` significant ones, and more where both would read the same, up to twelve significant ones. 0 is
 * "0". */
struct distinct_numbers distinct_digits(double first, double second, int digits);

/** The same with `decimals` or more, of which none are taken off. */
struct distinct_numbers distinct_decimals(double first, double second, int decimals);

#endif
