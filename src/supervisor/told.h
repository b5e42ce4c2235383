/*
 * told.h - what the harness tells of its conversation: its id, and the last
 * message of a turn; by hooks, else from the harness's own files.
 */
#ifndef AFW_SUPERVISOR_TOLD_H
#define AFW_SUPERVISOR_TOLD_H

#include <stdbool.h>

#include "supervisor/supervisor.h"

/* A reading: keeps the id and, as hooks tell it, how the last
 * message of the turn begins. */
void told_reading(struct supervisor *sv, const struct reading *r);

/* Where no hook has told the id: looks for it in the harness's files. Cheap
 * where it is known; for when a turn has ended and when the harness has. */
void told_find(struct supervisor *sv);

/*
 * The harness's last message of the turn that has ended, appended to out:
 * see adapter_last_answer(). asked_at: wall ms, from before the turn began.
 * False where it is not known; files may come a
 * moment after the end of the turn, so ask again before giving up.
 */
bool told_answer(struct supervisor *sv, int64_t asked_at, struct buf *out);

#endif
