/* support_scratch.h - a directory for each test, if possible on a file system
 * where fsync costs nothing. */
#ifndef AFW_TESTS_SUPPORT_SCRATCH_H
#define AFW_TESTS_SUPPORT_SCRATCH_H

/* Its path; scratch_make() makes it, scratch_remove() deletes it. */
extern char scratch[];

int scratch_make(void **state);
int scratch_remove(void **state);

#endif
