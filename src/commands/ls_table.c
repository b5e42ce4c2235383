/* ls_table.c - the columns and rows of afw ls, and their order. */
#include "commands/ls_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "commands/cli/output.h"
#include "commands/cli/table.h"
#include "commands/command.h"
#include "session/disk/groups.h"
#include "session/session_flags.h"

#define NARROW	    100 /* below this many columns the branch is left out */
#define VERY_NARROW 64	/* below this, also the age */

#define MISSED_NAMED 3

#define COLUMNS "name,host,harness,state,for,age,branch,check,changes,says"

int ls_choose_columns(struct ls_table *sh, const struct args *args,
		      struct err *err)
{
	const char *given = args_value(args, "columns");
	_free_ char *copy = mem_strdup(given ? given : COLUMNS);
	char *rest = copy, *name;

	*sh = (struct ls_table){.chosen = given != NULL};
	while ((name = strsep(&rest, ", "))) {
		const struct session_row *column;

		if (!*name)
			continue;
		column = session_column_find(name, err);
		if (!column)
			return err_prefix(err, "ls");
		if (sh->n == COLUMNS_MAX)
			return err_set(err, ERR_USAGE,
				       "ls: these are over %d columns",
				       COLUMNS_MAX);
		sh->columns[sh->n++] = column;
		sh->files |= column->files;
	}
	return sh->n ? 0 : err_set(err, ERR_USAGE, "ls: --columns names none");
}

static bool is_column(const struct session_row *column, const char *name)
{
	return strcmp(column->name, name) == 0;
}

static bool has_options(const struct session *s, const struct args *args,
			const char *here)
{
	const char *group = args_value(args, "group");

	if (group &&
	    !(s->dir ? groups_has(s->dir, group) : strv_has(&s->groups, group)))
		return false;
	return (!args_has(args, "here") || session_is_here(s, here)) &&
	       (!args_has(args, "merged") || s->state.counts.merged > 0);
}

static void add_hidden(struct ls_hidden *h, const struct session *s)
{
	if (s->spec.flags.archived)
		h->archived++;
	else
		h->snoozed++;
	if (session_flags_missed(s))
		strv_take(&h->missed, session_label(s, NULL));
}

void ls_hidden_finish(struct ls_hidden *h)
{
	strv_finish(&h->missed);
}

void ls_hidden_print(const struct ls_hidden *h, struct buf *out)
{
	const struct strv *m = &h->missed;

	if (h->archived)
		buf_addf(out, "%zu archived", h->archived);
	if (h->snoozed)
		buf_addf(out, "%s%zu snoozed", h->archived ? ", " : "",
			 h->snoozed);
	for (size_t i = 0; i < m->n && i < MISSED_NAMED; i++)
		buf_addf(out, "%s%s", i ? ", " : "; ", m->v[i]);
	if (m->n > MISSED_NAMED)
		buf_addf(out, " and %zu more", m->n - MISSED_NAMED);
	if (m->n)
		buf_addf(out, " need%s you", m->n == 1 ? "s" : "");
}

bool ls_is_meant(const struct session *s, const struct args *args,
		 const char *here, struct ls_hidden *h)
{
	bool hidden;

	if (!has_options(s, args, here))
		return false;
	hidden = session_flags_hide(s);
	if (args_has(args, "archived") || args_has(args, "json"))
		return hidden || !args_has(args, "archived");
	if (hidden && h)
		add_hidden(h, s);
	return !hidden;
}

size_t ls_filter(struct session_list *l, const struct args *args,
		 struct ls_hidden *h)
{
	char *here = args_has(args, "here") ? session_repository_here() : NULL;
	size_t n = 0, before = l->n;

	for (size_t i = 0; i < l->n; i++) {
		if (ls_is_meant(&l->v[i], args, here, h))
			l->v[n++] = l->v[i];
		else
			session_finish(&l->v[i]);
	}
	l->n = n;
	free(here);
	return before - n;
}

/* qsort(3) passes no context. */
static const char *sorting_here;

static int compare_text(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) : !a - !b;
}

/* Whichever machine it is on. */
static bool is_first(const struct session *s)
{
	return compare_text(s->spec.repository, sorting_here) == 0;
}

static int compare(const void *a, const void *b)
{
	const struct session *x = a, *y = b;
	bool mixed = sorting_here != NULL;
	int d = mixed ? is_first(y) - is_first(x) : 0;

	if (mixed && !d)
		d = compare_text(x->spec.repository_name,
				 y->spec.repository_name);
	if (mixed && !d)
		d = compare_text(x->spec.repository, y->spec.repository);
	d = d ? d : y->spec.flags.pinned - x->spec.flags.pinned;
	d = d ? d : (int)session_urgency(x) - (int)session_urgency(y);
	d = d ? d
	      : (x->spec.created_at > y->spec.created_at) -
		    (x->spec.created_at < y->spec.created_at);
	return d ? d : strcmp(x->spec.id, y->spec.id);
}

