/*
 * board_get.c - reads the board: all slots sorted by id, each used only while
 * it is locked; or the slot of one session.
 */
#include "session/disk/board_internal.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/mem.h"

#define SLOTS_AT_ONCE 16

/* A slot as it was read. Only its used bytes are kept, a fifth of it: the first
 * use of a page of memory costs more than all that a list does with a slot. */
struct place {
	int index;
	const struct board_slot *slot;
};

struct board {
	int fd;
	struct place *v; /* the slots in use, by id */
	size_t n;
};

static int compare(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	return strncmp(x->slot->h.id, y->slot->h.id, BOARD_ID_SIZE);
}

static void keep_slot(struct board *b, int index, const struct board_slot *s)
{
	/* board_sum() reads whole words. */
	size_t size = (board_used(s) + 7) & ~(size_t)7;
	void *copy = mem_alloc(size);

	memcpy(copy, s, size);
	b->v = mem_grow(b->v, b->n, sizeof *b->v);
	b->v[b->n++] = (struct place){.index = index, .slot = copy};
}

static void read_slots(struct board *b)
{
	struct board_slot some[SLOTS_AT_ONCE];
	ssize_t got;

	for (int at = 0; at < BOARD_SLOTS_MAX; at += SLOTS_AT_ONCE) {
		got = pread(b->fd, some, sizeof some, at * (off_t)sizeof *some);
		got /= (ssize_t)sizeof *some;
		for (int i = 0; i < got; i++)
			if (some[i].h.magic == BOARD_MAGIC)
				keep_slot(b, at + i, &some[i]);
		if (got < SLOTS_AT_ONCE)
			break;
	}
}

struct board *board_open(const char *sessions_dir)
{
	char *path = board_path(sessions_dir);
	struct board *b = mem_alloc(sizeof *b);

	b->fd = file_open(AT_FDCWD, path, O_RDONLY, NULL);
	free(path);
	if (b->fd < 0) {
		board_close(b);
		return NULL;
	}
	read_slots(b);
	if (b->n)
		qsort(b->v, b->n, sizeof *b->v, compare);
	return b;
}

void board_close(struct board *b)
{
	if (!b)
		return;
	file_close(b->fd);
	for (size_t i = 0; i < b->n; i++)
		free((void *)b->v[i].slot);
	free(b->v);
	free(b);
}

size_t board_size(const struct board *b)
{
	return b ? b->n : 0;
}

static bool is_whole(const struct board_slot *s, const char *id)
{
	return s->h.magic == BOARD_MAGIC &&
	       strncmp(s->h.id, id, sizeof s->h.id) == 0 &&
	       s->h.sum == board_sum(s);
}

static bool is_held(int fd, off_t index)
{
	struct flock fl = {.l_type = F_WRLCK,
			   .l_whence = SEEK_SET,
			   .l_start = index,
			   .l_len = 1};

	return fcntl(fd, F_OFD_GETLK, &fl) == 0 && fl.l_type != F_UNLCK;
}

static int compare_id(const void *id, const void *place)
{
	return strncmp(id, ((const struct place *)place)->slot->h.id,
		       BOARD_ID_SIZE);
}

static const struct place *find(const struct board *b, const char *id)
{
	return b->n ? bsearch(id, b->v, b->n, sizeof *b->v, compare_id) : NULL;
}

bool board_is_held(const char *session_dir)
{
	_close_ int fd = board_open_of(session_dir, O_RDONLY);
	int i = -1;
	bool held;

	if (fd < 0)
		return false;
	i = board_find(fd, board_id_of(session_dir), -1);
	held = i >= 0 && is_held(fd, i);
	return held;
}

/* Reads a complete slot; returns false if it never is complete. */
static bool read_slot(int fd, int i, const char *id, struct board_slot *s)
{
	for (int tries = 0; tries < 3; tries++)
		if (pread(fd, s, sizeof *s, i * (off_t)sizeof *s) ==
			(ssize_t)sizeof *s &&
		    is_whole(s, id))
			return true;
	return false;
}

void board_update(const char *session_dir, struct state *s)
{
	const char *id = board_id_of(session_dir);
	_close_ int fd = board_open_of(session_dir, O_RDONLY);
	struct board_slot slot;
	int i;

	i = fd < 0 ? -1 : board_find(fd, id, s->slot);
	s->slot = -1;
	if (i < 0 || !read_slot(fd, i, id, &slot))
		return;
	if (is_held(fd, i))
		s->slot = i;
	/* If no supervisor is running, a slot older than state.json is ignored.
	 */
	if (slot.h.rev > s->rev &&
	    (s->slot >= 0 ||
	     slot.h.state_time == board_state_time(session_dir)))
		board_unpack_state(&slot, s);
}

uint64_t board_stamp(const char *session_dir, int *slot)
{
	_close_ int fd = board_open_of(session_dir, O_RDONLY);
	struct board_head h = {0};

	*slot = fd < 0 ? -1 : board_find(fd, board_id_of(session_dir), *slot);
	if (*slot < 0 || !board_read_head(fd, *slot, &h))
		h.sum = 0;
	return h.sum;
}

uint64_t board_get_stamp(const struct board *b, const char *id, int *slot)
{
	const struct place *p = find(b, id);

	*slot = p ? p->index : -1;
	return p ? p->slot->h.sum : 0;
}

bool board_renew(struct board *b, const char *id, struct state *state)
{
	const struct place *p = find(b, id);

	return p && p->slot->h.rev > state->rev && is_whole(p->slot, id) &&
	       is_held(b->fd, p->index) && board_unpack_state(p->slot, state);
}

bool board_get(struct board *b, const char *id, struct spec *spec,
	       struct state *state)
{
	const struct place *p = find(b, id);
	const struct board_slot *s;
	struct board_slot again;

	if (!p || !is_held(b->fd, p->index))
		return false;
	state->slot = p->index;
	s = p->slot;
	/* It may have been read while it was written. */
	if (!is_whole(s, id)) {
		s = &again;
		if (!read_slot(b->fd, state->slot, id, &again))
			return false;
	}
	memcpy(spec->id, id, SPEC_ID_LEN + 1);
	return s->h.spec_len && s->h.state_len && board_unpack_spec(s, spec) &&
	       board_unpack_state(s, state) && spec->name != NULL;
}
