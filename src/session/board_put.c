/*
 * board_put.c - filling slots, and holding one.
 *
 * Everything fails in silence: a session without a slot is read from its
 * files.
 */
#include "session/board_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"

#define ALLOCATE_AT ((off_t)1 << 40) /* the lock for taking a slot */
#define WAIT_TRIES  50

struct writer {
	char *dir; /* the session's */
	int fd;
	int index;
	struct board_slot slot; /* what is written there */
};

/* The one that this process holds. */
static struct writer held = {.fd = -1};

static bool byte_lock(int fd, off_t at, int cmd, short type)
{
	struct flock fl = {
	    .l_type = type, .l_whence = SEEK_SET, .l_start = at, .l_len = 1};

	return fcntl(fd, cmd, &fl) == 0 &&
	       (cmd != F_OFD_GETLK || fl.l_type == F_UNLCK);
}

/*
 * A slot is free where its session has no directory any more. One that was
 * damaged is its holder's.
 */
static bool is_free(int fd, int i, const struct board_head *h, const char *dir)
{
	size_t root = (size_t)(board_id_of(dir) - dir);
	char *path;
	bool gone;

	if (!byte_lock(fd, i, F_OFD_GETLK, F_WRLCK))
		return false;
	if (h->magic != BOARD_MAGIC || !memchr(h->id, '\0', sizeof h->id))
		return true;
	path = mem_printf("%.*s%s", (int)root, dir, h->id);
	gone = access(path, F_OK) < 0 && errno == ENOENT;
	free(path);
	return gone;
}

static off_t offset(int index)
{
	return index * (off_t)BOARD_SLOT_SIZE;
}

