/* The words of C that OpenCL C 1.2 lacks. After this file come headers of the tree, whose #include lines
 * join_program.cmake drops, and the kernels. Built with -D REAL=float or double, -D SUFFIX=f32 or f64, -D
 * ISOTROPIC=0 or 1, -D BOX=0 or 1. */
#pragma OPENCL FP_CONTRACT OFF
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#else
#define double float /* of functions that no kernel calls in single precision */
#endif

typedef uchar uint8_t;
typedef ushort uint16_t;
typedef uint uint32_t;
typedef ulong uint64_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;

#define SCHEME_SHARED              __global
#define INT32_MIN                  (-2147483647 - 1)
#define UINT64_C(number)           number##UL
#define fmaf                       fma
#define _Static_assert(claim, words) struct size_was_checked_in_c
#define __builtin_popcountll(bits) popcount((ulong)(bits))

#define PASTE_(name, suffix) name##_##suffix
#define PASTE(name, suffix)  PASTE_(name, suffix)
#define NAME(name)           PASTE(name, SUFFIX)
#define JOIN_(a, b)          a##b
#define JOIN(a, b)           JOIN_(a, b)
#define REAL4                JOIN(REAL, 4)
