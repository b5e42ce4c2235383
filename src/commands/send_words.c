/* send_words.c - finds which words of afw send are sessions, and which are the
 * text. */
#include "commands/send_words.h"

#include <string.h>

bool send_words_for_many(const struct args *args)
{
	return args_has(args, "all") || args_has(args, "group");
}

/* Returns whether the text is "-", standard input; after "--" it is a text. */
static bool is_stdin(const struct args *args, bool all)
{
	size_t last = args->n - 1;

	return !args->rest && !args_has(args, "keys") &&
	       !args_has(args, "message") && !args_has(args, "file") &&
	       args->n && last <= (all ? 0 : 1) &&
	       strcmp(args->positional[last], "-") == 0;
}

/* Names, or a text that has the option in it, would go to all sessions. */
static int err_names_and_all(const struct args *args, struct err *err)
{
	bool all = args_has(args, "all");

	err_set(err, ERR_USAGE,
		"send: either names ('%.64s') or --%s, not both",
		args->positional[0], all ? "all" : "group");
	return err_hint(err, "for a text: `afw send --%s -- TEXT`",
			all ? "all" : "group GROUP");
}

int send_words_split(const struct args *args, struct send_words *w,
		     struct err *err)
{
	bool all = send_words_for_many(args), in = is_stdin(args, all), given;

	if (args_has(args, "all") && args_has(args, "group"))
		return err_set(err, ERR_USAGE,
			       "send: either --all or --group, not both");
	w->text = args_value(args, "message");
	w->file = in ? "-" : args_value(args, "file");
	given = w->text || w->file;
	if (all)
		w->names = 0;
	else if (in)
		w->names = args->n - 1;
	else if (given || args->rest)
		w->names = args->n;
	else
		w->names = args->n ? 1 : 0;
	if (!all && !given && w->names == 0) {
		err_set(err, ERR_USAGE, "send: to which session?");
		return err_hint(err, "usage: afw send %s",
				args->command->usage);
	}
	if (all && args->n && !in && (args->rest || !args_has(args, "keys")))
		return err_names_and_all(args, err);
	if (given && !in && (args->n > w->names || args->rest))
		return err_set(err, ERR_USAGE,
			       "send: either --%s or a text, not both",
			       w->file ? "file" : "message");
	return 0;
}

/* Refuses an option between the words: it may be a part of the text. */
static int check_options(const struct args *args, size_t names, struct err *err)
{
	for (size_t i = 0; i < args->n_given; i++) {
		const struct args_option *g = &args->given[i];

		if (g->words <= names || g->words == args->n)
			continue;
		err_set(err, ERR_USAGE,
			"send: --%s is in the middle of the text",
			g->option->name);
		return err_hint(err,
				"`afw send NAME -- TEXT` if it is a part of "
				"the text; options come first or last");
	}
	return 0;
}

/* Joins the words that are not names with spaces. */
static void join_words(struct buf *text, const struct args *args, size_t from)
{
	for (size_t i = from; i < args->n; i++)
		buf_addf(text, "%s%s", text->len ? " " : "",
			 args->positional[i]);
	for (size_t i = 0; i < args->n_rest; i++)
		buf_addf(text, "%s%s", text->len ? " " : "", args->rest[i]);
}

int send_words_join(const struct args *args, const struct send_words *w,
		    struct buf *text, struct err *err)
{
	if (w->file || w->text)
		return 0;
	if (check_options(args, w->names, err) < 0)
		return -1;
	join_words(text, args, w->names);
	return 0;
}
