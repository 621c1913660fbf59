/** Real spherical harmonics to order 3, orthonormal over the sphere, as the polynomials that they are.
 *
 * Numbered as AmbiX does: order n and degree m have the number n n + n + m; x front, y left, z up. Formulas
 * are those of any table of real spherical harmonics (Williams, Fourier Acoustics, 1999, chapter 6).
 */
#ifndef KERNELS_SOLID_HARMONICS_H
#define KERNELS_SOLID_HARMONICS_H

#define HARMONICS_ORDER 3
#define HARMONICS       16 /* to that order */

/** Order of a harmonic. */
static inline int harmonic_order(int number)
{
    return number < 1 ? 0 : number < 4 ? 1 : number < 9 ? 2 : 3;
}

/** All of them at a place: |at|^n times the harmonic of its direction; the harmonic itself of a unit vector.
 */
static inline void solid_harmonics(const double at[3], double value[HARMONICS])
{
    const double x = at[0], y = at[1], z = at[2], square = x * x + y * y + z * z;
    value[0] = 0.28209479177387814;     /* 1/2 sqrt(1/pi) */
    value[1] = 0.48860251190291992 * y; /* 1/2 sqrt(3/pi) */
    value[2] = 0.48860251190291992 * z;
    value[3] = 0.48860251190291992 * x;
    value[4] = 1.0925484305920792 * x * y; /* 1/2 sqrt(15/pi) */
    value[5] = 1.0925484305920792 * y * z;
    value[6] = 0.31539156525252001 * (3.0 * z * z - square); /* 1/4 sqrt(5/pi) */
    value[7] = 1.0925484305920792 * x * z;
    value[8] = 0.54627421529603959 * (x * x - y * y);
    value[9] = 0.59004358992664351 * y * (3.0 * x * x - y * y);         /* 1/4 sqrt(35/(2 pi)) */
    value[10] = 2.8906114426405540 * x * y * z;                         /* 1/2 sqrt(105/pi) */
    value[11] = 0.45704579946446572 * y * (5.0 * z * z - square);       /* 1/4 sqrt(21/(2 pi)) */
    value[12] = 0.37317633259011540 * z * (5.0 * z * z - 3.0 * square); /* 1/4 sqrt(7/pi) */
    value[13] = 0.45704579946446572 * x * (5.0 * z * z - square);
    value[14] = 1.4453057213202770 * z * (x * x - y * y); /* 1/4 sqrt(105/pi) */
    value[15] = 0.59004358992664351 * x * (x * x - 3.0 * y * y);
}

#endif
