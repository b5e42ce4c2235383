/*
 * roster.c - the dashboard's sessions.
 *
 * The list has no order, and small changes update one session at a time; the
 * order is a second array of indices. The selection is an id, so that a key
 * cannot act on another session than the one the user looked at when rows move.
 */
#include "tui/model/roster.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/mem.h"
#include "session/disk/board.h"
#include "session/disk/dirs.h"
#include "session/session_flags.h"
#include "session/session_limits.h"
#include "tui/model/headings.h"

void roster_finish(struct roster *r)
{
	session_list_finish(&r->list);
	headings_finish(r);
	strv_finish(&r->folded);
	free(r->heading);
	free(r->sorted);
	free(r->shown);
	free(r->filter);
	strv_finish(&r->marked);
	*r = (struct roster){0};
}

static struct session *find_session(const struct roster *r, const char *id)
{
	for (size_t i = 0; i < r->list.n; i++)
		if (strcmp(r->list.v[i].spec.id, id) == 0)
			return &r->list.v[i];
	return NULL;
}

static void add_session(struct roster *r, struct session *s)
{
	r->list.v = mem_realloc(r->list.v, (r->list.n + 1) * sizeof *r->list.v);
	r->list.v[r->list.n++] = *s;
}

int roster_load(struct roster *r, bool glance, struct err *err)
{
	struct session_list now, was;
	int rc = glance ? session_list_load_board(&now, err)
			: session_list_load(&now, err);

	if (rc < 0) {
		session_list_finish(&now);
		return -1;
	}
	was = r->list;
	r->list = now;
	for (size_t i = 0; i < was.n; i++)
		if (was.v[i].host && !find_session(r, was.v[i].spec.id))
			add_session(r, &was.v[i]);
		else
			session_finish(&was.v[i]);
	free(was.v);
	session_list_join(&r->list, NULL);
	roster_arrange(r);
	return 0;
}

const struct session *roster_by_id(const struct roster *r, const char *id)
{
	return find_session(r, id);
}

/* Its directory exists and has a spec.json. */
static bool is_there(const char *id)
{
	_free_ char *dir = dirs_session(id, NULL);
	_free_ char *spec = dir ? file_join(dir, "spec.json") : NULL;

	return spec && access(spec, F_OK) == 0;
}

/* Returns what places it in the list: a change of this moves it. */
static int rank_of(const struct session *s)
{
	return (int)session_urgency(s) * 4 + s->spec.flags.pinned * 2 +
	       session_flags_hide(s);
}

/* Returns whether other changes of a session than of its rank may move it. */
static bool by_more_than_rank(const struct roster *r)
{
	return r->filter || r->inbox || r->order != ORDER_NEED ||
	       r->grouped != BY_NONE;
}

enum roster_change roster_remove(struct roster *r, const char *id, bool here)
{
	struct session *old = find_session(r, id);

	if (!old || !old->host != here)
		return ROSTER_SAME;
	session_finish(old);
	*old = r->list.v[--r->list.n];
	/* The indices are invalid until the caller calls roster_arrange(). */
	r->nshown = r->nsorted = 0;
	headings_finish(r);
	return ROSTER_SET;
}

enum roster_change roster_put(struct roster *r, struct session *now)
{
	struct session *old = find_session(r, now->spec.id);
	_free_ char *joined = NULL;
	int rank;

	if (!old) {
		add_session(r, now);
		session_list_join(&r->list, NULL);
		return ROSTER_SET;
	}
	if (now->host && !old->host) {
		session_finish(now);
		return ROSTER_SAME;
	}
	rank = rank_of(old);
	joined = now->host ? mem_strdup(old->spec.repository) : NULL;
	session_finish(old);
	*old = *now;
	if (joined)
		mem_set(&old->spec.repository, joined);
	return rank == rank_of(old) && !by_more_than_rank(r) ? ROSTER_SAME
							     : ROSTER_REORDER;
}

enum roster_change roster_reload(struct roster *r, const char *id)
{
	struct session now;

	if (!is_there(id) || session_load(&now, id, NULL) < 0)
		return roster_remove(r, id, true);
	return roster_put(r, &now);
}

enum roster_change roster_update(struct roster *r)
{
	_free_ char *root = dirs_sessions(NULL);
	struct board *b = root ? board_open(root) : NULL;
	enum roster_change change = ROSTER_SAME;

