/*
 * order.h - in which order the list has the sessions, and in which groups.
 * No curses.
 */
#ifndef AFW_TUI_MODEL_ORDER_H
#define AFW_TUI_MODEL_ORDER_H

#include <stddef.h>

#include "session/session.h"

/* As the choices of dashboard.sort and dashboard.group stand in the table of
 * options. */
enum order {
	ORDER_NEED, /* who needs the user, then the oldest */
	ORDER_NAME,
	ORDER_NEWEST,
	ORDER_REPOSITORY,
	ORDER_HARNESS,
	ORDER_LINES, /* who has changed most */
	ORDER_COUNT,
	ORDER_INBOX, /* not to be chosen: who has waited longest */
};

enum order_by { BY_NONE, BY_REPOSITORY, BY_GROUP, BY_HARNESS, BY_COUNT };

const char *order_name(enum order order);
const char *order_by_name(enum order_by by);
/* The one of that name; the first where there is none. */
enum order order_of(const char *name);
enum order_by order_by_of(const char *name);

/* What tells its group from others; "": it is in none. Of several groups the
 * first by name. Borrowed. */
const char *order_key(const struct session *s, enum order_by by);

/* Sorts indices into v: first by the name of their group, where those of none
 * come last, then by order. */
void order_sort(const struct session *v, size_t *at, size_t n,
		enum order order, enum order_by by);

#endif
