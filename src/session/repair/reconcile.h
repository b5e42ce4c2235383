/*
 * reconcile.h - compares what is recorded with what is there.
 *
 * Each probe looks at one thing; one that fails is a finding itself and does
 * not stop the others. Repaired is only what cannot lose anything: the state
 * of a lost session, a socket nobody listens on, an entry of git's for a
 * directory that is gone, a tmux server that outlived the supervisor which
 * started it. No work is deleted,
 * no other process ended.
 */
#ifndef AFW_SESSION_REPAIR_RECONCILE_H
#define AFW_SESSION_REPAIR_RECONCILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct finding {
	const char *kind; /* "lost_session", ...: afw-reconcile(1); static */
	char id[40];	  /* of a session, or "" */
	char *name;	  /* of a session, or NULL */
	char *path;	  /* or NULL */
	pid_t pid;	  /* or 0 */
	char *text;	  /* for a person */
	char *hint;	  /* what would help, or NULL */
	bool safe;	  /* apply repairs it */
	bool repaired;
};

struct findings {
	struct finding *v;
	size_t n;
	bool failed; /* a probe did */
};

typedef void reconcile_container_fn(void *ctx, const char *container,
				    const char *dir);

struct reconcile {
	bool apply;
	bool cheap;		   /* files only: no git, no /proc */
	const char *branch_prefix; /* "af/" */
	const char *repository;	   /* looked at as well; may be NULL */
	/* Calls fn for each container that was made for a session, with that
	 * one's directory; or NULL. */
	void (*containers)(reconcile_container_fn *fn, void *ctx);
};

void reconcile_run(const struct reconcile *how, struct findings *out);
void findings_finish(struct findings *f);

#endif
