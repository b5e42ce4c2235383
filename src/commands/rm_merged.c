/* rm_merged.c - finds the sessions that afw rm --merged removes. */
#include "commands/rm_merged.h"

#include <stdio.h>

#include "base/cleanup.h"
#include "commands/cli/ask.h"
#include "commands/cli/output.h"
#include "commands/recount.h"

static bool is_here(const struct session *s, const void *here)
{
	return session_is_here(s, here);
}

static bool is_merged(const struct session *s, const void *ctx)
{
	return s->state.counts.merged > 0;
}

/* A state may not know yet what was merged, or changed, just now. */
static void update(struct session *s)
{
	bool was = is_merged(s, NULL);

	recount_read(s);
	if (!was || is_merged(s, NULL))
		return;
	output_warn("%s: not removed: its worktree was changed after its work "
		    "was merged",
		    s->spec.name);
	recount(s, NULL);
}

static int find(struct session_list *l, struct err *err)
{
	_free_ char *here = session_repository_here();

	if (!here) {
		err_set(err, ERR_FAILED, "this is not in a git repository");
		return err_hint(err, "go to one, or name the sessions");
	}
	if (session_list_load(l, err) < 0)
		return -1;
	session_list_filter(l, is_here, here);
	for (size_t i = 0; i < l->n; i++)
		update(&l->v[i]);
	session_list_filter(l, is_merged, NULL);
	return 0;
}

/* Asks on standard error: standard output is for what was removed. */
static int confirm(const struct session_list *l, struct err *err)
{
	for (size_t i = 0; i < l->n; i++) {
		int64_t n = l->v[i].state.counts.ahead;

		output_line(stderr, "%s: merged, %lld commit%s, %s",
			    l->v[i].spec.name, (long long)n, n == 1 ? "" : "s",
			    session_status_word(&l->v[i]));
	}
	return ask_yes(l->n == 1 ? "Remove it?" : "Remove all of them?")
		   ? 0
		   : err_set(err, ERR_FAILED, "rm --merged: not confirmed");
}

int rm_merged(struct session_list *l, const struct args *args, struct err *err)
{
	*l = (struct session_list){0};
	if (args->n)
		return err_set(err, ERR_USAGE, "rm: --merged takes no name");
	if (!args_has(args, "yes") && !ask_possible()) {
		err_set(err, ERR_USAGE,
			"rm --merged: there is no terminal to ask on");
		return err_hint(err, "--yes removes them without a question");
	}
	if (find(l, err) < 0)
		return err_prefix(err, "rm --merged");
	if (l->n == 0)
		output_warn("no session of this repository is merged");
	return l->n == 0 || args_has(args, "yes") ? 0 : confirm(l, err);
}
