/* args_rules.c - checks which options are given together, by the rules in the
 * command's table. */
#include <string.h>

#include "base/cleanup.h"
#include "commands/command.h"

bool args_is_listed(const char *words, const char *word)
{
	size_t len = strlen(word);

	while (words && *words) {
		size_t n = strcspn(words, " ");

		if (n == len && strncmp(words, word, n) == 0)
			return true;
		words += n + (words[n] == ' ');
	}
	return false;
}

/* Reports "--repo is only for set, unset and edit". words: verbs or options. */
static int err_only_for(const struct args *a, const struct command_option *o,
			const char *words, const char *dashes, const char *last,
			struct err *err)
{
	_buf_ struct buf list = {0};

	while (*words) {
		size_t n = strcspn(words, " ");

		if (list.len)
			buf_adds(&list, words[n] ? ", " : last);
		buf_addf(&list, "%s%.*s", dashes, (int)n, words);
		words += n + (words[n] == ' ');
	}
	return err_set(err, ERR_USAGE, "%s: --%s is only for %s",
		       a->command->name, o->name, list.data);
}

static int check_verb(const struct args *a, const struct command_option *o,
		      struct err *err)
{
	const char *name = a->verb ? a->verb->name : "-";

	if (!o->verbs || args_is_listed(o->verbs, name))
		return 0;
	if (args_is_listed(o->verbs, "-"))
		return err_set(err, ERR_USAGE, "%s: --%s is not for %s",
			       a->command->name, o->name, name);
	return err_only_for(a, o, o->verbs, "", " and ", err);
}

/* Returns 0 if both options may be given. */
static int check_pair(const struct args *a, const struct command_option *o,
		      const struct command_option *other, struct err *err)
{
	bool excluded = args_is_listed(o->not_with, other->name);

	if (!excluded && (!o->only_with || other == o ||
			  args_is_listed(o->only_with, other->name)))
		return 0;
	return err_set(
	    err, ERR_USAGE, "%s: --%s cannot be combined with --%s%s%s",
	    a->command->name, o->name, other->name,
	    excluded && o->why ? ": " : "", excluded && o->why ? o->why : "");
}

static int check_rules(const struct args *a, const struct command_option *o,
		       struct err *err)
{
	bool found = !o->needs;

	if (check_verb(a, o, err) < 0)
		return -1;
	for (size_t i = 0; i < a->n_given; i++) {
		const struct command_option *other = a->given[i].option;

		if (check_pair(a, o, other, err) < 0)
			return -1;
		found = found || args_is_listed(o->needs, other->name);
	}
	return found ? 0 : err_only_for(a, o, o->needs, "--", " or ", err);
}

int args_check_rules(const struct args *a, struct err *err)
{
	for (size_t k = 0; k < a->n_given; k++)
		if (check_rules(a, a->given[k].option, err) < 0)
			return -1;
	return 0;
}
