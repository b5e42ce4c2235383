/*
 * board_internal.h - the file that board_put.c writes and board_get.c reads.
 *
 * An array of slots. A slot has one writer (the holder of the session's lock)
 * and any number of readers. It is written by one pwrite() and never mapped:
 * truncating a mapped file would kill the process that maps it. A checksum
 * shows that a slot is torn or damaged; then readers use the session's files.
 */
#ifndef AFW_SESSION_DISK_BOARD_INTERNAL_H
#define AFW_SESSION_DISK_BOARD_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "session/disk/board.h"

#define BOARD_MAGIC                                                            \
	0x61667747u /* changes with struct board_slot and                      \
			the rows of FIELD_BOARD */
#define BOARD_SLOTS_MAX 4096
#define BOARD_SLOT_SIZE 2048
#define BOARD_ID_SIZE	40

struct board_head {
	uint64_t sum; /* board_sum() */
	uint64_t magic;
	char id[BOARD_ID_SIZE];
	int64_t state_time; /* board_state_time() of what it was filled from */
	int64_t rev, updated_at;      /* of the state */
	uint32_t spec_len, state_len; /* bytes packed: first the spec's */
};

#define BOARD_PACKED_MAX (BOARD_SLOT_SIZE - sizeof(struct board_head))

struct board_slot {
	struct board_head h;
	char packed[BOARD_PACKED_MAX]; /* by fields_pack() */
};

_Static_assert(sizeof(struct board_slot) == BOARD_SLOT_SIZE, "no padding");

/* Returns the checksum of the used bytes after .sum; of how many bytes are
 * used. */
uint64_t board_sum(const struct board_slot *s);
size_t board_used(const struct board_slot *s);

/* Returns the time of state.json in ns; 0 if there is none. */
int64_t board_state_time(const char *session_dir);

/* Opens the board that a session belongs to, with flags as of open(2); -1. */
int board_open_of(const char *session_dir, int flags);

const char *board_id_of(const char *session_dir);

/* Returns false after the last slot. */
bool board_read_head(int fd, int i, struct board_head *h);

/* Returns the number of the slot with id, or -1; looks at likely first. */
int board_find(int fd, const char *id, int likely);

/* Unpack a slot with a good checksum; false if it has no valid content. */
bool board_unpack_spec(const struct board_slot *s, struct spec *to);
bool board_unpack_state(const struct board_slot *s, struct state *to);

#endif
