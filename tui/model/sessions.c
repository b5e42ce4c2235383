/*
 * sessions.c - the dashboard's sessions.
 *
 * The list is kept without an order and small changes go into it one
 * session at a time; the order is a second array of indices. The selection
 * is an id, so that nothing that moves can make a key act on another
 * session than the one the user looked at.
 */
#include "tui/model/sessions.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "session/disk/board.h"
#include "session/disk/dirs.h"
#include "tui/model/groups.h"

void model_finish(struct model *m)
{
	session_list_finish(&m->list);
	groups_finish(m);
	strv_finish(&m->folded);
	free(m->heading);
	free(m->sorted);
	free(m->shown);
	free(m->filter);
	strv_finish(&m->marked);
	*m = (struct model){0};
}

int model_load(struct model *m, bool glance, struct err *err)
{
	struct session_list now;
	int rc = glance ? session_list_load_board(&now, err)
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

/* What else of a session changes may move it. */
static bool by_more_than_need(const struct model *m)
{
	return m->filter || m->inbox || m->order != ORDER_NEED ||
	       m->grouped != BY_NONE;
}

enum model_change model_reload(struct model *m, const char *id)
{
	struct session now, *old = find(m, id);
	enum word urgency;

	if (!is_there(id) || session_load(&now, id, NULL) < 0) {
		if (!old)
			return MODEL_SAME;
		session_finish(old);
		*old = m->list.v[--m->list.n];
		/* The indices are stale until the caller arranges anew. */
		m->nshown = m->nsorted = 0;
		groups_finish(m);
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
	return urgency == session_urgency(old) && !by_more_than_need(m)
		   ? MODEL_SAME
		   : MODEL_REORDER;
}

enum model_change model_update(struct model *m)
{
	char *root = dirs_sessions(NULL);
	struct board *b = root ? board_open(root) : NULL;
	enum model_change change = MODEL_SAME;

	for (size_t i = 0; b && i < m->list.n; i++) {
		struct session *s = &m->list.v[i];
		enum word urgency = session_urgency(s);

		if (!s->broken && s->alive &&
		    board_renew(b, s->spec.id, &s->state) &&
		    (urgency != session_urgency(s) || by_more_than_need(m)))
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

	if (m->inbox && (!s->alive || (session_urgency(s) != WORD_WAITING &&
				       !s->state.question_id)))
		return false;
	for (size_t i = 0; f && i < s->groups.n; i++)
		if (has(s->groups.v[i], f))
			return true;
	return !f || has(s->spec.name, f) || has(s->spec.harness, f) ||
	       has(s->spec.branch, f) || has(session_status_word(s), f) ||
	       has(s->spec.repository_name, f) ||
	       (s->state.counts.merged > 0 && has("merged", f));
}

void model_count(struct model *m)
{
	memset(m->counts, 0, sizeof m->counts);
	for (size_t i = 0; i < m->list.n; i++)
		m->counts[session_urgency(&m->list.v[i])]++;
}

void model_filter(struct model *m, const char *text)
{
	char *copy = text && *text ? mem_strdup(text) : NULL;

	free(m->filter);
	m->filter = copy;
	model_arrange(m);
}

void model_show_inbox(struct model *m, bool on)
{
	m->inbox = on;
	if (on) {
		free(m->heading);
		m->heading = NULL;
		m->cursor = 0;
		m->selected[0] = '\0';
	}
	model_arrange(m);
}

const struct session *model_shown(const struct model *m, size_t i)
{
	return i < m->nshown && !m->shown[i].heading
		   ? &m->list.v[m->sorted[m->shown[i].at]]
		   : NULL;
}

const struct session *model_selected(const struct model *m)
{
	return model_shown(m, m->cursor);
}

static void select_at(struct model *m, size_t i)
{
	const struct model_group *g = model_heading(m, i);

	m->cursor = i;
	free(m->heading);
	m->heading = g ? mem_strdup(g->key) : NULL;
	m->selected[0] = '\0';
	if (!g)
		memcpy(m->selected, model_shown(m, i)->spec.id,
		       sizeof m->selected);
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

/* The place of a session in sorted; nsorted: it has none. */
static size_t place_of(const struct model *m, const char *id)
{
	size_t i = 0;

	while (i < m->nsorted &&
	       strcmp(m->list.v[m->sorted[i]].spec.id, id) != 0)
		i++;
	return i;
}

bool model_select(struct model *m, const char *id)
{
	size_t at = place_of(m, id);

	if (at == m->nsorted)
		return false;
	if (groups_row(m, at) == m->nshown) {
		strv_drop(&m->folded, groups_of(m, at)->key);
		groups_rows(m);
	}
	select_at(m, groups_row(m, at));
	return true;
}

/* What was selected, or what it is under now, or what takes its place. */
static void select_again(struct model *m)
{
	bool first = !m->selected[0] && !m->heading;
	size_t was = first ? m->ngroups > 0 : m->cursor, i = m->nshown;
	size_t at = place_of(m, m->selected);

	if (at < m->nsorted)
		i = groups_row(m, at);
	if (at < m->nsorted && i == m->nshown)
		i = groups_heading(m, groups_of(m, at)->key);
	else if (m->heading)
		i = groups_heading(m, m->heading);
	m->cursor = 0;
	if (m->nshown)
		select_at(m, i < m->nshown     ? i
			     : was < m->nshown ? was
					       : m->nshown - 1);
}

void model_arrange(struct model *m)
{
	m->sorted = mem_realloc(m->sorted, (m->list.n + 1) * sizeof *m->sorted);
	m->nsorted = 0;
	for (size_t i = 0; i < m->list.n; i++)
		if (passes(m, &m->list.v[i]))
			m->sorted[m->nsorted++] = i;
	m->grouped = m->inbox || (m->by == BY_REPOSITORY &&
				  !session_list_is_mixed(&m->list))
			 ? BY_NONE
			 : m->by;
	order_sort(m->list.v, m->sorted, m->nsorted,
		   m->inbox ? ORDER_INBOX : m->order, m->grouped);
	groups_make(m);
	groups_rows(m);
	model_count(m);
	for (size_t i = m->marked.n; i-- > 0;)
		if (!find(m, m->marked.v[i]))
			strv_drop(&m->marked, m->marked.v[i]);
	select_again(m);
}

void model_mark(struct model *m, const char *id)
{
	if (strv_has(&m->marked, id))
		strv_drop(&m->marked, id);
	else
		strv_add(&m->marked, id);
}

void model_mark_all(struct model *m, const struct model_group *g)
{
	const struct model_group every = {.n = m->nsorted};
	bool all = true;

	g = g ? g : &every;
	for (size_t i = 0; i < g->n; i++)
		all &= strv_has(&m->marked, model_member(m, g, i)->spec.id);
	for (size_t i = 0; i < g->n; i++) {
		const char *id = model_member(m, g, i)->spec.id;

		if (all == strv_has(&m->marked, id))
			model_mark(m, id);
	}
}

bool model_next_waiting(struct model *m)
{
	const struct model_group *g = model_heading(m, m->cursor);
	size_t from = !m->nshown ? 0
		      : g	 ? g->first + m->nsorted - 1
				 : m->shown[m->cursor].at;

	for (int level = 0; level <= WORD_DONE; level++) {
		for (size_t i = 1; i <= m->nsorted; i++) {
			size_t at = m->sorted[(from + i) % m->nsorted];

			if ((int)session_urgency(&m->list.v[at]) == level)
				return model_select(m, m->list.v[at].spec.id);
		}
	}
	return false;
}

char *model_label(const struct model *m, const struct session *s)
{
	return m->grouped == BY_REPOSITORY ? mem_strdup(s->spec.name)
					   : session_label(s, &m->list);
}

void model_detail(const struct session *s, bool groups, struct buf *out)
{
	for (size_t i = 0; groups && i < s->groups.n; i++)
		buf_addf(out, "%s%s", i ? ", " : "(", s->groups.v[i]);
	if (groups && s->groups.n)
		buf_adds(out, ") ");
	if (s->state.queued > 0)
		buf_addf(out, "[%lld queued] ", (long long)s->state.queued);
	session_summary(s, out);
}
