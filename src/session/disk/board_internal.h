/*
 * board_internal.h - the file that board_put.c writes and board_get.c reads.
 *
 * An array of slots. One writer a slot (the holder of the session's lock),
 * any number of readers. A slot is written by one pwrite() and never mapped:
 * a file that somebody cuts off would kill who maps it. A checksum tells a
 * slot that is torn or damaged, which sends readers to the files.
 */
#ifndef AFW_SESSION_DISK_BOARD_INTERNAL_H
#define AFW_SESSION_DISK_BOARD_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "session/disk/board.h"

#define BOARD_MAGIC	0x6166773au /* changes with struct board_slot and
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

/* Of all that is used behind it; never of what lies outside. */
uint64_t board_sum(const struct board_slot *s);
size_t board_used(const struct board_slot *s);

/* When state.json was put there, in ns; 0: there is none. */
int64_t board_state_time(const char *session_dir);

/* The board that a session belongs to; -1. flags as of open(2). */
int board_open_of(const char *session_dir, int flags);

const char *board_id_of(const char *session_dir);

/* False behind the last slot. */
bool board_read_head(int fd, int i, struct board_head *h);

/* The slot with id, or -1; it may be at likely. */
int board_find(int fd, const char *id, int likely);

/* Of a slot with a good checksum; false if it is of no use. */
bool board_unpack_spec(const struct board_slot *s, struct spec *to);
bool board_unpack_state(const struct board_slot *s, struct state *to);

#endif
