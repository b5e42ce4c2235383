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
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"

#define ALLOCATE_AT ((off_t)1 << 40) /* the lock for taking a slot */
#define WAIT_TRIES  50

char *board_path(const char *sessions_dir)
{
	return mem_printf("%s.board", sessions_dir);
}

bool board_identify(int dirfd, const char *path, struct board_identity *out)
{
	struct stat st;

	if (fstatat(dirfd, path, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return false;
	*out = (struct board_identity){
	    .ino = (int64_t)st.st_ino,
	    .size = st.st_size,
	    .mtime_ns =
		(int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec,
	    .ctime_ns =
		(int64_t)st.st_ctim.tv_sec * 1000000000 + st.st_ctim.tv_nsec,
	};
	return true;
}

static const char *id_of(const char *session_dir)
{
	const char *slash = strrchr(session_dir, '/');

	return slash ? slash + 1 : session_dir;
}

struct writer {
	int fd;
	off_t index;
	struct board_slot slot;
};

uint64_t board_sum(const struct board_slot *s)
{
	const char *p = (const char *)s;
	uint64_t sum = UINT64_C(0xcbf29ce484222325), word;

	for (size_t at = sizeof s->sum; at < sizeof *s; at += sizeof word) {
		memcpy(&word, p + at, sizeof word);
		sum = (sum ^ word) * UINT64_C(0x100000001b3);
		sum ^= sum >> 32;
	}
	return sum;
}

static bool byte_lock(int fd, off_t at, int cmd, short type)
{
	struct flock fl = {
	    .l_type = type, .l_whence = SEEK_SET, .l_start = at, .l_len = 1};

	return fcntl(fd, cmd, &fl) == 0;
}

/* A slot is free where its session has no directory any more. */
static bool is_free(const char *root, const struct board_slot *s)
{
	char *dir;
	bool gone;

	if (s->magic != BOARD_MAGIC || !memchr(s->id, '\0', sizeof s->id))
		return true;
	dir = file_join(root, s->id);
	gone = access(dir, F_OK) < 0 && errno == ENOENT;
	free(dir);
	return gone;
}

static bool read_head(int fd, off_t index, struct board_slot *s)
{
	ssize_t n = pread(fd, s, offsetof(struct board_slot, spec_file),
			  index * (off_t)sizeof *s);

	return n == (ssize_t)offsetof(struct board_slot, spec_file);
}

static bool is_of(const struct board_slot *s, const char *id)
{
	return s->magic == BOARD_MAGIC && strncmp(s->id, id, sizeof s->id) == 0;
}

/*
 * The slot with id, or -1. Where unused is given: *unused is one that may be
 * taken, or the end.
 */
static off_t find_slot(int fd, const char *root, const char *id, off_t *unused)
{
	/* A process writes one session's slot all its life. */
	static off_t last;
	struct board_slot s;
	off_t i;

	if (read_head(fd, last, &s) && is_of(&s, id))
		return last;
	if (unused)
		*unused = -1;
	for (i = 0; i < BOARD_SLOTS_MAX && read_head(fd, i, &s); i++) {
		if (is_of(&s, id)) {
			last = i;
			return i;
		}
		if (unused && *unused < 0 && is_free(root, &s))
			*unused = i;
	}
	if (!unused)
		return -1;
	if (*unused < 0 && i < BOARD_SLOTS_MAX)
		*unused = i;
	return -1;
}

static off_t take_slot(int fd, const char *root, const char *id)
{
	struct board_slot s = {.magic = BOARD_MAGIC};
	off_t index = -1, unused;

	/* Held for microseconds; who cannot have it does without. */
	for (int i = 0; i < WAIT_TRIES; i++) {
		if (!byte_lock(fd, ALLOCATE_AT, F_OFD_SETLK, F_WRLCK)) {
			poll(NULL, 0, 1);
			continue;
		}
		index = find_slot(fd, root, id, &unused);
		if (index < 0 && unused >= 0) {
			snprintf(s.id, sizeof s.id, "%s", id);
			if (pwrite(fd, &s, sizeof s,
				   unused * (off_t)sizeof s) == sizeof s)
				index = unused;
		}
		byte_lock(fd, ALLOCATE_AT, F_OFD_SETLK, F_UNLCK);
		break;
	}
	return index;
}

static bool writer_open(struct writer *w, const char *session_dir,
			bool allocate)
{
	char *root = mem_strndup(
	    session_dir, (size_t)(id_of(session_dir) - session_dir - 1));
	char *path = board_path(root);

	w->fd = -1;
	w->index = -1;
	/* No reader looks at what has no session's name. */
	if (strlen(id_of(session_dir)) == SPEC_ID_LEN)
		w->fd = file_open(AT_FDCWD, path,
				  O_RDWR | (allocate ? O_CREAT : 0), NULL);
	if (w->fd >= 0)
		w->index = find_slot(w->fd, root, id_of(session_dir), NULL);
	if (w->fd >= 0 && w->index < 0 && allocate)
		w->index = take_slot(w->fd, root, id_of(session_dir));
	free(path);
	free(root);
	if (w->index >= 0)
		return true;
	if (w->fd >= 0)
		close(w->fd);
	return false;
}

/* The slot as it is, in w->slot. */
static bool begin(struct writer *w, const char *session_dir, bool allocate)
{
	struct board_slot *s = &w->slot;

	if (!writer_open(w, session_dir, allocate))
		return false;
	if (pread(w->fd, s, sizeof *s, w->index * (off_t)sizeof *s) !=
	    sizeof *s) {
		close(w->fd);
		return false;
	}
	/* What cannot be believed is not made believable. */
	if (s->sum != board_sum(s))
		s->spec_file = s->state_file = (struct board_identity){0};
	return true;
}

static void commit(struct writer *w)
{
	struct board_slot *s = &w->slot;
	ssize_t n;

	s->sum = board_sum(s);
	n = pwrite(w->fd, s, sizeof *s, w->index * (off_t)sizeof *s);
	(void)n; /* then it is read from its files */
	close(w->fd);
}

/* False where it does not fit: then the files have to be read. */
static bool put(char *to, size_t size, const char *text)
{
	size_t len = text ? strlen(text) : 0;

	if (len >= size)
		return false;
	memcpy(to, text ? text : "", len + 1);
	return true;
}

#define PUT(s, from, member) put((s)->member, sizeof(s)->member, (from)->member)

void board_put_spec(const char *session_dir, const struct spec *from)
{
	struct writer w;
	struct board_slot *s = &w.slot;
	bool fits;

	if (!begin(&w, session_dir, true))
		return;
	fits = PUT(s, from, name) && PUT(s, from, repository) &&
	       PUT(s, from, repository_name) && PUT(s, from, worktree) &&
	       PUT(s, from, branch) && PUT(s, from, base) &&
	       PUT(s, from, harness);
	s->created_at = from->created_at;
	if (!fits || !from->repository_name)
		s->spec_file = (struct board_identity){0};
	else {
		char *path = file_join(session_dir, "spec.json");

		if (!board_identify(AT_FDCWD, path, &s->spec_file))
			s->spec_file = (struct board_identity){0};
		free(path);
	}
	commit(&w);
}

void board_put_state(const char *session_dir, const struct state *from)
{
	struct writer w;
	struct board_slot *s = &w.slot;
	char *path;
	bool fits;

	if (!begin(&w, session_dir, false))
		return;
	fits = PUT(s, from, detail) && PUT(s, from, last_line) &&
	       PUT(s, from, error_reason) && PUT(s, from, title) &&
	       PUT(s, from, activity_source);
	s->rev = from->rev;
	s->activity_since = from->activity_since;
	s->started_at = from->started_at;
	s->ended_at = from->ended_at;
	s->updated_at = from->updated_at;
	s->queued = from->queued;
	s->counts = from->counts;
	s->phase = (int32_t)from->phase;
	s->activity = (int32_t)from->activity;
	s->pid = from->pid;
	s->supervisor_pid = from->supervisor_pid;
	s->exit_code = from->exit_code;
	s->signal = from->signal;
	path = file_join(session_dir, "state.json");
	if (!fits || !board_identify(AT_FDCWD, path, &s->state_file))
		s->state_file = (struct board_identity){0};
	free(path);
	commit(&w);
}

int board_hold(const char *session_dir)
{
	struct writer w;

	if (!writer_open(&w, session_dir, false))
		return -1;
	if (byte_lock(w.fd, w.index, F_OFD_SETLK, F_WRLCK))
		return w.fd;
	close(w.fd);
	return -1;
}
