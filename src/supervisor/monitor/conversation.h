/*
 * conversation.h - what the harness tells of its conversation: its id, and the
 * last message of a turn; by hooks, else from the harness's own files.
 */
#ifndef AFW_SUPERVISOR_MONITOR_CONVERSATION_H
#define AFW_SUPERVISOR_MONITOR_CONVERSATION_H

#include <stdbool.h>

#include "supervisor/supervisor.h"

/*
 * The harness's last message of the turn that has ended, appended to out:
 * see adapter_last_answer(). asked_at: wall ms, from before the turn began.
 * False where it is not known; files may come a
 * moment after the end of the turn, so ask again before giving up.
 */
bool conversation_answer(struct supervisor *sv, int64_t asked_at,
			 struct buf *out);

/* The last turn has ended without one. */
bool conversation_unanswered(const struct supervisor *sv);

#endif
