/* order.h - the order of the sessions in the list, and their groups. Does not
 * use curses. */
#ifndef AFW_TUI_MODEL_ORDER_H
#define AFW_TUI_MODEL_ORDER_H

#include <stddef.h>

#include "session/session.h"

/* In the order of the choices of dashboard.sort and dashboard.group in the
 * table of options. */
enum order {
	ORDER_NEED, /* sessions that need the user, then the oldest */
	ORDER_NAME,
	ORDER_NEWEST,
	ORDER_REPOSITORY,
	ORDER_HARNESS,
	ORDER_CHANGES, /* most changed lines first */
	ORDER_COUNT,
	ORDER_INBOX, /* cannot be chosen: longest wait first */
};

enum order_by {
	BY_NONE,
	BY_REPOSITORY,
	BY_GROUP,
	BY_HARNESS,
	BY_COUNT,
	BY_LIMIT, /* cannot be chosen: those that share a limit */
};

const char *order_name(enum order order);
const char *order_by_name(enum order_by by);
/* Returns the order of that name; the first one if there is none. */
enum order order_of(const char *name);
enum order_by order_by_of(const char *name);

/* Returns the key of its group; "": it is in none. If it is in several groups,
 * the first by name; by limit, its id, and the group has that of its first
 * session. Borrowed. */
const char *order_key(const struct session *s, enum order_by by);

bool order_is_same_group(const struct session *x, const struct session *y,
			 enum order_by by);

/* Sorts indices into v: first by the name of their group, with those without a
 * group last, then the pinned ones, by order. */
void order_sort(const struct session *v, size_t *at, size_t n, enum order order,
		enum order_by by);

#endif