	for (size_t i = 0; b && i < r->list.n; i++) {
		struct session *s = &r->list.v[i];
		int rank = rank_of(s);

		if (!s->broken && s->alive && !s->host &&
		    board_renew(b, s->spec.id, &s->state) &&
		    (rank != rank_of(s) || by_more_than_rank(r)))
			change = ROSTER_REORDER;
	}
	board_close(b);
	return change;
}

static bool contains(const char *text, const char *part)
{
	return text && strcasestr(text, part);
}

/* Also "HOST:NAME". */
static bool has_name(const struct session *s, const char *part)
{
	_free_ char *name = session_label(s, NULL);

	return contains(name, part);
}

static bool matches_filter(const struct roster *r, const struct session *s)
{
	const char *f = r->filter;

	if (r->inbox && (!s->alive || (session_urgency(s) != WORD_WAITING &&
				       !s->state.question_id &&
				       !session_limit_needs_help(s))))
		return false;
	/* A question is never hidden from the inbox. */
	if (!r->inbox && !r->hidden && session_flags_hide(s))
		return false;
	for (size_t i = 0; f && i < s->groups.n; i++)
		if (contains(s->groups.v[i], f))
			return true;
	return !f || has_name(s, f) || contains(s->spec.harness, f) ||
	       contains(s->spec.branch, f) ||
	       contains(session_status_word(s), f) ||
	       contains(s->spec.repository_name, f) ||
	       contains(s->spec.flags.note, f) ||
	       (s->state.limited && contains("limited", f)) ||
	       (s->state.counts.merged > 0 && contains("merged", f));
}

static void add_due(struct roster *r, int64_t until)
{
	if (until && (!r->due_ms || until < r->due_ms))
		r->due_ms = until;
}

void roster_count(struct roster *r)
{
	memset(r->counts, 0, sizeof r->counts);
	r->nhidden = r->nmissed = 0;
	r->due_ms = 0;
	for (size_t i = 0; i < r->list.n; i++) {
		const struct session *s = &r->list.v[i];
		bool hide = session_flags_hide(s);

		r->nhidden += hide;
		r->nmissed += hide && session_flags_missed(s);
		if (!hide || r->hidden)
			r->counts[session_urgency(s)]++;
		if (hide && !s->spec.flags.archived)
			add_due(r, s->spec.flags.snoozed_until);
	}
}

void roster_filter(struct roster *r, const char *text)
{
	char *copy = text && *text ? mem_strdup(text) : NULL;

	free(r->filter);
	r->filter = copy;
	roster_arrange(r);
}

void roster_show_hidden(struct roster *r, bool on)
{
	r->hidden = on;
	roster_arrange(r);
}

void roster_show_inbox(struct roster *r, bool on)
{
	r->inbox = on;
	if (on) {
		free(r->heading);
		r->heading = NULL;
		r->cursor = 0;
		r->selected[0] = '\0';
	}
	roster_arrange(r);
}

const struct session *roster_shown(const struct roster *r, size_t i)
{
	return i < r->nshown && !r->shown[i].heading
		   ? &r->list.v[r->sorted[r->shown[i].at]]
		   : NULL;
}

const struct session *roster_selected(const struct roster *r)
{
	return roster_shown(r, r->cursor);
}

static void select_at(struct roster *r, size_t i)
{
	const struct roster_group *g = roster_heading(r, i);

	r->cursor = i;
	free(r->heading);
	r->heading = g ? mem_strdup(g->key) : NULL;
	r->selected[0] = '\0';
	if (!g)
		memcpy(r->selected, roster_shown(r, i)->spec.id,
		       sizeof r->selected);
}

void roster_move(struct roster *r, long delta)
{
	long to = (long)r->cursor + delta;

	if (!r->nshown)
		return;
	if (to < 0)
		to = 0;
	if (to >= (long)r->nshown)
		to = (long)r->nshown - 1;
	select_at(r, (size_t)to);
}

/* Returns the position of a session in sorted; nsorted: it has none. */
static size_t place_of(const struct roster *r, const char *id)
{
	size_t i = 0;

	while (i < r->nsorted &&
	       strcmp(r->list.v[r->sorted[i]].spec.id, id) != 0)
		i++;
	return i;
}

static void set_folded(struct roster *r, const char *key, bool fold)
{
	if (fold != (r->grouped == BY_LIMIT))
		strv_add(&r->folded, key);
	else
		strv_drop(&r->folded, key);
}

