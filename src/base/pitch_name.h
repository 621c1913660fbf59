/** The musical name of a frequency. */
#ifndef SRC_PITCH_NAME_H
#define SRC_PITCH_NAME_H

#define PITCH_NAME_MAX 80

/** "F6, two octaves and a half above middle C": the nearest note of equal temperament on a' = 440 Hz (middle
 * C is C4), and how far it is from middle C in octaves, to the half. `frequency` [Hz] > 0. Into `text`,
 * returned. */
const char *pitch_name(double frequency, char text[PITCH_NAME_MAX]);

#endif
