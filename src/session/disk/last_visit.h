/* last_visit.h - when the user last left the dashboard. */
#ifndef AFW_SESSION_DISK_LAST_VISIT_H
#define AFW_SESSION_DISK_LAST_VISIT_H

#include <stdint.h>

/* Stores that it is left now. Without a place for that, stores nothing: no
 * command fails for it. */
void last_visit_set(void);

/* Returns the time (wall ms); -1 if it was never left. */
int64_t last_visit_get(void);

#endif
