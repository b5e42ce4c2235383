/*
 * ref.h - makes and deletes references, so that a run which is killed on the
 * way blocks nobody.
 *
 * git guards a change with a lock file beside the reference (and one beside
 * packed-refs). A run that dies leaves it, and whoever wants to change the
 * reference afterwards, git included, is told for ever that somebody is at
 * it. So a run first writes down, in <git directory>/afw-refs, which
 * reference it is about to change, and holds that file with flock(2); what a
 * dead run has written there says which lock files are its.
 */
#ifndef AFW_WORKTREES_REF_H
#define AFW_WORKTREES_REF_H

#include <git2.h>
#include <stdbool.h>

/*
 * As git_reference_create() without force: 0, GIT_EEXISTS, or what libgit2
 * says. log is what the reflog will say. Blocks while another afw changes a
 * reference, 10 s at most.
 */
int ref_create(git_repository *git, const char *name, const git_oid *oid,
	       const char *log);

/* Deletes it if it is (still) at oid: 0; GIT_EMODIFIED where it is elsewhere,
 * GIT_ENOTFOUND where there is none. */
int ref_delete(git_repository *git, const char *name, const git_oid *oid);

/*
 * The same, if may(ctx) says so while no other afw changes a reference: what
 * it reads of them is still so when this one goes. GIT_EUSER where it says
 * false. With a branch goes what .git/config says of it, if that can be
 * written.
 */
int ref_delete_if(git_repository *git, const char *name, const git_oid *oid,
		  bool (*may)(void *ctx), void *ctx);

/*
 * Takes away the locks that a dead run has left. Another's are left alone:
 * one on a name that others may change as well must have been there unchanged
 * for 300 ms. Cheap where there is nothing to do.
 */
void ref_recover(git_repository *git);

/* Whether there is something for ref_recover(). */
bool ref_is_stuck(git_repository *git);

#endif
