/* session_find.c - finds the session that a user means. */
#include "session/session.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/mem.h"
#include "base/nearest.h"

#define NAMES_MAX 8 /* in a hint */

enum session_fit session_match(const struct spec *spec, const char *what,
			       const char *here)
{
	const char *slash = strrchr(what, '/');
	size_t len = strlen(what);

	if (slash) {
		size_t n = (size_t)(slash - what);

		return spec->repository_name &&
			       strlen(spec->repository_name) == n &&
			       strncmp(spec->repository_name, what, n) == 0 &&
			       strcmp(spec->name, slash + 1) == 0
			   ? FIT_HERE
			   : FIT_NONE;
	}
	if (strcmp(spec->id, what) == 0)
		return FIT_WHOLE_ID;
	if (strcmp(spec->name, what) == 0)
		return here && spec->repository &&
			       strcmp(here, spec->repository) == 0
			   ? FIT_HERE
			   : FIT_ELSEWHERE;
	if (len >= 6 && strncmp(spec->id, what, len) == 0)
		return FIT_ID;
	return FIT_NONE;
}

/* Returns its name as it can be given here; to be freed. */
static char *format_name(const struct session *s, const char *here)
{
	if (session_is_here(s, here) || !s->spec.repository_name)
		return mem_strdup(s->spec.name);
	return mem_printf("%s/%s", s->spec.repository_name, s->spec.name);
}

/* Sets a hint with the names of this repository's sessions, then of others if
 * all is set. */
static void set_names_hint(struct err *err, const struct session_list *l,
			   const char *here, bool all)
{
	_buf_ struct buf names = {0};
	size_t n = 0;

	for (int others = 0; others <= (int)all; others++) {
		for (size_t i = 0; i < l->n; i++) {
			_free_ char *name = NULL;

			if (session_is_here(&l->v[i], here) == (bool)others ||
			    ++n > NAMES_MAX)
				continue;
			name = format_name(&l->v[i], here);
			buf_addf(&names, "%s%s", n > 1 ? ", " : "", name);
		}
	}
	if (n)
		err_hint(err, "there %s: %s%s", n == 1 ? "is" : "are",
			 names.data, n > NAMES_MAX ? ", …" : "");
	else
		err_hint(err, "there are no sessions yet; "
			      "`afw new NAME` makes one");
}

/* Returns the session with the most similar name, one of this repository first;
 * or NULL. */
static const struct session *find_nearest(const struct session_list *l,
					  const char *what, const char *here)
{
	const char *slash = strrchr(what, '/');
	const char **names = mem_alloc((l->n + 1) * sizeof *names);
	const struct session *found = NULL;

	for (int others = 0; others < 2 && !found; others++) {
		const char *best;
		size_t n = 0;

		for (size_t i = 0; i < l->n; i++)
			if (session_is_here(&l->v[i], here) != (bool)others)
				names[n++] = l->v[i].spec.name;
		names[n] = NULL;
		best = nearest_of(slash ? slash + 1 : what, names);
		for (size_t i = 0; best && i < l->n; i++)
			if (l->v[i].spec.name == best)
				found = &l->v[i];
	}
	free(names);
	return found;
}

static int err_unknown(const struct session_list *l, const char *what,
		       const char *here, struct err *err)
{
	const struct session *near = find_nearest(l, what, here);
	_free_ char *name = near ? format_name(near, here) : NULL;

	err_set(err, ERR_NO_SESSION, "no session '%.80s'", what);
	if (name)
		err_hint(err, "did you mean %s?", name);
	else
		set_names_hint(err, l, here, true);
	return -1;
}

/* Returns the index of the session whose worktree this is, the innermost; l->n
 * if there is none, or several work in it. */
static size_t find_by_directory(const struct session_list *l)
{
	_free_ char *cwd = realpath(".", NULL);
	size_t at = l->n, most = 0;

	for (size_t i = 0; cwd && i < l->n; i++) {
		_free_ char *common = spec_common_directory(&l->v[i].spec);
		const char *worktree = common ? common : l->v[i].spec.worktree;
		size_t len = worktree ? strlen(worktree) : 0;

		if (len < most || !len || !file_is_below(cwd, worktree))
			continue;
		at = len == most ? l->n : i;
		most = len;
	}
	return at;
}

