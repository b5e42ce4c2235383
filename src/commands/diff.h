/* diff.h - prints a diff as `afw diff` does. */
#ifndef AFW_COMMANDS_DIFF_H
#define AFW_COMMANDS_DIFF_H

#include "base/buf.h"
#include "base/err.h"
#include "session/spec.h"
#include "wire/worktree_request.h"

struct args;

/*
 * Runs the request for each worktree of s and prints the text, on a terminal in
 * colours and through the user's pager. Sets place, stat and colour in the
 * request; args may have the options stat and no-pager. what: for errors, "diff
 * of 'fix-login'". Blocks.
 */
int diff_show(const struct spec *s, struct diff_request *rq,
	      const struct args *args, const char *what, struct err *err);

/* Appends the text, which is never NULL afterwards, of each worktree of s, and
 * warns if it is not all; sets place. With several, the paths begin with the
 * names of their repositories. Blocks. */
int diff_read_all(const struct spec *s, struct diff_request *rq,
		  const char *what, struct buf *text, struct err *err);

#endif