bool roster_select(struct roster *r, const char *id)
{
	size_t at = place_of(r, id);

	if (at == r->nsorted)
		return false;
	if (headings_row(r, at) == r->nshown) {
		set_folded(r, headings_of(r, at)->key, false);
		headings_rows(r);
	}
	select_at(r, headings_row(r, at));
	return true;
}

bool roster_fold(struct roster *r, bool fold)
{
	const struct roster_group *g = roster_heading(r, r->cursor);
	_free_ char *key = NULL;

	if (!g && r->nshown)
		g = headings_of(r, r->shown[r->cursor].at);
	if (!g || g->flat || g->folded == fold || (fold && r->filter))
		return false;
	key = mem_strdup(g->key);
	set_folded(r, key, fold);
	headings_rows(r);
	roster_move(r, (long)headings_heading(r, key) - (long)r->cursor);
	return true;
}

/* Selects the same session, or the heading it is under now, or what took its
 * place. */
static void select_again(struct roster *r)
{
	bool first = !r->selected[0] && !r->heading;
	size_t was =
	    !first ? r->cursor : r->ngroups > 0 && r->grouped != BY_LIMIT;
	size_t i = r->nshown;
	size_t at = place_of(r, r->selected);

	if (at < r->nsorted)
		i = headings_row(r, at);
	if (at < r->nsorted && i == r->nshown)
		i = headings_heading(r, headings_of(r, at)->key);
	else if (r->heading)
		i = headings_heading(r, r->heading);
	r->cursor = 0;
	if (r->nshown)
		select_at(r, i < r->nshown     ? i
			     : was < r->nshown ? was
					       : r->nshown - 1);
}

void roster_arrange(struct roster *r)
{
	r->sorted = mem_realloc(r->sorted, (r->list.n + 1) * sizeof *r->sorted);
	r->nsorted = 0;
	for (size_t i = 0; i < r->list.n; i++)
		if (matches_filter(r, &r->list.v[i]))
			r->sorted[r->nsorted++] = i;
	r->grouped =
	    r->inbox ? BY_LIMIT
	    : (r->by == BY_REPOSITORY && !session_list_is_mixed(&r->list))
		? BY_NONE
		: r->by;
	order_sort(r->list.v, r->sorted, r->nsorted,
		   r->inbox ? ORDER_INBOX : r->order, r->grouped);
	headings_make(r);
	headings_rows(r);
	roster_count(r);
	for (size_t i = r->marked.n; i-- > 0;)
		if (!find_session(r, r->marked.v[i]))
			strv_drop(&r->marked, r->marked.v[i]);
	select_again(r);
}

void roster_mark(struct roster *r, const char *id)
{
	if (strv_has(&r->marked, id))
		strv_drop(&r->marked, id);
	else
		strv_add(&r->marked, id);
}

void roster_mark_all(struct roster *r, const struct roster_group *g)
{
	const struct roster_group every = {.n = r->nsorted};
	bool all = true;

	g = g ? g : &every;
	for (size_t i = 0; i < g->n; i++)
		all &= strv_has(&r->marked, roster_member(r, g, i)->spec.id);
	for (size_t i = 0; i < g->n; i++) {
		const char *id = roster_member(r, g, i)->spec.id;

		if (all == strv_has(&r->marked, id))
			roster_mark(r, id);
	}
}

bool roster_next_waiting(struct roster *r)
{
	const struct roster_group *g = roster_heading(r, r->cursor);
	size_t from = !r->nshown ? 0
		      : g	 ? g->first + r->nsorted - 1
				 : r->shown[r->cursor].at;

	for (int level = 0; level <= WORD_DONE; level++) {
		for (size_t i = 1; i <= r->nsorted; i++) {
			size_t at = r->sorted[(from + i) % r->nsorted];

			if ((int)session_urgency(&r->list.v[at]) == level)
				return roster_select(r, r->list.v[at].spec.id);
		}
	}
	return false;
}

char *roster_label(const struct roster *r, const struct session *s)
{
	return session_label(s, r->grouped == BY_REPOSITORY ? NULL : &r->list);
}

void roster_detail(const struct session *s, bool groups, struct buf *out)
{
	for (size_t i = 0; groups && i < s->groups.n; i++)
		buf_addf(out, "%s%s", i ? ", " : "(", s->groups.v[i]);
	if (groups && s->groups.n)
		buf_adds(out, ") ");
	session_flags_lead(s, out);
	session_summary(s, out);
}
