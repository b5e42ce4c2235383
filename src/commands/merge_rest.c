/* merge_rest.c - removes the attempts that were not merged. */
#include "commands/merge_rest.h"

#include <string.h>

#include "commands/cli/ask.h"
#include "commands/cli/output.h"
#include "commands/rm.h"

static bool is_other(const struct session *s, const void *ctx)
{
	const struct session *merged = ctx;

	return strcmp(s->spec.id, merged->spec.id) != 0 &&
	       session_is_here(s, merged->spec.repository) &&
	       strv_has(&s->groups, merged->groups.v[0]);
}

static int check_group(const struct session *s, struct err *err)
{
	if (s->groups.n == 1)
		return 0;
	err_set(err, ERR_USAGE, "merge '%s': --rest: it is in %s", s->spec.name,
		s->groups.n ? "several groups" : "no group");
	return err_hint(err, "`afw group %s` prints its groups", s->spec.name);
}

int merge_rest_check(const struct session *s, const struct args *args,
		     struct err *err)
{
	const char *what = args_value(args, "rest");

	if (!what)
		return 0;
	if (strcmp(what, "rm") != 0)
		return err_set(err, ERR_USAGE,
			       "merge: --rest '%.40s' is not rm", what);
	if (check_group(s, err) < 0)
		return -1;
	if (args_has(args, "yes") || ask_possible())
		return 0;
	err_set(err, ERR_USAGE, "merge --rest: there is no terminal to ask on");
	return err_hint(err, "--yes removes them without a question");
}

void merge_rest_keep(struct session_list *l, const struct session *s)
{
	session_list_filter(l, is_other, s);
	if (l->n == 0)
		output_warn("group '%s' has no other session", s->groups.v[0]);
}

int merge_rest_find(struct session_list *l, const struct session *s,
		    const struct args *args, struct err *err)
{
	*l = (struct session_list){0};
	if (!args_has(args, "rest"))
		return 0;
	if (merge_rest_check(s, args, err) < 0 || session_list_load(l, err) < 0)
		return -1;
	merge_rest_keep(l, s);
	return 0;
}

int merge_rest_confirm(const struct session_list *l, const struct args *args,
		       struct err *err)
{
	if (l->n == 0 || args_has(args, "yes"))
		return 0;
	for (size_t i = 0; i < l->n; i++)
		output_line(stderr, "%s: %s", l->v[i].spec.name,
			    session_status_word(&l->v[i]));
	if (ask_yes(l->n == 1 ? "Stop it and move it to the trash?"
			      : "Stop all of them and move them to the trash?"))
		return 0;
	return err_set(err, ERR_FAILED,
		       "merge --rest: merged, but not confirmed: the others "
		       "stay");
}

int merge_rest_remove(const struct session_list *l, const struct args *args,
		      struct err *err)
{
	const struct rm_how how = {.when = "merged",
				   .stop = true,
				   .trash = "--rest was given",
				   .json = args_has(args, "json")};

	if (l->n == 0)
		return 0;
	if (merge_rest_confirm(l, args, err) < 0)
		return -1;
	return rm_sessions(l, &how, err);
}
