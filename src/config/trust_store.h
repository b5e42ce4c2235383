/*
 * trust_store.h - which repositories the user trusts, and with which .af/.
 *
 * Two things are trusted separately. The repository: afw may answer its agents'
 * trust dialogs. Its configuration, all files in .af/: exactly the bytes that
 * the user saw; their hashes are stored, so that a changed file is not trusted
 * any more.
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

/* May start zeroed, which trusts nothing. */
struct trust {
	bool repository;
	cJSON *files;	  /* name in .af/, encoded: its hash; or NULL */
	char *granted_at; /* RFC 3339, or NULL */
};
void trust_finish(struct trust *t);

/* Loads it. If nothing was granted, or it cannot be read, nothing is
 * trusted. */
void trust_load(const char *data_dir, const char *repository,
		struct trust *out);

/*
 * Reads the repository's .af/, except context (text for agents, trusted like
 * the repository's other files). As filetree_read().
 */
int trust_read(const char *repository, struct filetree *out, struct err *err);

/* Returns the name of the first of these files that is not as it was trusted,
 * to be freed. NULL: none; or there are no files to trust. */
char *trust_differs(const struct trust *t, const struct filetree *files);

/* True if this one file is as it was trusted. */
bool trust_has(const struct trust *t, const struct filetree_file *f);

/*
 * Trusts the repository, and these files of its .af/, in place of an earlier
 * grant. Durable.
 */
int trust_grant(const char *data_dir, const char *repository,
		const struct filetree *files, struct err *err);

/* Revokes it. Returns 0 with *was false if nothing had been granted. */
int trust_revoke(const char *data_dir, const char *repository, bool *was,
		 struct err *err);

/* Appends the paths of all trusted repositories, sorted. */
int trust_list(const char *data_dir, struct strv *out, struct err *err);

#endif
