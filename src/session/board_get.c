/*
 * board_get.c - the board as a reader sees it: slots sorted by id, each
 * believed only while the files are the ones that it was filled from.
 */
#include "session/board_internal.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"

static bool same(const struct board_identity *a, const struct board_identity *b)
{
	return a->ino == b->ino && a->size == b->size &&
	       a->mtime_ns == b->mtime_ns && a->ctime_ns == b->ctime_ns;
}

/* The id is a copy: slots may change while they are sorted, and a qsort()
 * whose order changes under it may read outside of its array. */
struct entry {
	char id[BOARD_ID_SIZE];
	const struct board_slot *slot;
	size_t index;
};

struct board {
	int fd, sessions_fd;
	struct board_slot *slots; /* mapped */
	size_t bytes, n;
	struct entry *by_id;
};

static int compare(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	return strncmp(x->id, y->id, sizeof x->id);
}

struct board *board_open(const char *sessions_dir)
{
	char *path = board_path(sessions_dir);
	struct board *b = mem_alloc(sizeof *b);
	struct stat st;

	b->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	b->sessions_fd = open(sessions_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	free(path);
	if (b->fd < 0 || b->sessions_fd < 0 || fstat(b->fd, &st) < 0 ||
	    !S_ISREG(st.st_mode) || st.st_size < (off_t)sizeof *b->slots)
		goto none;
	b->n = (size_t)st.st_size / sizeof *b->slots;
	if (b->n > BOARD_SLOTS_MAX)
		b->n = BOARD_SLOTS_MAX;
	b->bytes = b->n * sizeof *b->slots;
	b->slots = mmap(NULL, b->bytes, PROT_READ, MAP_SHARED | MAP_POPULATE,
			b->fd, 0);
	if (b->slots == MAP_FAILED) {
		b->slots = NULL;
		goto none;
	}
	b->by_id = mem_alloc(b->n * sizeof *b->by_id);
	for (size_t i = 0; i < b->n; i++) {
		struct entry *e = &b->by_id[i];

		memcpy(e->id, b->slots[i].id, sizeof e->id);
		e->slot = &b->slots[i];
		e->index = i;
	}
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

/*
 * A copy that no writer was at work on, of files that are still the same.
 * Those of a living supervisor are: nobody else writes them, and it fills
 * its slot each time that it has (two looks at files saved, of three).
 */
static bool copy_valid(const struct board *b, const struct board_slot *from,
		       const char *id, bool alive, struct board_slot *s)
{
	uint32_t before = __atomic_load_n(&from->seq, __ATOMIC_ACQUIRE);
	struct board_identity spec, state;
	char path[64];

	memcpy(s, from, sizeof *s);
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	if ((before & 1) ||
	    before != __atomic_load_n(&from->seq, __ATOMIC_RELAXED) ||
	    s->magic != BOARD_MAGIC || s->phase < 0 ||
	    s->phase >= PHASE_COUNT || s->activity < 0 ||
	    s->activity >= ACTIVITY_COUNT)
		return false;
	if (alive && s->spec_file.ino && s->state_file.ino)
		return true;
	snprintf(path, sizeof path, "%.32s/spec.json", id);
	if (!board_identify(b->sessions_fd, path, &spec))
		return false;
	snprintf(path, sizeof path, "%.32s/state.json", id);
	return board_identify(b->sessions_fd, path, &state) &&
	       same(&spec, &s->spec_file) && same(&state, &s->state_file);
}

static char *get(const char *from, size_t size)
{
	return from[0] ? mem_strndup(from, size) : NULL;
}

#define GET(to, s, member) ((to)->member = get((s)->member, sizeof(s)->member))

static bool is_held(const struct board *b, size_t index)
{
	struct flock fl = {.l_type = F_WRLCK,
			   .l_whence = SEEK_SET,
			   .l_start = (off_t)index,
			   .l_len = 1};

	return fcntl(b->fd, F_OFD_GETLK, &fl) == 0 && fl.l_type != F_UNLCK;
}

static struct entry *find(const struct board *b, const char *id)
{
	struct entry key = {0};

	snprintf(key.id, sizeof key.id, "%s", id);
	return bsearch(&key, b->by_id, b->n, sizeof *b->by_id, compare);
}

bool board_is_held(const char *session_dir)
{
	const char *slash = strrchr(session_dir, '/');
	char *root = mem_strndup(session_dir, (size_t)(slash - session_dir));
	struct board *b = board_open(root);
	const struct entry *e = b ? find(b, slash + 1) : NULL;
	bool held = e && is_held(b, e->index);

	board_close(b);
	free(root);
	return held;
}

bool board_get(struct board *b, const char *id, struct spec *spec,
	       struct state *state, bool *alive)
{
	struct board_slot s = {0};
	const struct entry *e = find(b, id);

	if (!e)
		return false;
	*alive = is_held(b, e->index);
	if (!copy_valid(b, e->slot, id, *alive, &s))
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
