/*
 * support_call.h - which system calls of a stopped process change a file, or
 * can fail over one, and which file that is. fsync(2) and its like change none:
 * what a killed process leaves is the same before and after. A write to memory
 * that maps a file cannot be seen.
 */
#ifndef AFW_TESTS_SUPPORT_CALL_H
#define AFW_TESTS_SUPPORT_CALL_H

#include <stdbool.h>

#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define CALL_PATH (PATH_MAX + 256)

/*
 * Returns the name of the call with number nr and these six arguments, which
 * tid is about to make, if it changes a file below one of roots (NULL after the
 * last), with that file in path, of CALL_PATH bytes; else NULL. any: also if it
 * reads a file, syncs one, or makes a descriptor without a file.
 */
const char *call_of(pid_t tid, uint64_t nr, const uint64_t *arg, bool any,
		    const char *const *roots, char *path, size_t size);

/* call_skip(), at the beginning of a call: it is not made. call_set_failed(),
 * at its end: it has failed with this errno. Both return false if this
 * machine's registers are not known. */
bool call_skip(pid_t tid);
bool call_set_failed(pid_t tid, int why);

#endif
