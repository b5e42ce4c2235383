/* support_worktree.h - real repositories and the real afw-worktree, for tests.
 * Everything is below one directory of the test, HOME too. */
#ifndef AFW_TESTS_SUPPORT_WORKTREE_H
#define AFW_TESTS_SUPPORT_WORKTREE_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <sys/types.h>

#include "base/buf.h"
#include "support_scratch.h"

/* An answer of afw-worktree. */
struct wt_answer {
	int status;	  /* as from waitpid() */
	int code;	  /* exit code, or -1 */
	cJSON *answer;	  /* the last line; NULL if there was none */
	struct buf lines; /* everything before it */
};

/* A running afw-worktree. */
struct wt_run {
	pid_t pid;
	int out; /* its standard output; -1 once closed */
	int in;	 /* its standard input; -1: closed */
	struct buf got;
};

/* A fixture: scratch, with HOME in it. */
int wt_setup(void **state);
int wt_teardown(void **state);

/* Runs a shell script in scratch; fails the test if it fails. */
void wt_sh(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* The same; returns what it printed, without the last newline, until the next
 * call. */
const char *wt_out(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Makes a repository with n files and one commit, whose index is not racy. */
void wt_repo(const char *name, int n);

/* Sends the request (JSON, printf-like) and waits for the answer. */
struct wt_answer wt_ask(const char *fmt, ...)
    __attribute__((format(printf, 1, 2)));
void wt_answer_finish(struct wt_answer *a);

struct wt_run wt_start(const char *fmt, ...)
    __attribute__((format(printf, 1, 2)));
/* As wt_start; its input stays open until wt_finish(). */
struct wt_run wt_start_open(const char *fmt, ...)
    __attribute__((format(printf, 1, 2)));
/* Reads until text has come or 30 s are over (the test fails then). */
void wt_until(struct wt_run *r, const char *text);
struct wt_answer wt_finish(struct wt_run *r);

/* A string, number or bool member of the answer. */
const char *wt_str(const struct wt_answer *a, const char *key);
long wt_int(const struct wt_answer *a, const char *key);

/* Fails the test unless the answer is an error of that code with text. */
void wt_refused(const struct wt_answer *a, int code, const char *text);

/* create NAME in scratch/REPO; members: of the request, each after a comma. */
struct wt_run wt_create_start(const char *repo, const char *name,
			      const char *members);
struct wt_answer wt_create_ask(const char *repo, const char *name,
			       const char *members);
/* ... which must be refused: code and text are as in wt_refused(). */
void wt_create_refused(const char *repo, const char *name, const char *members,
		       int code, const char *text);
/* ... which must work; returns request members for later. */
char *wt_create(const char *repo, const char *name, const char *more);

/* Makes the worktree "one" of "r", as wt_create(); and asks about it. */
void wt_one(const char *more_members);
struct wt_answer wt_one_ask(const char *op, const char *more_members);

/* Fails the test unless nothing is in scratch but the repository r, and in r
 * no trace of a worktree, of a branch af/ or of git's entry. */
void wt_nothing_left(void);

#endif
