/*
 * sections.h - PLAN.md of the session's worktree: its sections, and which of
 * them the session's agent has reported done.
 */
#ifndef AFW_TOOLS_SECTIONS_H
#define AFW_TOOLS_SECTIONS_H

#include "tools/tool.h"

#define PLAN_FILE "PLAN.md"

/*
 * Adds to out: "plan", the text of the section with that title ("": of all);
 * "sections", a list of {title, line, done}; "sections_done". A plan that is
 * missing adds nothing. -1 if there is no such section.
 */
int sections_read(const struct toolbox *t, const char *section, cJSON *out,
		  struct err *err);

/* Keeps with the session whether that section is done. -1 also if the plan has
 * no such section. */
int sections_report(const struct toolbox *t, const char *section, bool done,
		    struct err *err);

#endif
