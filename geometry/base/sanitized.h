/** True in builds with a sanitizer. AddressSanitizer and similar tools reserve terabytes of address space,
 * run several times slower, and inspect their own process when they report. */
#ifndef GEOMETRY_SANITIZED_H
#define GEOMETRY_SANITIZED_H

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

#endif
