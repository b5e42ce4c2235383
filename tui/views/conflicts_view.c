/* conflicts_view.c - which sessions of a repository change the same files: a
 * row for each pair, with the files, and below them the lines. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "tui/actions/action.h"
#include "tui/widgets/rows.h"

/* It merges all sessions in memory, so it is read again only for other
 * sessions. */
static uint64_t conflicts_version(const struct tui *t)
{
	return t->roster.list.n;
}

static const cJSON *member(const cJSON *o, const char *name)
{
	return json_get(o, name);
}

/* Appends names, or paths of conflicts. */
static void add_names(struct buf *b, const char *before, const cJSON *names)
{
	const cJSON *n;

	cJSON_ArrayForEach (n, names) {
		buf_addf(b, "%s%s", before,
			 cJSON_IsString(n) ? n->valuestring
					   : json_str_or(n, "path", ""));
		before = ", ";
	}
}

/* Appends "greet.c: both changed it, lines 3, 7-9; ". */
static void add_conflict(struct buf *b, const cJSON *o)
{
	const char *before = NULL;
	const cJSON *r;

	buf_addf(b, "%s: %s", json_str_or(o, "path", ""),
		 json_str_or(o, "what", ""));
	cJSON_ArrayForEach (r, member(o, "lines")) {
		long long from = json_int(r, "from", 0);
		long long to = json_int(r, "to", 0);

		if (!before)
			before = to > from || r->next ? ", lines " : ", line ";
		buf_addf(b, to > from ? "%s%lld-%lld" : "%s%lld", before, from,
			 to);
		before = ", ";
	}
	buf_adds(b, "; ");
}

static void add_pair(struct rows *l, const cJSON *o)
{
	const cJSON *found = member(o, "conflicts"), *one;
	const cJSON *all = member(l->all, "all");
	const char *a = json_str_or(o, "a", ""), *b = json_str_or(o, "b", "");
	struct buf text = {0}, more = {0};
	_free_ char *key = mem_printf("%s %s", a, b);
	bool conflict = cJSON_GetArraySize(found) > 0;
	struct row *w;

	if (!conflict && json_bool(o, "base", false))
		return;
	w = rows_add(l, key);
	w->of = o;
	w->name = mem_strdup(a);
	w->note = mem_strdup(b);
	w->look = conflict ? LOOK_ERROR : LOOK_PLAIN;
	w->title = mem_printf(
	    conflict ? "%s conflicts with %s" : "%s and %s merge", a, b);
	add_names(&text, conflict ? "" : "in other places of ",
		  conflict ? found : member(o, "files"));
	cJSON_ArrayForEach (one, found)
		add_conflict(&more, one);
	add_names(&more, "can be merged in this order: ", member(all, "order"));
	add_names(&more, "; conflict after that: ", member(all, "in_the_way"));
	w->text = buf_steal(&text);
	w->more = buf_steal(&more);
}

/* Another machine's session is HOST:NAME. */
static const struct session *find_session(const struct rows *l,
					  const char *name)
{
	const struct session *of = roster_by_id(&l->t->roster, l->ids.v[0]);

	for (size_t i = 0; of && i < l->t->roster.list.n; i++) {
		const struct session *s = &l->t->roster.list.v[i];
		_free_ char *label = session_label(s, NULL);

		if (strcmp(label, name) == 0 && s->spec.repository &&
		    of->spec.repository &&
		    strcmp(s->spec.repository, of->spec.repository) == 0)
			return s;
	}
	return NULL;
}

/* For a conflict with the branch, opens the view that can resolve it. */
static void show_pair(struct tui *t, struct view *v, uint32_t pressed)
{
	const struct rows *l = (struct rows *)v;
	const cJSON *o = rows_chosen(v)->of;
	const struct session *a = find_session(l, json_str_or(o, "a", ""));
	const struct session *b = find_session(l, json_str_or(o, "b", ""));

	(void)pressed;
	if (a && json_bool(o, "base", false))
		action_merge(t, a);
	else if (a && b)
		view_push(t, diffs_view(t, a, b));
}

static const struct view_key keys[] = {
    {"Conflicts between sessions", NULL, NULL, NULL},
    {"Enter", "diffs", "show what both have changed, or for a branch the merge",
     show_pair},
    {"v", "all of it", "read all files and lines", rows_read},
    ROWS_KEYS,
};

static const struct rows_kind kind = {
    .words = {"conflicts", "--json"},
    .member = "pairs",
    .nothing = "No two sessions change the same files.",
    .heading = "conflicts",
    .titles = {"WITH", NULL, NULL, "FILES"},
    .keys = keys,
    .act = ACT_CONFLICTS,
    .version = conflicts_version,
    .add = add_pair,
};

/* All sessions of its repository, whatever the current directory is; one of
 * another machine is compared with all of here by afw. */
void action_conflicts(struct tui *t, const struct session *s)
{
	struct strv ids = {0};

	strv_add(&ids, s->spec.id);
	for (size_t i = 0; i < t->roster.list.n; i++) {
		const struct session *one = &t->roster.list.v[i];

		if (!s->host && spec_has_worktree(&one->spec) && one != s &&
		    session_is_here(one, s->spec.repository))
			strv_add(&ids, one->spec.id);
	}
	view_push(t, rows_view_of(t, &kind, ids));
}
