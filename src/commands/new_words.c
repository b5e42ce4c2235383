/*
 * new_words.c - reads the words of afw new. `afw new NAME TASK` is what most
 * people type first, so the second word is the task. Without NAME the task
 * gives the session its name.
 */
#include "commands/new_words.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/name.h"
#include "commands/launch/task_name.h"
#include "session/session.h"

static bool has_task(const struct args *args)
{
	return args_has(args, "message") || args_has(args, "file");
}

/* Makes the last word the option -m. */
static void move_task(struct args *a)
{
	const struct command_option *o = a->command->options;

	while (strcmp(o->name, "message") != 0)
		o++;
	a->given[a->n_given++] =
	    (struct args_option){.option = o, .value = a->positional[--a->n]};
	a->positional[a->n] = NULL;
}

static int make_name(struct new_words *w, struct err *err)
{
	_free_ char *repository = session_repository_here();

	if (w->read.message.len == 0)
		return err_set(err, ERR_USAGE,
			       "new: the first task is empty, and there is no "
			       "NAME");
	w->name = task_name(w->read.message.data, repository, err);
	if (!w->name)
		return err_prefix(err, "new");
	w->args.positional[0] = w->name;
	w->args.n = 1;
	return 0;
}

int new_words_read(struct new_words *w, const struct args *args,
		   struct err *err)
{
	const char *last = args->n ? args->positional[args->n - 1] : NULL;
	struct args *a = &w->args;

	*w = (struct new_words){.args = *args, .read.args = &w->args};
	a->positional = mem_alloc(3 * sizeof *a->positional);
	for (size_t i = 0; i < args->n; i++)
		a->positional[i] = args->positional[i];
	a->given = mem_alloc((args->n_given + 1) * sizeof *a->given);
	for (size_t i = 0; i < args->n_given; i++)
		a->given[i] = args->given[i];
	if (args->n == 2 && has_task(args))
		return err_set(err, ERR_USAGE,
			       "new: the task is given twice: '%.60s'", last);
	if (args->n == 2 || (last && strpbrk(last, " \t\n") && !has_task(args)))
		move_task(a);
	if (args_check_rules(a, err) < 0)
		return -1;
	if (a->n == 0 && !has_task(a)) {
		err_set(err, ERR_USAGE, "new: NAME is missing, and a task");
		return err_hint(err, "usage: afw new [options] %s",
				args->command->usage);
	}
	if (a->n == 1 && name_check(a->positional[0], err) < 0)
		return -1;
	if (plan_read(&w->read, err) < 0)
		return -1;
	return a->n == 1 ? 0 : make_name(w, err);
}

void new_words_finish(struct new_words *w)
{
	args_finish(&w->args);
	plan_finish(&w->read);
	free(w->name);
}
