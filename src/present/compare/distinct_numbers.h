/** Writes two numbers for a sentence, with enough digits to differ if the numbers differ. */
#ifndef SRC_DISTINCT_NUMBERS_H
#define SRC_DISTINCT_NUMBERS_H

#define DISTINCT_NUMBER_MAX 48

struct distinct_numbers {
    char first[DISTINCT_NUMBER_MAX], second[DISTINCT_NUMBER_MAX];
};

/** Both with the same number of decimals: the larger has `digits` significant digits, or more (up to twelve)
 * if both texts would be equal. Zeros at the end of both are left out. 0 is "0". */
struct distinct_numbers distinct_digits(double first, double second, int digits);

/** The same with at least `decimals` decimals; zeros at the end stay. */
struct distinct_numbers distinct_decimals(double first, double second, int decimals);

#endif