/* Without a name: finds the session of this worktree, else the only one of this
 * repository, else the only one of all. */
static int find_only(const struct session_list *l, const char *here, size_t *at,
		     struct err *err)
{
	size_t n[2] = {0}, found[2] = {0};
	bool all;

	*at = find_by_directory(l);
	if (*at < l->n)
		return 0;
	for (size_t i = 0; i < l->n; i++) {
		int elsewhere = !session_is_here(&l->v[i], here);

		found[elsewhere] = i;
		n[elsewhere]++;
	}
	all = n[0] == 0;
	*at = found[all];
	if (n[all] == 1)
		return 0;
	if (n[all] == 0)
		err_set(err, ERR_NO_SESSION, "there is no session");
	else
		err_set(err, ERR_USAGE, "which session? %s %zu",
			all ? "There are" : "This repository has", n[all]);
	set_names_hint(err, l, here, all);
	return -1;
}

/* Lists them all, with the start of their ids: two repositories may have the
 * same name. */
static int err_ambiguous(const struct session_list *l, const char *what,
			 const char *here, enum session_fit fit,
			 struct err *err)
{
	_buf_ struct buf text = {0};
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++) {
		const struct spec *s = &l->v[i].spec;
		_free_ char *name = NULL;

		if (session_match(s, what, here) != fit || ++n > NAMES_MAX)
			continue;
		name = format_name(&l->v[i], NULL);
		buf_addf(&text, "%s%s (%.8s)", n > 1 ? ", " : "", name, s->id);
	}
	err_set(err, ERR_CONFLICT, "'%.80s' names %zu sessions: %s%s", what, n,
		text.data, n > NAMES_MAX ? ", …" : "");
	return err_hint(err, "use repository/NAME or the id in parentheses");
}

static int find_in_list(const struct session_list *l, const char *what,
			const char *here, size_t *at, struct err *err)
{
	enum session_fit best = FIT_NONE;
	size_t count = 0;

	for (size_t i = 0; i < l->n; i++) {
		enum session_fit f = session_match(&l->v[i].spec, what, here);

		if (f == FIT_NONE || f < best)
			continue;
		count = f == best ? count + 1 : 1;
		best = f;
		*at = i;
	}
	if (count == 1)
		return 0;
	if (count == 0)
		return err_unknown(l, what, here, err);
	return err_ambiguous(l, what, here, best, err);
}

int session_names_load(struct session_names *n, struct err *err)
{
	n->here = session_repository_here();
	return session_list_load_board(&n->list, err);
}

void session_names_finish(struct session_names *n)
{
	session_list_finish(&n->list);
	free(n->here);
}

int session_names_find(const struct session_names *n, struct session *s,
		       const char *what, struct err *err)
{
	size_t at = 0;

	if ((what ? find_in_list(&n->list, what, n->here, &at, err)
		  : find_only(&n->list, n->here, &at, err)) < 0 ||
	    session_load(s, n->list.v[at].spec.id, err) < 0)
		return -1;
	if (!session_was_removed(s))
		return 0;
	session_finish(s);
	return err_set(err, ERR_NO_SESSION,
		       "session '%s': another afw has removed it",
		       n->list.v[at].spec.name);
}

int session_find(struct session *s, const char *what, struct err *err)
{
	_session_names_ struct session_names n = {0};

	if (session_names_load(&n, err) < 0)
		return -1;
	return session_names_find(&n, s, what, err);
}

int session_name_free(const char *repository, const char *name, const char *id,
		      struct err *err)
{
	const struct session *other;
	_session_list_ struct session_list l = {0};

	if (session_list_load_board(&l, err) < 0)
		return -1;
	other = session_list_named(&l, repository, name);
	if (!other || strcmp(other->spec.id, id) == 0)
		return 0;
	err_set(err, ERR_CONFLICT,
		"this repository has a session of that name (%s)",
		session_status_word(other));
	return err_hint(err, "`afw rename %s OTHER` gives that one another",
			name);
}
