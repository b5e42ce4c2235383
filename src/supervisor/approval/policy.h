/*
 * policy.h - the user's own rules for approvals, [approve.NAME] of afw.ini(5).
 *
 * What is compared is the question as it stands on the screen, which only the
 * harness can write there (approval.h), not what a hook says: what runs in the
 * session could say that, too.
 */
#ifndef AFW_SUPERVISOR_APPROVAL_POLICY_H
#define AFW_SUPERVISOR_APPROVAL_POLICY_H

#include <cjson/cJSON.h>

#include "adapters/screen/approval.h"

/*
 * The first of rules (objects of name, harness, tool, pattern, decision) that
 * fits, or NULL. Of the question "Bash command: make test" the tool is what
 * stands before the first ": ", the pattern is for what stands behind it, or
 * for all where there is no tool. Both are globs (fnmatch(3)) over the whole.
 *
 * One that allows fits only where the question is whole (of the harnesses that
 * afw knows, Claude Code's dialog alone proves that) and what the pattern is
 * for is one simple command: no character of it joins commands, redirects or
 * substitutes.
 */
const cJSON *policy_find(const cJSON *rules, const char *harness,
			 const struct approval *a);

#endif
