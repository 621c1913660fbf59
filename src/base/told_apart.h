/** Two values in a sentence, so that they look as different as they are; and names that are cut in it. */
#ifndef SRC_TOLD_APART_H
#define SRC_TOLD_APART_H

#define TOLD_MAX 48

struct told {
    char first[TOLD_MAX], second[TOLD_MAX];
};

/** Both with the same number of decimals and without zeros that end both: so many that the larger has
 * `digits` significant ones, and more where both would read the same, up to twelve significant ones. 0 is
 * "0". */
struct told told_digits(double first, double second, int digits);

/** The same with `decimals` or more, of which none are taken off. */
struct told told_decimals(double first, double second, int decimals);

/** For "%.*s": the bytes of at most `most` that end with a whole character of UTF-8, and the text. */
#define TOLD_TEXT(text, most) told_bytes(text, most), text
int told_bytes(const char *text, int most);

#endif
