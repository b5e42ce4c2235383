/*
 * board_internal.h - the file that board_put.c writes and board_get.c reads.
 *
 * An array of slots. One writer a slot (the holder of the session's lock),
 * any number of readers. A slot is written by one pwrite() and never mapped:
 * a file that somebody cuts off would kill who maps it. A checksum tells a
 * slot that is torn or damaged, which sends readers to the files.
 */
#ifndef AFW_SESSION_BOARD_INTERNAL_H
#define AFW_SESSION_BOARD_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "session/board.h"

#define BOARD_MAGIC	0x61667732u /* changes with struct board_slot */
#define BOARD_SLOTS_MAX 4096
#define BOARD_ID_SIZE	40

/* Which file a part of the slot was filled from. All zero: none. */
struct board_identity {
	int64_t ino, size, mtime_ns, ctime_ns;
};

struct board_slot {
	uint64_t sum; /* board_sum() */
	uint64_t magic;
	char id[BOARD_ID_SIZE];
	struct board_identity spec_file, state_file;
	/* of the spec */
	char name[72], repository[256], repository_name[96], worktree[320],
	    branch[128], base[96], harness[40];
	int64_t created_at;
	/* of the state */
	int64_t rev, activity_since, started_at, ended_at, updated_at, queued;
	struct counts counts;
	int32_t phase, activity, pid, supervisor_pid, exit_code, signal;
	char detail[256], last_line[256], error_reason[320], title[248];
	char activity_source[16];
};

/* The board of a directory of sessions; to be freed. */
char *board_path(const char *sessions_dir);

/* Of all that is behind it. */
uint64_t board_sum(const struct board_slot *s);

/* False where there is no such file. */
bool board_identify(int dirfd, const char *path, struct board_identity *out);

#endif
