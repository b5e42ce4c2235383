/*
 * sessions.c - the dashboard's sessions.
 *
 * The list is kept without an order and small changes go into it one
 * session at a time; the order is a second array of indices. The selection
 * is an id, so that nothing that moves can make a key act on another
 * session than the one the user looked at.
 */
#include "tui/sessions.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "session/board.h"
#include "session/dirs.h"

void model_finish(struct model *m)
{
	session_list_finish(&m->list);
	free(m->shown);
	free(m->filter);
	strv_finish(&m->marked);
	*m = (struct model){0};
}

int model_load(struct model *m, bool glance, struct err *err)
{
	struct session_list now;
	int rc = glance ? session_list_glance(&now, err)
			: session_list_load(&now, err);

	if (rc < 0) {
		session_list_finish(&now);
		return -1;
	}
	session_list_finish(&m->list);
	m->list = now;
	model_arrange(m);
	return 0;
}

static struct session *find(const struct model *m, const char *id)
{
	for (size_t i = 0; i < m->list.n; i++)
		if (strcmp(m->list.v[i].spec.id, id) == 0)
			return &m->list.v[i];
	return NULL;
}

const struct session *model_by_id(const struct model *m, const char *id)
{
	return find(m, id);
}

/* Its directory is gone, or holds no spec.json yet. */
static bool is_there(const char *id)
{
	char *dir = dirs_session(id, NULL);
	char *spec = dir ? file_join(dir, "spec.json") : NULL;
	bool there = spec && access(spec, F_OK) == 0;

	free(dir);
	free(spec);
	return there;
}

enum model_change model_reload(struct model *m, const char *id)
{
	struct session now, *old = find(m, id);
	int urgency;

	if (!is_there(id) || session_load(&now, id, NULL) < 0) {
		if (!old)
			return MODEL_SAME;
		session_finish(old);
		*old = m->list.v[--m->list.n];
		/* The indices are stale until the caller arranges anew. */
		m->nshown = 0;
		return MODEL_SET;
	}
	if (!old) {
		m->list.v =
		    mem_realloc(m->list.v, (m->list.n + 1) * sizeof *m->list.v);
		m->list.v[m->list.n++] = now;
		return MODEL_SET;
	}
	urgency = session_urgency(old);
	session_finish(old);
	*old = now;
	return urgency == session_urgency(old) && !m->filter ? MODEL_SAME
							     : MODEL_REORDER;
}

enum model_change model_update(struct model *m)
{
	char *root = dirs_sessions(NULL);
	struct board *b = root ? board_open(root) : NULL;
	enum model_change change = MODEL_SAME;

	for (size_t i = 0; b && i < m->list.n; i++) {
		struct session *s = &m->list.v[i];
		int urgency = session_urgency(s);

		if (!s->broken && s->alive &&
		    board_renew(b, s->spec.id, &s->state) &&
		    (urgency != session_urgency(s) || m->filter))
			change = MODEL_REORDER;
	}
	board_close(b);
	free(root);
	return change;
}

static bool has(const char *text, const char *part)
{
	return text && strcasestr(text, part);
}

static bool passes(const struct model *m, const struct session *s)
{
	const char *f = m->filter;

	for (size_t i = 0; f && i < s->groups.n; i++)
		if (has(s->groups.v[i], f))
			return true;
	return !f || has(s->spec.name, f) || has(s->spec.harness, f) ||
	       has(s->spec.branch, f) || has(session_word(s), f) ||
	       has(s->spec.repository_name, f);
}

static const struct session *sorting; /* qsort has no context */

static int by_urgency(const void *a, const void *b)
{
	const struct session *x = &sorting[*(const size_t *)a];
	const struct session *y = &sorting[*(const size_t *)b];
	int ux = session_urgency(x), uy = session_urgency(y);

	if (ux != uy)
		return ux - uy;
	if (x->spec.created_at != y->spec.created_at)
		return x->spec.created_at < y->spec.created_at ? -1 : 1;
	return strcmp(x->spec.id, y->spec.id);
}

void model_count(struct model *m)
{
	size_t *const counts[SESSION_URGENCIES] = {
	    &m->waiting, &m->errors, &m->done, &m->working,
	    &m->other,	 &m->other,  &m->other};

	m->waiting = m->errors = m->done = m->working = m->other = 0;
	for (size_t i = 0; i < m->list.n; i++) {
		int urgency = session_urgency(&m->list.v[i]);
		bool runs = m->list.v[i].state.phase == PHASE_RUNNING;

		++*(urgency == SESSION_WORKS && !runs ? &m->other
						      : counts[urgency]);
	}
}

