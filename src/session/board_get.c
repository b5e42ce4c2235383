/*
 * board_get.c - the board as a reader sees it: slots sorted by id, each
 * believed only while the files are the ones that it was filled from.
 */
#include "session/board_internal.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"

static bool same(const struct board_identity *a, const struct board_identity *b)
{
	return a->ino == b->ino && a->size == b->size &&
	       a->mtime_ns == b->mtime_ns && a->ctime_ns == b->ctime_ns;
}

struct board {
	int fd, sessions_fd;
	struct board_slot *slots; /* a copy, in the file's order */
	size_t n;
	struct board_slot **by_id;
};

static int compare(const void *a, const void *b)
{
	const struct board_slot *const *x = a, *const *y = b;

	return strncmp((*x)->id, (*y)->id, sizeof(*x)->id);
}

static bool read_slots(struct board *b)
{
	struct stat st;
	ssize_t n;

	if (fstat(b->fd, &st) < 0)
		return false;
	b->n = (size_t)st.st_size / sizeof *b->slots;
	if (b->n > BOARD_SLOTS_MAX)
		b->n = BOARD_SLOTS_MAX;
	b->slots = mem_alloc((b->n + 1) * sizeof *b->slots);
	n = pread(b->fd, b->slots, b->n * sizeof *b->slots, 0);
	if (n < (ssize_t)sizeof *b->slots)
		return false;
	b->n = (size_t)n / sizeof *b->slots;
	return true;
}

struct board *board_open(const char *sessions_dir)
{
	char *path = board_path(sessions_dir);
	struct board *b = mem_alloc(sizeof *b);

	b->fd = file_open(AT_FDCWD, path, O_RDONLY, NULL);
	b->sessions_fd = open(sessions_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	free(path);
	if (b->fd < 0 || b->sessions_fd < 0 || !read_slots(b)) {
		board_close(b);
		return NULL;
	}
	b->by_id = mem_alloc(b->n * sizeof *b->by_id);
	for (size_t i = 0; i < b->n; i++)
		b->by_id[i] = &b->slots[i];
	qsort(b->by_id, b->n, sizeof *b->by_id, compare);
	return b;
}

void board_close(struct board *b)
{
	if (!b)
		return;
	if (b->fd >= 0)
		close(b->fd);
	if (b->sessions_fd >= 0)
		close(b->sessions_fd);
	free(b->by_id);
	free(b->slots);
	free(b);
}

/*
 * Whole, and of files that are still the same. Those of a living supervisor
 * are: nobody else writes them, and it fills its slot each time that it has
 * (two looks at files saved, of three).
 */
static bool is_valid(const struct board *b, const struct board_slot *s,
		     const char *id, bool alive)
{
	struct board_identity spec, state;
	char path[64];

	if (s->magic != BOARD_MAGIC || s->sum != board_sum(s) || s->phase < 0 ||
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

static bool is_held(const struct board *b, const struct board_slot *s)
{
	struct flock fl = {.l_type = F_WRLCK,
			   .l_whence = SEEK_SET,
			   .l_start = s - b->slots,
			   .l_len = 1};

	return fcntl(b->fd, F_OFD_GETLK, &fl) == 0 && fl.l_type != F_UNLCK;
}

static const struct board_slot *find(const struct board *b, const char *id)
{
	struct board_slot key = {0}, *at = &key, **found;

	snprintf(key.id, sizeof key.id, "%s", id);
	found = bsearch(&at, b->by_id, b->n, sizeof *b->by_id, compare);
	return found ? *found : NULL;
}

bool board_is_held(const char *session_dir)
{
	const char *slash = strrchr(session_dir, '/');
	char *root = mem_strndup(session_dir, (size_t)(slash - session_dir));
	struct board *b = board_open(root);
	const struct board_slot *s = b ? find(b, slash + 1) : NULL;
	bool held = s && is_held(b, s);

	board_close(b);
	free(root);
	return held;
}

bool board_get(struct board *b, const char *id, struct spec *spec,
	       struct state *state, bool *alive)
{
	const struct board_slot *s = find(b, id);

	if (!s)
		return false;
	*alive = is_held(b, s);
	if (!is_valid(b, s, id, *alive))
		return false;
	memcpy(spec->id, id, SPEC_ID_LEN + 1);
	GET(spec, s, name);
	GET(spec, s, repository);
	GET(spec, s, repository_name);
	GET(spec, s, worktree);
	GET(spec, s, branch);
	GET(spec, s, base);
	GET(spec, s, harness);
	spec->created_at = s->created_at;
	state->rev = s->rev;
	state->phase = (enum phase)s->phase;
	state->activity = (enum activity)s->activity;
	state->activity_since = s->activity_since;
	state->created_at = s->created_at;
	state->started_at = s->started_at;
	state->ended_at = s->ended_at;
	state->updated_at = s->updated_at;
	state->queued = s->queued;
	state->counts = s->counts;
	state->pid = s->pid;
	state->supervisor_pid = s->supervisor_pid;
	state->exit_code = s->exit_code;
	state->signal = s->signal;
	GET(state, s, detail);
	GET(state, s, last_line);
	GET(state, s, error_reason);
	GET(state, s, title);
	GET(state, s, activity_source);
	return spec->name != NULL;
}
