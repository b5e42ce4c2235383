/* counting.h - keeps the number of changes in the worktree up to date. */
#ifndef AFW_SUPERVISOR_CHORES_COUNTING_H
#define AFW_SUPERVISOR_CHORES_COUNTING_H

#include "supervisor/chores/touched.h"

/* Returns the collector of the paths that were touched, for touched_take();
 * NULL if there is none. */
struct touched *counting_touched(const struct supervisor *sv);

#endif
