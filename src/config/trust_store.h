/*
 * trust_store.h - which repositories the user trusts, and with which .af/.
 *
 * Two things are trusted apart. The repository: agents may be told that its
 * files are safe to work in (their trust dialogs). Its configuration, all
 * files in .af/: only the very bytes that the user saw; their hashes are kept,
 * so that an edit of any, by whomever, is trusted no more.
 *
 * The store is <data_dir>/trust/<hash of the path>.json, a file for each
 * repository, replaced in one step. Repositories are absolute paths of main
 * worktrees (or bare repositories), without a slash at the end.
 */
#ifndef AFW_CONFIG_TRUST_STORE_H
#define AFW_CONFIG_TRUST_STORE_H

#include <stdbool.h>

#include <cjson/cJSON.h>

#include "base/err.h"
#include "base/mem.h"
#include "config/filetree.h"

/* A zeroed one trusts nothing. */
struct trust {
	bool repository;
	cJSON *files;	  /* name in .af/, encoded: its hash; or NULL */
	char *granted_at; /* RFC 3339, or NULL */
};
void trust_finish(struct trust *t);

/* Nothing was granted, or what was cannot be read: nothing is trusted. */
void trust_load(const char *data_dir, const char *repository,
		struct trust *out);

/*
 * Reads the repository's .af/, all of it but context (text for agents, which
 * counts as the repository's other files do). As filetree_read().
 */
int trust_read(const char *repository, struct filetree *out, struct err *err);

/* What of these files is not as it was trusted: the first one's name, to be
 * freed. NULL: nothing; or there are no files, and nothing to trust. */
char *trust_differs(const struct trust *t, const struct filetree *files);

/* Whether this one file is. */
bool trust_has(const struct trust *t, const struct filetree_file *f);

/*
 * Trusts the repository, and these files of its .af/; what was trusted of it
 * before is forgotten. Durable.
 */
int trust_grant(const char *data_dir, const char *repository,
		const struct filetree *files, struct err *err);

/* 0, and *was is false if nothing had been granted. */
int trust_revoke(const char *data_dir, const char *repository, bool *was,
		 struct err *err);

/* Appends the paths of all trusted repositories, sorted. */
int trust_list(const char *data_dir, struct strv *out, struct err *err);

#endif
