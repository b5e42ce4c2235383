/*
 * board.c - slots in a shared mapping.
 *
 * One writer a slot (the holder of the session's lock), any number of
 * readers: a sequence number that is odd while a slot is written, and that a
 * reader compares before and after copying. A writer that dies in between
 * leaves it odd, which sends readers to the files.
 */
#include "session/board.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"

#define BOARD_MAGIC  0x61667731u /* changes with struct slot */
#define SLOTS_MAX    4096
#define ALLOCATE_AT  ((off_t)1 << 40) /* the lock for taking a slot */
#define WAIT_TRIES   50

/* Which file a part of the slot was filled from. */
struct identity {
	int64_t ino, size, mtime_ns, ctime_ns;
};

struct slot {
	uint32_t magic;
	uint32_t seq;
	char id[40];
	struct identity spec_file, state_file;
	/* of the spec */
	char name[72], repository[256], repository_name[96], worktree[320],
	    branch[128], base[96], harness[40];
	int64_t created_at;
	/* of the state */
	int64_t rev, activity_since, started_at, ended_at, updated_at, queued;
	struct counts counts;
	int32_t phase, activity, pid, supervisor_pid, exit_code, signal;
	char detail[256], last_line[256], error_reason[320], title[256];
	char activity_source[16];
};

static char *board_path(const char *sessions_dir)
{
	return mem_printf("%s.board", sessions_dir);
}

static const char *id_of(const char *session_dir)
{
	const char *slash = strrchr(session_dir, '/');

	return slash ? slash + 1 : session_dir;
}

