/* merge_rest.h - afw merge --rest rm. */
#ifndef AFW_COMMANDS_MERGE_REST_H
#define AFW_COMMANDS_MERGE_REST_H

#include "commands/command.h"
#include "session/session.h"

/*
 * Sets l to the other sessions of the group of s, for the caller to finish;
 * none without --rest. -1 with err if the option is wrong, s is not in exactly
 * one group, or there is neither a terminal to ask on nor --yes: to be called
 * before the merge.
 */
int merge_rest_find(struct session_list *l, const struct session *s,
		    const struct args *args, struct err *err);

/* Its parts, for a list that is found in another way: checks the option and s;
 * keeps the others of its group; asks whether to remove them. */
int merge_rest_check(const struct session *s, const struct args *args,
		     struct err *err);
void merge_rest_keep(struct session_list *l, const struct session *s);
int merge_rest_confirm(const struct session_list *l, const struct args *args,
		       struct err *err);

/* Asks whether to remove them, unless --yes was given, and does so: all are
 * stopped and kept in the trash. */
int merge_rest_remove(const struct session_list *l, const struct args *args,
		      struct err *err);

#endif
