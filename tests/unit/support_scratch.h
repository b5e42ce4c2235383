/*
 * support_scratch.h - a directory of each test's own, where fsync costs
 * nothing if there is such a place.
 */
#ifndef AFW_TESTS_SUPPORT_SCRATCH_H
#define AFW_TESTS_SUPPORT_SCRATCH_H

/* Its path: made by scratch_make, gone after scratch_remove. */
extern char scratch[];

int scratch_make(void **state);
int scratch_remove(void **state);

#endif