static bool identify(int dirfd, const char *path, struct identity *out)
{
	struct stat st;

	if (fstatat(dirfd, path, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return false;
	*out = (struct identity){
	    .ino = (int64_t)st.st_ino,
	    .size = st.st_size,
	    .mtime_ns =
		(int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec,
	    .ctime_ns =
		(int64_t)st.st_ctim.tv_sec * 1000000000 + st.st_ctim.tv_nsec,
	};
	return true;
}

static bool same(const struct identity *a, const struct identity *b)
{
	return a->ino == b->ino && a->size == b->size &&
	       a->mtime_ns == b->mtime_ns && a->ctime_ns == b->ctime_ns;
}

/* -- writing ---------------------------------------------------------------- */

struct writer {
	int fd;
	struct slot *slot; /* mapped */
	off_t index;
};

static struct slot *map_slot(int fd, off_t index)
{
	long page = sysconf(_SC_PAGESIZE);
	off_t at = index * (off_t)sizeof(struct slot), from = at - at % page;
	size_t len = (size_t)(at - from) + sizeof(struct slot);
	char *p = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED, fd, from);

	return p == MAP_FAILED ? NULL
			       : (struct slot *)(void *)(p + (at - from));
}

static void unmap_slot(struct slot *s, off_t index)
{
	long page = sysconf(_SC_PAGESIZE);
	off_t at = index * (off_t)sizeof *s, before = at % page;

	munmap((char *)s - before, (size_t)before + sizeof *s);
}

static bool byte_lock(int fd, off_t at, int cmd, short type)
{
	struct flock fl = {.l_type = type,
			   .l_whence = SEEK_SET,
			   .l_start = at,
			   .l_len = 1};

	return fcntl(fd, cmd, &fl) == 0;
}

/* A slot is free where its session has no directory any more. */
static bool is_free(const char *root, const struct slot *s)
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

static bool read_head(int fd, off_t index, struct slot *s)
{
	ssize_t n = pread(fd, s, offsetof(struct slot, spec_file),
			  index * (off_t)sizeof *s);

	return n == (ssize_t)offsetof(struct slot, spec_file);
}

static bool is_of(const struct slot *s, const char *id)
{
	return s->magic == BOARD_MAGIC && strncmp(s->id, id, sizeof s->id) == 0;
}

/*
 * The slot with id, or -1. Where unused is given: *unused is one that may be
 * taken, or the end.
 */
static off_t find_slot(int fd, const char *root, const char *id,
		       off_t *unused)
{
	/* A process writes one session's slot all its life. */
	static off_t last;
	struct slot s;
	off_t i;

	if (read_head(fd, last, &s) && is_of(&s, id))
		return last;
	if (unused)
		*unused = -1;
	for (i = 0; i < SLOTS_MAX && read_head(fd, i, &s); i++) {
		if (is_of(&s, id)) {
			last = i;
			return i;
		}
		if (unused && *unused < 0 && is_free(root, &s))
			*unused = i;
	}
	if (!unused)
		return -1;
	if (*unused < 0 && i < SLOTS_MAX)
		*unused = i;
	return -1;
}

static off_t take_slot(int fd, const char *root, const char *id)
{
	struct slot s = {.magic = BOARD_MAGIC, .seq = 1};
	off_t index = -1, unused;

	/* Held for microseconds; who cannot have it does without. */
	for (int i = 0; i < WAIT_TRIES; i++) {
		if (!byte_lock(fd, ALLOCATE_AT, F_OFD_SETLK, F_WRLCK)) {
			usleep(200);
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
	char *root = mem_strndup(session_dir, (size_t)(id_of(session_dir) -
						       session_dir - 1));
	char *path = board_path(root);

	w->slot = NULL;
	w->fd = open(path,
		     O_RDWR | O_CLOEXEC | O_NOFOLLOW |
			 (allocate ? O_CREAT : 0),
		     0600);
	if (w->fd >= 0) {
		w->index = find_slot(w->fd, root, id_of(session_dir), NULL);
		if (w->index < 0 && allocate)
			w->index =
			    take_slot(w->fd, root, id_of(session_dir));
		if (w->index >= 0)
			w->slot = map_slot(w->fd, w->index);
		if (!w->slot)
			close(w->fd);
	}
	free(path);
	free(root);
	return w->slot != NULL;
}

static void writer_close(struct writer *w)
{
	unmap_slot(w->slot, w->index);
	close(w->fd);
}

static void begin(struct slot *s)
{
	__atomic_store_n(&s->seq, s->seq | 1, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

static void commit(struct slot *s)
{
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	__atomic_store_n(&s->seq, s->seq + 1, __ATOMIC_RELEASE);
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

#define PUT(s, from, member) put((s)->member, sizeof (s)->member, (from)->member)

void board_put_spec(const char *session_dir, const struct spec *from)
{
	struct writer w;
	struct slot *s;
	bool fits;

	if (!writer_open(&w, session_dir, true))
		return;
	s = w.slot;
	begin(s);
	fits = PUT(s, from, name) && PUT(s, from, repository) &&
	       PUT(s, from, repository_name) && PUT(s, from, worktree) &&
	       PUT(s, from, branch) && PUT(s, from, base) &&
	       PUT(s, from, harness);
	s->created_at = from->created_at;
	if (!fits || !from->repository_name)
		s->spec_file = (struct identity){0};
	else {
		char *path = file_join(session_dir, "spec.json");

		if (!identify(AT_FDCWD, path, &s->spec_file))
			s->spec_file = (struct identity){0};
		free(path);
	}
	commit(s);
	writer_close(&w);
}

void board_put_state(const char *session_dir, const struct state *from)
{
	struct writer w;
	struct slot *s;
	char *path;
	bool fits;

	if (!writer_open(&w, session_dir, false))
		return;
	s = w.slot;
	begin(s);
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
	if (!fits || !identify(AT_FDCWD, path, &s->state_file))
		s->state_file = (struct identity){0};
	free(path);
	commit(s);
	writer_close(&w);
}

int board_hold(const char *session_dir)
{
	struct writer w;

	if (!writer_open(&w, session_dir, false))
		return -1;
	unmap_slot(w.slot, w.index);
	if (byte_lock(w.fd, w.index, F_OFD_SETLK, F_WRLCK))
		return w.fd;
	close(w.fd);
	return -1;
}

/* -- reading ------------------------------------------------------------- */

struct entry {
	const struct slot *slot;
	size_t index;
};

struct board {
	int fd, sessions_fd;
	struct slot *slots; /* mapped */
	size_t bytes, n;
	struct entry *by_id;
};

static int compare(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	return strncmp(x->slot->id, y->slot->id, sizeof x->slot->id);
}

struct board *board_open(const char *sessions_dir)
{
	char *path = board_path(sessions_dir);
	struct board *b = mem_alloc(sizeof *b);
	struct stat st;

	b->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	b->sessions_fd =
	    open(sessions_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	free(path);
	if (b->fd < 0 || b->sessions_fd < 0 || fstat(b->fd, &st) < 0 ||
	    !S_ISREG(st.st_mode) || st.st_size < (off_t)sizeof *b->slots)
		goto none;
	b->n = (size_t)st.st_size / sizeof *b->slots;
	if (b->n > SLOTS_MAX)
		b->n = SLOTS_MAX;
	b->bytes = b->n * sizeof *b->slots;
	b->slots = mmap(NULL, b->bytes, PROT_READ, MAP_SHARED | MAP_POPULATE,
			b->fd, 0);
	if (b->slots == MAP_FAILED) {
		b->slots = NULL;
		goto none;
	}
	b->by_id = mem_alloc(b->n * sizeof *b->by_id);
	for (size_t i = 0; i < b->n; i++)
		b->by_id[i] = (struct entry){&b->slots[i], i};
	qsort(b->by_id, b->n, sizeof *b->by_id, compare);
	return b;
none:
	board_close(b);
	return NULL;
}

void board_close(struct board *b)
{
	if (!b)
		return;
	if (b->slots)
		munmap(b->slots, b->bytes);
	if (b->fd >= 0)
		close(b->fd);
	if (b->sessions_fd >= 0)
		close(b->sessions_fd);
	free(b->by_id);
	free(b);
}

/* A copy that no writer was at work on, of files that are still the same. */
static bool copy_valid(const struct board *b, const struct slot *from,
		       const char *id, struct slot *s)
{
	uint32_t before = __atomic_load_n(&from->seq, __ATOMIC_ACQUIRE);
	struct identity spec, state;
	char path[64];

	memcpy(s, from, sizeof *s);
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	if ((before & 1) ||
	    before != __atomic_load_n(&from->seq, __ATOMIC_RELAXED) ||
	    s->magic != BOARD_MAGIC || s->phase < 0 ||
	    s->phase >= PHASE_COUNT || s->activity < 0 ||
	    s->activity >= ACTIVITY_COUNT)
		return false;
	snprintf(path, sizeof path, "%.32s/spec.json", id);
	if (!identify(b->sessions_fd, path, &spec))
		return false;
	snprintf(path, sizeof path, "%.32s/state.json", id);
	return identify(b->sessions_fd, path, &state) &&
	       same(&spec, &s->spec_file) && same(&state, &s->state_file);
}

static char *get(const char *from, size_t size)
{
	return from[0] ? mem_strndup(from, size) : NULL;
}

#define GET(to, s, member)                                                     \
	((to)->member = get((s)->member, sizeof (s)->member))

static bool is_held(const struct board *b, size_t index)
{
	struct flock fl = {.l_type = F_WRLCK,
			   .l_whence = SEEK_SET,
			   .l_start = (off_t)index,
			   .l_len = 1};

	return fcntl(b->fd, F_OFD_GETLK, &fl) == 0 && fl.l_type != F_UNLCK;
}

bool board_get(struct board *b, const char *id, struct spec *spec,
	       struct state *state, bool *alive)
{
	struct slot s = {0};
	struct entry key = {.slot = &s}, *e;

	snprintf(s.id, sizeof s.id, "%s", id);
	e = bsearch(&key, b->by_id, b->n, sizeof *b->by_id, compare);
	if (!e)
		return false;
	*alive = is_held(b, e->index);
	if (!copy_valid(b, e->slot, id, &s))
		return false;
	memcpy(spec->id, id, SPEC_ID_LEN + 1);
	GET(spec, &s, name);
	GET(spec, &s, repository);
	GET(spec, &s, repository_name);
	GET(spec, &s, worktree);
	GET(spec, &s, branch);
	GET(spec, &s, base);
	GET(spec, &s, harness);
	spec->created_at = s.created_at;
	state->rev = s.rev;
	state->phase = (enum phase)s.phase;
	state->activity = (enum activity)s.activity;
	state->activity_since = s.activity_since;
	state->created_at = s.created_at;
	state->started_at = s.started_at;
	state->ended_at = s.ended_at;
	state->updated_at = s.updated_at;
	state->queued = s.queued;
	state->counts = s.counts;
	state->pid = s.pid;
	state->supervisor_pid = s.supervisor_pid;
	state->exit_code = s.exit_code;
	state->signal = s.signal;
	GET(state, &s, detail);
	GET(state, &s, last_line);
	GET(state, &s, error_reason);
	GET(state, &s, title);
	GET(state, &s, activity_source);
	return spec->name != NULL;
}
