/** Which grid is enough: the total error of boxes and balls by scheme and points per wavelength, for
 * wall_ladder. */
#ifndef TESTS_GRID_ENOUGH_H
#define TESTS_GRID_ENOUGH_H

/** Absorbing boxes, straight and turned, at four places on the grid each, and balls, by every grid of a list:
 * errors of the modes of the uppermost octave and of its reverberation time. Only grids of these `points` per
 * wavelength (count); 0: all. */
void grid_enough(const double *points, int count);

#endif
