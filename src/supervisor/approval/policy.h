/*
 * policy.h - the user's rules for approvals, [approve.NAME] of afw.ini(5).
 *
 * A rule is compared with the question on the screen (approval.h), which only
 * the harness can write. A hook's report is not used: a program in the
 * session could report the same.
 */
#ifndef AFW_SUPERVISOR_APPROVAL_POLICY_H
#define AFW_SUPERVISOR_APPROVAL_POLICY_H

#include <cjson/cJSON.h>

#include "adapters/screen/approval.h"

/*
 * Returns the first of rules (objects of name, harness, tool, pattern,
 * decision) that matches, or NULL. In the question "Bash command: make test"
 * the tool is the text before the first ": ", and the pattern is compared with
 * the text after it, or with the whole question if it names no tool. Both are
 * globs (fnmatch(3)) that must match the whole text.
 *
 * A rule that allows matches only if the question is known to be complete (of
 * the known harnesses, only Claude Code's dialog proves that) and the text is
 * one simple command: it has no character that joins commands, redirects or
 * substitutes.
 */
const cJSON *policy_find(const cJSON *rules, const char *harness,
			 const struct approval *a);

#endif
