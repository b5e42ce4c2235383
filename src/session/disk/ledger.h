/*
 * ledger.h - usage.jsonl in the data directory: a row for each turn of all
 * sessions, also of removed ones. Rows are appended without a lock, each in one
 * write. As with a session's history, there are at most two files of a bounded
 * size.
 */
#ifndef AFW_SESSION_DISK_LEDGER_H
#define AFW_SESSION_DISK_LEDGER_H

#include <stdbool.h>

#include "base/err.h"
#include "session/tokens.h"

#define LEDGER_FILE_MAX (8 * 1024 * 1024)

/* All borrowed; texts are not trusted. */
struct ledger_row {
	int64_t at;		       /* wall ms */
	const char *session;	       /* its id */
	const char *name, *repository; /* repository NULL: none */
	const char *harness, *model;   /* model "": unknown */
	int64_t turns;	      /* 1; 0: of a turn that has a row already */
	struct tokens tokens; /* all 0: the agent reports none */
};

/* Appends a row; -1 with err: it is lost. */
int ledger_append(const struct ledger_row *row, struct err *err);

/* Calls fn for each row since from (wall ms); no string is NULL. Returns 0, or
 * the errno of a read that failed: then rows are missing. */
typedef void ledger_fn(void *ctx, const struct ledger_row *row);
int ledger_read(int64_t from, ledger_fn *fn, void *ctx);

/*
 * Sums what all sessions have used on the day that began at from. The sum is
 * kept in memory and computed again when the file was changed; the caller
 * zeroes it once.
 */
struct ledger_sum {
	int64_t from, size;
	uint64_t ino;
	struct tokens tokens;
};
void ledger_sum(struct ledger_sum *s, int64_t from);

/* Returns when the user's local day began, or the next one begins, wall ms. */
int64_t ledger_day(int64_t wall_ms, bool next);

#endif
