/*
 * board_put.c - fills slots, and holds one.
 *
 * Errors are not reported: a session without a slot is read from its files.
 */
#include "session/disk/board_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"

#define ALLOCATE_AT ((off_t)1 << 40) /* the lock for taking a slot */
#define WAIT_TRIES  50

/* The slot that this process holds, and what is written there. */
static struct {
	char *dir; /* the session's; NULL: none */
	int fd;	   /* -1: not there */
	int index;
	struct board_slot slot;
} held = {.fd = -1};

static bool byte_lock(int fd, off_t at, int cmd, short type)
{
	struct flock fl = {
	    .l_type = type, .l_whence = SEEK_SET, .l_start = at, .l_len = 1};

	return fcntl(fd, cmd, &fl) == 0 &&
	       (cmd != F_OFD_GETLK || fl.l_type == F_UNLCK);
}

/*
 * A slot is free if its session's directory no longer exists. A damaged slot
 * belongs to its holder.
 */
static bool is_free(int fd, int i, const struct board_head *h, const char *dir)
{
	size_t root = (size_t)(board_id_of(dir) - dir);
	_free_ char *path = NULL;
	bool gone;

	if (!byte_lock(fd, i, F_OFD_GETLK, F_WRLCK))
		return false;
	if (h->magic != BOARD_MAGIC || !memchr(h->id, '\0', sizeof h->id))
		return true;
	path = mem_printf("%.*s%s", (int)root, dir, h->id);
	gone = access(path, F_OK) < 0 && errno == ENOENT;
	return gone;
}

/* Writes the whole slot: board_find() stops at the end of the file. */
static bool put_slot(void)
{
	return pwrite(held.fd, &held.slot, sizeof held.slot,
		      held.index * (off_t)BOARD_SLOT_SIZE) ==
	       (ssize_t)sizeof held.slot;
}

static int first_free(int fd, const char *dir)
{
	struct board_head h;
	int i = 0;

	while (i < BOARD_SLOTS_MAX && board_read_head(fd, i, &h) &&
	       !is_free(fd, i, &h, dir))
		i++;
	return i < BOARD_SLOTS_MAX ? i : -1;
}

static void take_slot(void)
{
	/* The lock is held for microseconds; without it the session gets no
	 * slot. */
	for (int i = 0; i < WAIT_TRIES; i++) {
		if (!byte_lock(held.fd, ALLOCATE_AT, F_OFD_SETLK, F_WRLCK)) {
			poll(NULL, 0, 1);
			continue;
		}
		held.index = board_find(held.fd, held.slot.h.id, -1);
		if (held.index < 0) {
			held.index = first_free(held.fd, held.dir);
			if (held.index >= 0 && !put_slot())
				held.index = -1;
		}
		byte_lock(held.fd, ALLOCATE_AT, F_OFD_SETLK, F_UNLCK);
		break;
	}
}

/* -- the content of the slot ----------------------------------------------- */

static bool commit(void)
{
	struct board_slot *s = &held.slot;

	/* So that equal slots have equal bytes. */
	memset((char *)s + board_used(s), 0, sizeof *s - board_used(s));
	s->h.sum = board_sum(s);
	return put_slot();
}

/* Called before the first fill_state(). */
static void fill_spec(struct board_slot *s, const struct spec *from)
{
	if (from->repository_name)
		s->h.spec_len = (uint32_t)fields_pack(
		    spec_fields, from, s->packed, sizeof s->packed);
}

/* Returns false if the state does not fit. */
static bool fill_state(struct board_slot *s, const struct state *from)
{
	s->h.rev = from->rev;
	s->h.updated_at = from->updated_at;
	s->h.state_len =
	    (uint32_t)fields_pack(state_fields, from, s->packed + s->h.spec_len,
				  sizeof s->packed - s->h.spec_len);
	return s->h.state_len > 0;
}

void board_set_spec(const struct spec *spec)
{
	fill_spec(&held.slot, spec);
}

static void hold_slot(void)
{
	held.fd = board_open_of(held.dir, O_RDWR | O_CREAT);
	if (held.fd < 0)
		return;
	held.index = board_find(held.fd, held.slot.h.id, held.index);
	if (held.index < 0)
		take_slot();
	if (held.index < 0 ||
	    !byte_lock(held.fd, held.index, F_OFD_SETLK, F_WRLCK))
		file_reset(&held.fd);
}

void board_release(void)
{
	file_close(held.fd);
	free(held.dir);
	memset(&held, 0, sizeof held);
	held.fd = -1;
}

/* If the board was deleted, all supervisors write to a new one. */
static bool is_held(void)
{
	struct stat st;

	if (!held.dir)
		return false;
	if (held.fd >= 0 && (fstat(held.fd, &st) < 0 || st.st_nlink == 0)) {
		file_reset(&held.fd);
	}
	if (held.fd < 0) {
		hold_slot();
		if (held.fd >= 0)
			commit();
	}
	return held.fd >= 0;
}

void board_rewrite(void)
{
	if (is_held())
		commit();
}

void board_claim(const char *session_dir, const struct spec *spec)
{
	struct board_head *h = &held.slot.h;

	held.dir = mem_strdup(session_dir);
	held.index = -1;
	h->magic = BOARD_MAGIC;
	snprintf(h->id, sizeof h->id, "%s", board_id_of(session_dir));
	fill_spec(&held.slot, spec);
	is_held();
}

void board_write_state(const char *session_dir, struct state *from)
{
	struct board_head *h = &held.slot.h;

	from->slot = -1;
	if (!held.dir || strcmp(held.dir, session_dir) != 0 || !is_held())
		return;
	from->slot = held.index;
	h->state_time = board_state_time(session_dir);
	fill_state(&held.slot, from);
	commit();
}

bool board_publish(struct state *s)
{
	struct board_slot now, *was = &held.slot;

	if (!is_held() || !was->h.state_len)
		return false;
	now = *was;
	if (!fill_state(&now, s))
		return false;
	now.h.rev = was->h.rev;
	now.h.updated_at = was->h.updated_at;
	if (memcmp(&now, was, board_used(&now)) == 0)
		return true;
	now.h.rev = ++s->rev;
	now.h.updated_at = s->updated_at = clock_wall_ms();
	*was = now;
	return commit();
}
