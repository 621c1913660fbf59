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

/** The unit of a number of bytes, B to TB (powers of 1000), and the factor to it. */
const char *number_bytes_unit(double bytes, double *scale);

/** "1.23 GB", "45.6 MB"; "2 min 5 s", "0.8 s"; 698, 15300. Into `text`, returned. */
const char *format_bytes(double bytes, char text[32]);
const char *format_seconds(double seconds, char text[32]);
const char *format_hertz(double hertz, char text[32]);

#endif
