/* rm_report.h - prints what rm has removed, and where the rest of it is. */
#ifndef AFW_COMMANDS_RM_REPORT_H
#define AFW_COMMANDS_RM_REPORT_H

#include <cjson/cJSON.h>

#include "session/disk/store.h"

struct removed {
	const struct session *s;
	const cJSON *answer;		  /* rm_worktrees(), or NULL */
	size_t queued;			  /* messages */
	const struct trashed_list *trash; /* with it; NULL: it is not there */
	const char *holds; /* the work that is only there; NULL: none */
	int64_t keep_ms;   /* trash_keep; 0: for ever */
};

/* Prints one line: the dashboard shows the last one. */
void rm_report(const struct removed *r);
void rm_report_json(const struct removed *r);

#endif
