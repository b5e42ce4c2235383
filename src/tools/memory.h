/*
 * memory.h - notes of agents for later agents: memory.db in the data directory
 * (SQLite, with FTS5), by repository. It outlives sessions.
 */
#ifndef AFW_TOOLS_MEMORY_H
#define AFW_TOOLS_MEMORY_H

#include <stdint.h>

#include "tools/tool.h"

#define MEMORY_NOTES_MAX 5000 /* of a repository */

/*
 * Counts one more message of this session: ERR_LIMIT if it has sent 20 within
 * the last hour. The count is in the database, so that it also holds for a new
 * bridge.
 */
int memory_may_send(struct toolbox *t, struct err *err);

/*
 * For `afw memory`: lists the notes of repository (NULL: all), newest first, as
 * an array to be deleted; removes one by its number (ERR_FAILED if there is
 * none).
 */
cJSON *memory_list(const char *data_dir, const char *repository,
		   struct err *err);
int memory_delete(const char *data_dir, int64_t number, struct err *err);

/* Returns the version of SQLite, as it was loaded: "3.40.1". */
const char *memory_library(void);

#endif
