/*
 * approve_rule.h - the user's rules for approvals, [approve.NAME] of
 * afw.ini(5): which one decides a question, and the narrowest one that would
 * allow it. Pure.
 *
 * A rule is compared with the question on the screen, which only the agent's
 * program can write. A hook's report is not used: a program in the session
 * could report the same.
 */
#ifndef AFW_SESSION_APPROVE_RULE_H
#define AFW_SESSION_APPROVE_RULE_H

#include <stdbool.h>

#include <cjson/cJSON.h>

#include "base/err.h"

struct approve_question {
	const char *harness; /* "" if afw does not know it */
	const char *text;    /* "Bash command: make test"; one line */
	bool whole;	     /* the text is known to be complete: of the known
				harnesses, only Claude Code's dialog proves that */
	const char *dir;     /* the session's worktree; NULL: it has none */
};

/*
 * Returns the first of rules (objects of name, harness, tool, pattern, paths,
 * decision) that matches, or NULL. In the question "Bash command: make test"
 * the tool is the text before the first ": ", and the pattern is compared with
 * the text after it, or with the whole question if the question names no tool.
 * Both are globs (fnmatch(3)) that must match the whole text.
 *
 * A rule that allows matches only if the question is complete and the text is
 * one simple command: it has no character that joins commands, redirects or
 * substitutes. With paths "worktree" it must also name no path outside dir, and
 * no option that makes a build run any other program.
 */
const cJSON *approve_rule_find(const cJSON *rules,
			       const struct approve_question *q);

/*
 * Returns the narrowest rule that allows q, an object as above to be deleted:
 * the tool and the exact command, inside the worktree. Only a few commands that
 * read, build or test (approve_rule.c has the table) may have other arguments.
 * NULL with ERR_REFUSED if no rule should allow the question: it is not one
 * simple command, or it is a shell, an interpreter or a command that runs other
 * programs or reaches outside the worktree.
 */
cJSON *approve_rule_propose(const struct approve_question *q, struct err *err);

#endif
