/* session_list.c - all sessions, from their files or from the board. */
#include "session/session.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/random.h"
#include "session/disk/board.h"
#include "session/disk/dirs.h"

static int compare_age(const void *a, const void *b)
{
	const struct session *x = a, *y = b;

	if (x->spec.created_at != y->spec.created_at)
		return x->spec.created_at < y->spec.created_at ? -1 : 1;
	return strcmp(x->spec.id, y->spec.id);
}

/* Reads a running session from the board; if it is not there, from its
 * files. */
static void read_session(struct session *s, struct board *board, const char *id,
			 char *dir)
{
	if (board) {
		*s = (struct session){.dir = dir};
		state_init(&s->state);
		s->alive = board_get(board, id, &s->spec, &s->state);
		if (s->alive)
			return;
		spec_finish(&s->spec);
		state_finish(&s->state);
	}
	session_read(s, id, dir);
}

static int load_list(struct session_list *l, bool glance, struct err *err)
{
	_free_ char *root = dirs_sessions(err);
	_dir_ DIR *d = NULL;
	struct board *board;
	struct stat st;
	const char *name;
	size_t room = 1;
	int rc = 0;

	*l = (struct session_list){0};
	if (!root)
		return -1;
	d = file_list(AT_FDCWD, root);
	if (!d && errno == ENOENT)
		return 0;
	if (!d)
		return err_errno(err, "list sessions in %s", root);
	/* Root with that user's HOME: the locks cannot be opened, so running
	 * sessions would read as failed. */
	if (fstat(dirfd(d), &st) == 0 && st.st_uid != geteuid()) {
		err_set(err, ERR_FAILED,
			"list sessions in %s: they belong to another user (uid "
			"%u)",
			root, st.st_uid);
		return err_hint(err, "run afw as that user, or set HOME");
	}
	board = glance ? board_open(root) : NULL;
	/* Room for all that run: to copy a growing list costs more. */
	while (room < board_size(board))
		room *= 2;
	l->v = mem_alloc(room * sizeof *l->v);
	while ((name = file_list_next(d))) {
		if (!random_is_hex(name, SPEC_ID_LEN))
			continue;
		if (l->n >= room)
			l->v = mem_grow(l->v, l->n, sizeof *l->v);
		read_session(&l->v[l->n++], board, name, file_join(root, name));
		if (session_was_removed(&l->v[l->n - 1]))
			session_finish(&l->v[--l->n]);
	}
	if (errno)
		rc = err_errno(err, "list sessions in %s", root);
	board_close(board);
	if (l->n)
		qsort(l->v, l->n, sizeof *l->v, compare_age);
	return rc;
}

int session_list_load(struct session_list *l, struct err *err)
{
	return load_list(l, false, err);
}

int session_list_load_board(struct session_list *l, struct err *err)
{
	return load_list(l, true, err);
}

void session_list_filter(struct session_list *l,
			 bool (*meant)(const struct session *s,
				       const void *ctx),
			 const void *ctx)
{
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++) {
		if (meant(&l->v[i], ctx))
			l->v[n++] = l->v[i];
		else
			session_finish(&l->v[i]);
	}
	l->n = n;
}

void session_list_finish(struct session_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		session_finish(&l->v[i]);
	free(l->v);
	*l = (struct session_list){0};
}

const struct session *session_list_named(const struct session_list *l,
					 const char *repository,
					 const char *name)
{
	for (size_t i = 0; i < l->n; i++)
		if (!l->v[i].broken && session_is_here(&l->v[i], repository) &&
		    strcmp(l->v[i].spec.name, name) == 0)
			return &l->v[i];
	return NULL;
}

const struct session *session_list_at(const struct session_list *l,
				      const char *worktree, const char *id)
{
	const struct session *found = NULL;

	for (size_t i = 0; i < l->n; i++) {
		const struct session *s = &l->v[i];

		if (!s->host && s->spec.worktree &&
		    strcmp(s->spec.worktree, worktree) == 0 &&
		    strcmp(s->spec.id, id) != 0 && (!found || s->alive))
			found = s;
	}
	return found;
}
