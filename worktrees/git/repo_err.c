/* repo_err.c - libgit2's errors, in plainer words if afw has some. */
#include "worktrees/git/repo.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "worktrees/limits.h"

/* "... lock file '/path/x.lock' ...": the lock is git's. afw never removes it.
 * On a full or read-only disk git's library fails to make one. */
static void hint_for_lock(struct err *err, const char *said)
{
	const char *from = strchr(said, '\''), *to = strstr(said, ".lock'");
	struct stat st;
	_free_ char *path = NULL;

	if (!from || from > to)
		return;
	path = mem_strndup(from + 1, (size_t)(to - from) + 4);
	if (lstat(path, &st) == 0)
		err_hint(err,
			 "another git is running there; if not, remove the "
			 "stale lock: `rm '%s'`",
			 path);
}

/* libgit2 does not support git's patterns there. */
int repo_hint_owner(struct err *err)
{
	return err_hint(err, "if you trust it, name that directory exactly (a "
			     "pattern such as /src/* has no effect here): `git "
			     "config --global --add safe.directory DIRECTORY`");
}

/* Adds a hint to errors of libgit2 that git would not have. */
static void hint_for(struct err *err, const char *said)
{
	if (strcasestr(said, "relativeworktrees"))
		err_hint(
		    err,
		    "the repository uses extensions.relativeWorktrees, which "
		    "this libgit2 cannot read; run: `git config "
		    "worktree.useRelativePaths false; git worktree repair; git "
		    "config --unset extensions.relativeWorktrees`");
	else if (strcasestr(said, "objectformat") ||
		 strcasestr(said, "object format"))
		err_hint(err, "the repository uses SHA-256, which this libgit2 "
			      "cannot read: afw works with SHA-1 repositories "
			      "only");
	else if (strcasestr(said, "refstorage"))
		err_hint(err,
			 "the repository keeps its references in another "
			 "format than files, which this libgit2 cannot read; "
			 "run: `git refs migrate --ref-format=files`");
	else if (strcasestr(said, "extension name"))
		err_hint(err, "this libgit2 cannot read repositories with "
			      "that extension (see `git config --get-regexp "
			      "^extensions`)");
	else if (strcasestr(said, "not owned by"))
		repo_hint_owner(err);
	else if (strstr(said, ".lock'"))
		hint_for_lock(err, said);
}

/* Returns a system error that no repair of a repository helps against, or NULL:
 * libgit2 may treat it as a missing object, or not report it. */
static const char *hard_errno(int e)
{
	static const int hard[] = {ENOSPC, EDQUOT, EMFILE, ENFILE,
				   EACCES, EPERM,  EROFS,  EIO,
				   EFBIG,  ENOMEM, 0};

	for (size_t i = 0; hard[i]; i++)
		if (hard[i] == e)
			return strerror(e);
	return NULL;
}

int repo_err(struct err *err, enum err_kind kind, const char *fmt, ...)
{
	const char *os = hard_errno(limits_errno() ? limits_errno() : errno);
	const git_error *e = git_error_last();
	const char *said = e && e->message ? e->message : "unknown error";
	int n = (int)strlen(said);
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	while (n && strchr(": ", said[n - 1])) /* it has no reason */
		n--;
	if (os && !e)
		err_set(err, kind, "%s: %s", text, os);
	else if (os && !strstr(said, os))
		err_set(err, kind, "%s: %.*s (%s)", text, n, said, os);
	else
		err_set(err, kind, "%s: %.*s", text, n, said);
	hint_for(err, said);
	return -1;
}
