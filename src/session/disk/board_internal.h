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

#define BOARD_MAGIC	0x61667739u /* changes with struct board_slot */
#define BOARD_SLOTS_MAX 4096
#define BOARD_SLOT_SIZE 2048
#define BOARD_ID_SIZE	40

/* The members of struct state that a slot has, but strings. */
#define BOARD_STATE(X)                                                         \
	X(rev)                                                                 \
	X(activity_since)                                                      \
	X(cost_micro)                                                          \
	X(turn_at)                                                             \
	X(created_at)                                                          \
	X(started_at)                                                          \
	X(ended_at)                                                            \
	X(updated_at)                                                          \
	X(notices)                                                             \
	X(queued)                                                              \
	X(messages)                                                            \
	X(check_round)                                                         \
	X(check_rounds)                                                        \
	X(counts)                                                              \
	X(phase)                                                               \
	X(activity)                                                            \
	X(notice)                                                              \
	X(pid)                                                                 \
	X(supervisor_pid)                                                      \
	X(cols)                                                                \
	X(rows)                                                                \
	X(exit_code)                                                           \
	X(signal)                                                              \
	X(unsure)

struct board_head {
	uint64_t sum; /* board_sum() */
	uint64_t magic;
	char id[BOARD_ID_SIZE];
	int64_t state_time; /* board_state_time() of what it was filled from */
	int64_t spec_created_at;
	uint32_t spec_len, state_len; /* bytes of text: first the spec's */
#define BOARD_MEMBER(m) __typeof__(((struct state *)NULL)->m) m;
	BOARD_STATE(BOARD_MEMBER)
#undef BOARD_MEMBER
};

#define BOARD_TEXT_SIZE (BOARD_SLOT_SIZE - sizeof(struct board_head))

struct board_slot {
	struct board_head h;
	char text[BOARD_TEXT_SIZE]; /* strings, each with its NUL */
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

/* Strings into text, with their NULs: the bytes, or 0 where there is no room
 * (or nothing to write). */
size_t board_pack_spec(char *text, size_t room, const struct spec *s);
size_t board_pack_state(char *text, size_t room, const struct state *s);

/* Both are of a slot with a good checksum; false where it is of no use. */
bool board_unpack_spec(const struct board_slot *s, struct spec *to);
bool board_unpack_state(const struct board_slot *s, struct state *to);

#endif
