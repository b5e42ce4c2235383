/*
 * conversation.h - the harness's conversation: its id, and the last message of
 * a turn, from hooks or else from the harness's own files.
 */
#ifndef AFW_SUPERVISOR_MONITOR_CONVERSATION_H
#define AFW_SUPERVISOR_MONITOR_CONVERSATION_H

#include <stdbool.h>

#include "supervisor/supervisor.h"

/*
 * Appends the harness's last message of the turn that has ended to out: see
 * adapter_last_answer(). asked_at: wall ms, before the turn began. Returns
 * false if it is unknown. Files may be written a moment after the end of the
 * turn, so call it again before giving up.
 */
bool conversation_answer(struct supervisor *sv, int64_t asked_at,
			 struct buf *out);

/* Returns whether the last turn has ended without a message. */
bool conversation_unanswered(const struct supervisor *sv);

#endif