void ls_sort(struct session_list *l)
{
	char *here = session_repository_here();

	session_list_join(l, here);
	sorting_here = !session_list_is_mixed(l) ? NULL : here ? here : "";
	if (l->n)
		qsort(l->v, l->n, sizeof *l->v, compare);
	free(here);
}

bool ls_begins_group(const struct session_list *l, size_t i)
{
	return i == 0 || compare_text(l->v[i - 1].spec.repository,
				      l->v[i].spec.repository) != 0;
}

/* Adds "shop (/src/shop)". */
static void add_heading(struct table *t, const struct session *s)
{
	char *text =
	    s->spec.repository
		? mem_printf("%s (%s)",
			     s->spec.repository_name ? s->spec.repository_name
						     : "?",
			     s->spec.repository)
		: mem_strdup("no repository");

	table_heading(t, text, "\033[1m");
	free(text);
}

/* Returns the SGR sequence; "" for plain. */
static const char *sgr_of(const struct session_row *column,
			  const struct session *s, bool several)
{
	if (is_column(column, "name"))
		return several ? "" : "\033[1m";
	if (is_column(column, "state"))
		return output_sgr(s);
	if (is_column(column, "says"))
		return session_urgency(s) <= WORD_FAILED ? "" : "\033[2m";
	return "";
}

static void add_row(struct table *t, const struct ls_table *sh,
		    const struct session *s, bool several)
{
	_buf_ struct buf cell = {0};
	size_t before;

	for (size_t i = 0; i < sh->n; i++) {
		buf_clear(&cell);
		if (i == 0 && several)
			buf_adds(&cell, "  ");
		before = cell.len;
		session_row_print(sh->columns[i], s, &cell);
		if (sh->columns[i]->dash && cell.len == before)
			buf_addc(&cell, '-');
		table_cell(t, cell.data, sgr_of(sh->columns[i], s, several));
	}
}

/* Hides columns that are empty or do not fit, unless the user chose them. */
static void hide_columns(struct table *t, const struct ls_table *sh,
			 const struct session_list *l)
{
	int width = output_width();
	bool checked = false, hosts = false;

	for (size_t i = 0; i < l->n; i++) {
		checked |= l->v[i].state.check != NULL;
		hosts |= l->v[i].host != NULL;
	}
	for (size_t i = 0; !sh->chosen && i < sh->n; i++) {
		const struct session_row *c = sh->columns[i];

		if ((!checked && is_column(c, "check")) ||
		    (!hosts && is_column(c, "host")) ||
		    (width && width < VERY_NARROW && is_column(c, "age")) ||
		    (width && width < NARROW && is_column(c, "branch")))
			table_hide(t, i);
	}
}

size_t ls_print_table(const struct session_list *l, const struct ls_table *sh,
		      size_t most)
{
	const char *titles[COLUMNS_MAX];
	bool several = session_list_is_mixed(l);
	struct table *t;
	size_t n = 0;

	for (size_t i = 0; i < sh->n; i++)
		titles[i] = sh->columns[i]->title;
	t = table_create(sh->n, titles);
	hide_columns(t, sh, l);
	for (; n < l->n && most > 0; n++, most--) {
		if (several && ls_begins_group(l, n)) {
			if (--most == 0)
				break;
			add_heading(t, &l->v[n]);
		}
		add_row(t, sh, &l->v[n], several);
	}
	table_end(t);
	return n;
}

static bool is_only_of_name(const struct session_list *l,
			    const struct session *s)
{
	for (size_t i = 0; i < l->n; i++)
		if (&l->v[i] != s && l->v[i].host &&
		    strcmp(l->v[i].host, s->host) == 0 &&
		    strcmp(l->v[i].spec.name, s->spec.name) == 0)
			return false;
	return true;
}

void ls_print_names(const struct session_list *l)
{
	bool several = session_list_is_mixed(l);
	char *here = several ? session_repository_here() : NULL;

	for (size_t i = 0; i < l->n; i++) {
		const struct session *s = &l->v[i];
		const char *host = s->host ? s->host : "";
		const char *colon = *host ? ":" : "";
		bool alone = *host ? is_only_of_name(l, s)
				   : !several || session_is_here(s, here);

		/* The repository's name can have any characters. */
		if (!alone && s->spec.repository_name)
			output_line(stdout, "%s%s%s/%s", host, colon,
				    s->spec.repository_name, s->spec.name);
		else
			output_line(stdout, "%s%s%s", host, colon,
				    s->spec.name);
	}
	free(here);
}