/* Whole, for board_find() looks behind it only where the file goes on. */
static bool put_slot(const struct writer *w)
{
	return pwrite(w->fd, &w->slot, sizeof w->slot, offset(w->index)) ==
	       (ssize_t)sizeof w->slot;
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

static void take_slot(struct writer *w)
{
	const char *id = board_id_of(w->dir);

	/* Held for microseconds; who cannot have it does without. */
	for (int i = 0; i < WAIT_TRIES; i++) {
		if (!byte_lock(w->fd, ALLOCATE_AT, F_OFD_SETLK, F_WRLCK)) {
			poll(NULL, 0, 1);
			continue;
		}
		w->index = board_find(w->fd, id, -1);
		if (w->index < 0) {
			w->index = first_free(w->fd, w->dir);
			w->slot.h.magic = BOARD_MAGIC;
			snprintf(w->slot.h.id, sizeof w->slot.h.id, "%s", id);
			if (w->index >= 0 && !put_slot(w))
				w->index = -1;
		}
		byte_lock(w->fd, ALLOCATE_AT, F_OFD_SETLK, F_UNLCK);
		break;
	}
}

/* The session's slot; where there is none, one with w's slot in it. */
static bool find_slot(struct writer *w, bool allocate)
{
	w->fd = board_open_of(w->dir, O_RDWR | (allocate ? O_CREAT : 0));
	if (w->fd < 0)
		return false;
	w->index = board_find(w->fd, board_id_of(w->dir), w->index);
	if (w->index < 0 && allocate)
		take_slot(w);
	if (w->index >= 0)
		return true;
	file_reset(&w->fd);
	return false;
}

/* -- what stands there ------------------------------------------------------
 */

static bool commit(struct writer *w)
{
	bool done;

	/* So that equal slots have equal bytes. */
	memset((char *)&w->slot + board_used(&w->slot), 0,
	       sizeof w->slot - board_used(&w->slot));
	w->slot.h.sum = board_sum(&w->slot);
	done = put_slot(w);
	if (w != &held) {
		close(w->fd);
		free(w->dir);
	}
	return done;
}

static void identify(struct board_identity *out, const char *session_dir,
		     const char *name)
{
	char *path = file_join(session_dir, name);

	if (!board_identify(AT_FDCWD, path, out))
		*out = (struct board_identity){0};
	free(path);
}

static void fill_spec(struct board_slot *s, const char *session_dir,
		      const struct spec *from)
{
	struct board_head *h = &s->h;
	char said[BOARD_TEXT_SIZE];

	memcpy(said, s->text + h->spec_len, h->state_len);
	h->spec_created_at = from->created_at;
	identify(&h->spec_file, session_dir, "spec.json");
	h->spec_len = (uint32_t)board_pack_spec(
	    s->text, BOARD_TEXT_SIZE - h->state_len, from);
	if (h->spec_len == 0 || !from->repository_name)
		h->spec_file = (struct board_identity){0};
	memcpy(s->text + h->spec_len, said, h->state_len);
}

/* False where it does not fit. */
static bool fill_state(struct board_slot *s, const struct state *from)
{
#define PUT(m) s->h.m = from->m;
	BOARD_STATE(PUT)
#undef PUT
	s->h.state_len = (uint32_t)board_pack_state(
	    s->text + s->h.spec_len, BOARD_TEXT_SIZE - s->h.spec_len, from);
	return s->h.state_len > 0;
}

/* -- the one that is held -------------------------------------------------- */

static void hold(void)
{
	if (!find_slot(&held, true))
		return;
	if (byte_lock(held.fd, held.index, F_OFD_SETLK, F_WRLCK))
		return;
	file_reset(&held.fd);
}

void board_release(void)
{
	file_close(held.fd);
	free(held.dir);
	held = (struct writer){.fd = -1};
}

/* Where the board was deleted, all who live write into a new one. */
static bool is_held(void)
{
	struct stat st;

	if (!held.dir)
		return false;
	if (held.fd >= 0 && (fstat(held.fd, &st) < 0 || st.st_nlink == 0)) {
		file_reset(&held.fd);
	}
	if (held.fd < 0) {
		hold();
		if (held.fd >= 0)
			commit(&held);
	}
	return held.fd >= 0;
}

void board_hold(const char *session_dir, const struct spec *spec)
{
	struct board_head *h = &held.slot.h;

	held.dir = mem_strdup(session_dir);
	held.index = -1;
	h->magic = BOARD_MAGIC;
	snprintf(h->id, sizeof h->id, "%s", board_id_of(session_dir));
	fill_spec(&held.slot, session_dir, spec);
	is_held();
}

/* -- for writers ----------------------------------------------------------- */

static struct writer *begin(struct writer *w, const char *session_dir,
			    bool allocate)
{
	struct board_slot *s = &w->slot;

	if (held.dir && strcmp(held.dir, session_dir) == 0)
		return is_held() ? &held : NULL;
	*w = (struct writer){.dir = mem_strdup(session_dir), .index = -1};
	if (!find_slot(w, allocate))
		goto fail;
	if (pread(w->fd, s, sizeof *s, offset(w->index)) != sizeof *s) {
		close(w->fd);
		goto fail;
	}
	/* What cannot be believed is not made believable. */
	if (s->h.sum != board_sum(s)) {
		s->h.spec_file = s->h.state_file = (struct board_identity){0};
		s->h.spec_len = s->h.state_len = 0;
	}
	return w;
fail:
	free(w->dir);
	return NULL;
}

void board_put_spec(const char *session_dir, const struct spec *from)
{
	struct writer own, *w = begin(&own, session_dir, true);

	if (!w)
		return;
	fill_spec(&w->slot, session_dir, from);
	commit(w);
}

void board_put_state(const char *session_dir, struct state *from)
{
	struct writer own, *w = begin(&own, session_dir, false);

	from->slot = w ? w->index : -1;
	if (!w)
		return;
	identify(&w->slot.h.state_file, session_dir, "state.json");
	if (!fill_state(&w->slot, from))
		w->slot.h.state_file = (struct board_identity){0};
	commit(w);
}

bool board_show(struct state *s)
{
	struct board_slot now, *was = &held.slot;

	if (!is_held() || !was->h.state_file.ino)
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
	return commit(&held);
}