void model_filter(struct model *m, const char *text)
{
	char *copy = text && *text ? mem_strdup(text) : NULL;

	free(m->filter);
	m->filter = copy;
	model_arrange(m);
}

const struct session *model_shown(const struct model *m, size_t i)
{
	return i < m->nshown ? &m->list.v[m->shown[i]] : NULL;
}

const struct session *model_selected(const struct model *m)
{
	return model_shown(m, m->cursor);
}

static void select_at(struct model *m, size_t i)
{
	m->cursor = i;
	memcpy(m->selected, model_shown(m, i)->spec.id, sizeof m->selected);
}

void model_move(struct model *m, long delta)
{
	long to = (long)m->cursor + delta;

	if (!m->nshown)
		return;
	if (to < 0)
		to = 0;
	if (to >= (long)m->nshown)
		to = (long)m->nshown - 1;
	select_at(m, (size_t)to);
}

bool model_select(struct model *m, const char *id)
{
	for (size_t i = 0; i < m->nshown; i++) {
		if (strcmp(model_shown(m, i)->spec.id, id) == 0) {
			select_at(m, i);
			return true;
		}
	}
	return false;
}

static void drop_mark(struct model *m, const char *id)
{
	struct strv left = {0};

	for (size_t i = 0; i < m->marked.n; i++)
		if (strcmp(m->marked.v[i], id) != 0)
			strv_add(&left, m->marked.v[i]);
	strv_finish(&m->marked);
	m->marked = left;
}

void model_arrange(struct model *m)
{
	size_t was = m->selected[0] ? m->cursor : 0;

	m->shown = mem_realloc(m->shown, (m->list.n + 1) * sizeof *m->shown);
	m->nshown = 0;
	for (size_t i = 0; i < m->list.n; i++)
		if (passes(m, &m->list.v[i]))
			m->shown[m->nshown++] = i;
	sorting = m->list.v;
	if (m->nshown)
		qsort(m->shown, m->nshown, sizeof *m->shown, by_urgency);
	model_count(m);
	for (size_t i = m->marked.n; i-- > 0;)
		if (!find(m, m->marked.v[i]))
			drop_mark(m, m->marked.v[i]);
	m->cursor = 0;
	if (!model_select(m, m->selected) && m->nshown)
		select_at(m, was < m->nshown ? was : m->nshown - 1);
}

void model_mark(struct model *m, const char *id)
{
	if (strv_has(&m->marked, id))
		drop_mark(m, id);
	else
		strv_add(&m->marked, id);
}

void model_mark_shown(struct model *m)
{
	bool all = true;

	for (size_t i = 0; i < m->nshown; i++)
		all &= strv_has(&m->marked, model_shown(m, i)->spec.id);
	for (size_t i = 0; i < m->nshown; i++) {
		const char *id = model_shown(m, i)->spec.id;

		if (all == strv_has(&m->marked, id))
			model_mark(m, id);
	}
}

bool model_next_waiting(struct model *m)
{
	/* 0 waits, 1 is in error, 2 is done: session_urgency(). */
	for (int level = 0; level <= 2; level++) {
		for (size_t i = 1; i <= m->nshown; i++) {
			size_t at = (m->cursor + i) % m->nshown;

			if (session_urgency(model_shown(m, at)) != level)
				continue;
			select_at(m, at);
			return true;
		}
	}
	return false;
}

void model_detail(const struct session *s, struct buf *out)
{
	for (size_t i = 0; i < s->groups.n; i++)
		buf_addf(out, "%s%s", i ? ", " : "(", s->groups.v[i]);
	if (s->groups.n)
		buf_adds(out, ") ");
	if (s->state.queued > 0)
		buf_addf(out, "[%lld queued] ", (long long)s->state.queued);
	session_says(s, out);
}

int64_t model_since(const struct session *s)
{
	const struct state *st = &s->state;

	if (st->phase == PHASE_RUNNING && st->activity_since > 0)
		return st->activity_since;
	if (!phase_is_live(st->phase) && st->ended_at > 0)
		return st->ended_at;
	if (st->updated_at > 0)
		return st->updated_at;
	return s->spec.created_at;
}
