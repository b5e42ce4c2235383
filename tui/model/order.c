/* order.c - sorts the sessions. */
#include "tui/model/order.h"

#include <stdlib.h>
#include <string.h>

#include "config/option.h"
#include "session/session_limits.h"

/* qsort(3) passes no context. */
static const struct session *sorting;
static enum order sort_order;
static enum order_by sort_by;

const char *order_name(enum order order)
{
	return options[OPTION_DASHBOARD_SORT].choices[order];
}

const char *order_by_name(enum order_by by)
{
	return options[OPTION_DASHBOARD_GROUP].choices[by];
}

static int choice(enum option_id id, const char *name)
{
	const char *const *choices = options[id].choices;
	int i = 0;

	while (choices[i] && strcmp(choices[i], name) != 0)
		i++;
	return choices[i] ? i : 0;
}

enum order order_of(const char *name)
{
	return (enum order)choice(OPTION_DASHBOARD_SORT, name);
}

enum order_by order_by_of(const char *name)
{
	return (enum order_by)choice(OPTION_DASHBOARD_GROUP, name);
}

static const char *or_empty(const char *text)
{
	return text ? text : "";
}

const char *order_key(const struct session *s, enum order_by by)
{
	switch (by) {
	case BY_REPOSITORY:
		return or_empty(s->spec.repository);
	case BY_GROUP:
		return s->groups.n ? s->groups.v[0] : "";
	case BY_HARNESS:
		return or_empty(s->spec.harness);
	case BY_LIMIT:
		return session_limit_needs_help(s) ? s->spec.id : "";
	default:
		return "";
	}
}

static int compare_text(const char *a, const char *b)
{
	a = or_empty(a);
	b = or_empty(b);
	if (!*a || !*b)
		return !*a - !*b;
	return strcmp(a, b);
}

/* A limit that needs the user's help comes before a limit that ends by itself.
 */
static int compare_limit(const struct session *x, const struct session *y)
{
	bool a = session_limit_needs_help(x), b = session_limit_needs_help(y);

	return a && b ? session_limit_compare(x, y) : a - b;
}

static int compare_group(const struct session *x, const struct session *y)
{
	if (sort_by == BY_LIMIT)
		return compare_limit(x, y);
	int d = sort_by == BY_REPOSITORY ? compare_text(x->spec.repository_name,
							y->spec.repository_name)
					 : 0;

	return d ? d
		 : compare_text(order_key(x, sort_by), order_key(y, sort_by));
}

bool order_is_same_group(const struct session *x, const struct session *y,
			 enum order_by by)
{
	return by == BY_LIMIT ? compare_limit(x, y) == 0
			      : strcmp(order_key(x, by), order_key(y, by)) == 0;
}

static int compare_numbers(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int64_t lines(const struct session *s)
{
	const struct counts *c = &s->state.counts;

	return (c->lines_added > 0 ? c->lines_added : 0) +
	       (c->lines_removed > 0 ? c->lines_removed : 0);
}

static int compare_order(const struct session *x, const struct session *y)
{
	switch (sort_order) {
	case ORDER_NAME:
		return compare_text(x->spec.name, y->spec.name);
	case ORDER_NEWEST:
		return compare_numbers(y->spec.created_at, x->spec.created_at);
	case ORDER_REPOSITORY:
		return compare_text(x->spec.repository_name,
				    y->spec.repository_name);
	case ORDER_HARNESS:
		return compare_text(x->spec.harness, y->spec.harness);
	case ORDER_CHANGES:
		return compare_numbers(lines(y), lines(x));
	case ORDER_INBOX:
		return compare_numbers(session_since(x), session_since(y));
	default:
		return 0;
	}
}

/* Pinned ones first. Among equals, sessions that need the user come first, then
 * the oldest. */
static int compare(const void *a, const void *b)
{
	const struct session *x = &sorting[*(const size_t *)a];
	const struct session *y = &sorting[*(const size_t *)b];
	int d = sort_by == BY_NONE ? 0 : compare_group(x, y);

	/* In the inbox, the longest wait alone counts. */
	if (sort_order != ORDER_INBOX)
		d = d ? d : y->spec.flags.pinned - x->spec.flags.pinned;
	d = d ? d : compare_order(x, y);
	d = d ? d : (int)session_urgency(x) - (int)session_urgency(y);
	d = d ? d : compare_numbers(x->spec.created_at, y->spec.created_at);
	return d ? d : strcmp(x->spec.id, y->spec.id);
}

void order_sort(const struct session *v, size_t *at, size_t n, enum order order,
		enum order_by by)
{
	sorting = v;
	sort_order = order;
	sort_by = by;
	if (n)
		qsort(at, n, sizeof *at, compare);
}
