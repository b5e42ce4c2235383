/*
 * board_internal.h - the file that board_put.c writes and board_get.c reads.
 *
 * An array of slots. One writer a slot (the holder of the session's lock),
 * any number of readers: a sequence number that is odd while a slot is
 * written, and that a reader compares before and after copying. A writer that
 * dies in between leaves it odd, which sends readers to the files.
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
	uint32_t magic;
	uint32_t seq;
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

/* False where there is no such file. */
bool board_identify(int dirfd, const char *path, struct board_identity *out);

#endif
