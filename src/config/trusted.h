/*
 * trusted.h - which repositories the user trusts, and with which .af/afw.ini.
 *
 * Two things are trusted apart. The repository: agents may be told that its
 * files are safe to work in (their trust dialogs). Its configuration: only
 * the very bytes that the user saw; they are kept whole and compared whole,
 * so that an edit, by whomever, is trusted no more.
 *
 * The store is <data_dir>/trust/<hash of the path>.json, a file for each
 * repository, replaced in one step. Repositories are absolute paths of main
 * worktrees (or bare repositories), without a slash at the end.
 */
#ifndef AFW_CONFIG_TRUSTED_H
#define AFW_CONFIG_TRUSTED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/mem.h"

/* A zeroed one trusts nothing. */
struct trust {
	bool repository;
	char *content;	  /* the trusted .af/afw.ini, or NULL */
	char *granted_at; /* RFC 3339, or NULL */
};
void trust_finish(struct trust *t);

/* Nothing granted: 0 and nothing trusted. A broken or newer file: -1. */
int trust_load(const char *data_dir, const char *repository, struct trust *out,
	       struct err *err);

/* Whether these bytes are what was trusted. */
bool trust_covers(const struct trust *t, const char *content, size_t len);

/*
 * Trusts the repository, and content (UTF-8 without NUL; NULL: it has no
 * configuration; what was trusted of it before is forgotten). Durable.
 */
int trust_grant(const char *data_dir, const char *repository,
		const char *content, size_t len, struct err *err);

/* 0 and *was false where nothing had been granted. */
int trust_revoke(const char *data_dir, const char *repository, bool *was,
		 struct err *err);

/* Appends the paths of all trusted repositories, sorted. */
int trust_list(const char *data_dir, struct strv *out, struct err *err);

#endif
