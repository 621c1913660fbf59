/** Numbers as pages and their tables show them, in the language that is set (words.h), with U+2212 as minus.
 */
#ifndef SRC_NUMBER_TEXT_H
#define SRC_NUMBER_TEXT_H

#define NUMBER_TEXT_MAX 64

/** `decimals` behind the point; a negative count means so many significant digits, without an exponent: 7840,
 * 78.4, 0.0784. Never "-0". Returns `text`. */
const char *number_text(double value, int decimals, char text[NUMBER_TEXT_MAX]);

/** A whole number with thin blanks between thousands. */
const char *number_text_count(double value, char text[NUMBER_TEXT_MAX]);

/** The unit of a number of bytes, B to TB (powers of 1000), and what brings the number to it. */
const char *number_bytes_unit(double bytes, double *scale);

#endif
