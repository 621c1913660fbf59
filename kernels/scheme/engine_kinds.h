/** The ways a room can be stepped; all give the same bits. */
#ifndef KERNELS_ENGINE_KINDS_H
#define KERNELS_ENGINE_KINDS_H

enum layout { LAYOUT_BLOCKS, LAYOUT_BOX };
enum precision { PRECISION_SINGLE, PRECISION_DOUBLE };
enum backend { BACKEND_REFERENCE, BACKEND_CPU, BACKEND_CUDA };
enum simd { SIMD_AUTO, SIMD_PORTABLE, SIMD_AVX2, SIMD_AVX512 };

#endif
