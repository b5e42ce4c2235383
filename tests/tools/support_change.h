/*
 * support_change.h - which system calls of a stopped process change a file,
 * and which file that is.
 *
 * fsync(2) and its like are not among them: what a killed process leaves is
 * the same before and after. What is written to memory that maps a file
 * cannot be seen.
 */
#ifndef AFW_TESTS_SUPPORT_CHANGE_H
#define AFW_TESTS_SUPPORT_CHANGE_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define CHANGE_PATH (PATH_MAX + 256)

/*
 * The name of the call, where number nr with these six arguments, which tid
 * is about to make, changes a file below one of roots (NULL behind the last),
 * with that file in path, of CHANGE_PATH bytes; else NULL.
 */
const char *change_of(pid_t tid, uint64_t nr, const uint64_t *arg,
		      const char *const *roots, char *path, size_t size);

#endif
