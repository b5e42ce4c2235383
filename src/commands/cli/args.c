/* args.c - parses a command line by the command's table of options. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/nearest.h"
#include "base/spawn.h"
#include "base/words.h"
#include "commands/command.h"
#include "session/disk/groups.h"

#define VERBS_MAX 15 /* at most, of a command; test_args checks it */

const struct command_option command_help_option = {
    .name = "help", .letter = 'h', .help = "show this help"};

static bool is_called(const struct command_option *o, const char *name,
		      size_t len)
{
	return (strlen(o->name) == len && strncmp(o->name, name, len) == 0) ||
	       (o->old_name && strlen(o->old_name) == len &&
		strncmp(o->old_name, name, len) == 0);
}

/* Finds an option by its letter, or by its name if the letter is 0. */
static const struct command_option *
find_option(const struct command *c, char letter, const char *name, size_t len)
{
	const struct command_option *o = c->options;

	for (; o && o->name; o++)
		if (letter ? o->letter == letter : is_called(o, name, len))
			return o;
	o = &command_help_option;
	return (letter ? o->letter == letter : is_called(o, name, len)) ? o
									: NULL;
}

static int err_unknown_option(const struct command *c, const char *what,
			      struct err *err)
{
	size_t len = strcspn(what, "="), n = 0;
	char *name = mem_strndup(what, len);
	const char *names[64], *best;

	err_set(err, ERR_USAGE, "%s: no option '%.60s'", c->name, name);
	for (const struct command_option *o = c->options;
	     o && o->name && n < 62; o++)
		names[n++] = o->name;
	names[n++] = "help";
	names[n] = NULL;
	/* Letters after a single dash are not a misspelt name. */
	best = len > 3 ? nearest_of(name + strspn(name, "-"), names) : NULL;
	free(name);
	if (best)
		return err_hint(err, "did you mean --%s?", best);
	return err_hint(err, "see `afw %s --help`", c->name);
}

static void add_option(struct args *a, const struct command_option *o,
		       const char *value)
{
	a->given = mem_realloc(a->given, (a->n_given + 1) * sizeof *a->given);
	a->given[a->n_given++] =
	    (struct args_option){.option = o, .value = value, .words = a->n};
}

static bool needs_value(const struct command_option *o)
{
	return o->arg && o->arg[0] != '[';
}

/* Parses --name, --name=value or --name value at argv[*i]. */
static int parse_long(struct args *a, int argc, char **argv, int *i,
		      struct err *err)
{
	const char *name = argv[*i] + 2, *eq = strchr(name, '=');
	size_t len = eq ? (size_t)(eq - name) : strlen(name);
	const struct command_option *o = find_option(a->command, 0, name, len);

	if (!o)
		return err_unknown_option(a->command, argv[*i], err);
	if (!o->arg && eq)
		return err_set(err, ERR_USAGE, "%s: --%s takes no value",
			       a->command->name, o->name);
	if (needs_value(o) && !eq && *i + 1 >= argc)
		return err_set(err, ERR_USAGE, "%s: --%s needs a value (%s)",
			       a->command->name, o->name, o->arg);
	add_option(a, o, eq ? eq + 1 : needs_value(o) ? argv[++*i] : NULL);
	return 0;
}

/* Parses -abc, -avalue or -a value at argv[*i]. */
static int parse_letters(struct args *a, int argc, char **argv, int *i,
			 struct err *err)
{
	for (const char *p = argv[*i] + 1; *p; p++) {
		const struct command_option *o =
		    find_option(a->command, *p, "", 0);

		if (!o)
			return err_unknown_option(a->command, argv[*i], err);
		if (!o->arg || (!p[1] && !needs_value(o))) {
			add_option(a, o, NULL);
			continue;
		}
		if (!p[1] && *i + 1 >= argc)
			return err_set(err, ERR_USAGE,
				       "%s: -%c needs a value (%s)",
				       a->command->name, o->letter, o->arg);
		if (p[1] == '=') {
			err_set(err, ERR_USAGE,
				"%s: the value of -%c follows without '='",
				a->command->name, o->letter);
			return err_hint(err, "-%c %s, or --%s%s", o->letter,
					p + 2, o->name, p + 1);
		}
		add_option(a, o, p[1] ? p + 1 : argv[++*i]);
		break;
	}
	return 0;
}

/* Reports the first missing argument. The usage lists the required words first:
 * "NAME...". */
static int err_missing_word(const struct args *a, struct err *err)
{
	const struct verb *v = a->verb;
	const char *word = v ? v->usage : a->command->usage;

	for (size_t i = 0; i < a->n; i++) {
		word += strcspn(word, " ");
		word += strspn(word, " ");
	}
	return err_set(err, ERR_USAGE, "%s%s%s: %.*s is missing",
		       a->command->name, v ? " " : "", v ? v->name : "",
		       (int)strcspn(word, " ."), word);
}

static int usage_hint(const struct args *a, struct err *err)
{
	const struct verb *v = a->verb;
	_buf_ struct buf usage = {0};

	if (v)
		return err_hint(err, "usage: afw %s %s%s%s", a->command->name,
				v->name, v->usage[0] ? " " : "", v->usage);
	command_add_usage(a->command, &usage);
	return err_hint(err, "usage: afw %s%s", a->command->name,
			usage.len ? usage.data : "");
}

/* Reports that the first word is not a verb. */
static int err_no_verb(const struct args *a, struct err *err)
{
	const char *names[VERBS_MAX + 1], *best;
	_buf_ struct buf list = {0};
	size_t n = 0;

	for (const struct verb *v = a->command->verbs; v->name; v++) {
		names[n++] = v->name;
		buf_addf(&list, "%s%s", n > 1 ? ", " : "", v->name);
	}
	names[n] = NULL;
	best = nearest_of(a->positional[0], names);
	err_set(err, ERR_USAGE,
		n > 1 ? "%s: '%.40s' is not one of %s"
		      : "%s: '%.40s' is unknown: the only word is %s",
		a->command->name, a->positional[0], list.data);
	return best ? err_hint(err, "did you mean %s?", best)
		    : err_hint(err, "see `afw %s --help`", a->command->name);
}

static int check_count(const struct args *a, struct err *err)
{
	const struct command *c = a->command;
	const struct verb *v = a->verb;
	int min = v ? v->min_args : c->min_args;
	int max = v ? v->max_args : c->max_args;

	if (a->n < (size_t)min)
		err_missing_word(a, err);
	else if (max < 0 || a->n <= (size_t)max)
		return 0;
	else if (c->verbs && !v)
		return err_no_verb(a, err);
	else
		err_set(err, ERR_USAGE, "%s%s%s: too many arguments: '%.60s'",
			c->name, v ? " " : "", v ? v->name : "",
			a->positional[max]);
	return usage_hint(a, err);
}

/* Removes a verb from the arguments. */
static void remove_verb(struct args *a)
{
	a->verb = a->n ? command_verb(a->command, a->positional[0]) : NULL;
	if (a->verb)
		memmove(a->positional, a->positional + 1,
			a->n-- * sizeof *a->positional);
}

int args_run(const struct args *a, struct err *err)
{
	return a->verb ? a->verb->run(a, err) : a->command->run(a, err);
}

/* -- values ---------------------------------------------------------------- */

/* Checks a value of one of the kinds that all commands share. */
static int check_value(const struct args *a, const struct args_option *g,
		       struct err *err)
{
	const struct command_option *o = g->option;
	char *end;
	long n;

	if (o->arg && strcmp(o->arg, "TIME") == 0 &&
	    clock_duration_ms(g->value) < 0) {
		err_set(err, ERR_USAGE, "%s: --%s '%.40s' is not a time",
			a->command->name, o->name, g->value);
		return err_hint(err, "for example 500ms, 30s, 5m, 1h");
	}
	if (o->arg && strcmp(o->arg, "GROUP") == 0)
		return groups_check(g->value, err);
	if (!o->unit)
		return 0;
	errno = 0;
	n = strtol(g->value, &end, 10);
	if (!errno && end != g->value && !*end && n >= o->min && n <= o->max)
		return 0;
	err_set(err, ERR_USAGE, "%s: --%s '%.40s' is not a number of %s",
		a->command->name, o->name, g->value, o->unit);
	return err_hint(err, "%ld to %ld", o->min, o->max);
}

/* Returns whether the word at i begins a command instead of being a text. With
 * -a there is no command. */
static bool starts_command(const struct args *a, int argc, char **argv, int i)
{
	_free_ char *program = NULL;

	if (!a->command->takes_text || a->n != 1 || strpbrk(argv[i], " \t\n"))
		return false;
	for (int k = 0; k < argc && strcmp(argv[k], "--") != 0; k++)
		if (strncmp(argv[k], "-a", 2) == 0 ||
		    strncmp(argv[k], "--harness", 9) == 0 ||
		    strncmp(argv[k], "--agent", 7) == 0)
			return false;
	program = spawn_find(argv[i]);
	return program != NULL;
}

/* Reports argv[i] as one argument too many. The likely cause is a command
 * without "--" before it. */
static int err_too_many(const struct args *a, int argc, char **argv, int i,
			struct err *err)
{
	_buf_ struct buf line = {0};
	bool dashes = !args_has(a, "agent");

	err_set(err, ERR_USAGE, "%s: too many arguments: '%.60s'",
		a->command->name, argv[i]);
	for (int k = 0; k < argc; k++) {
		buf_adds(&line, k == i ? " -- " : " ");
		words_quote_shown(argv[k], &line);
		dashes = dashes && strcmp(argv[k], "--") != 0;
	}
	if (a->command->takes_text && a->n == 2)
		err_hint(err,
			 "a text of several words needs quotes: `afw %s "
			 "NAME \"TEXT\"`",
			 a->command->name);
	else if (dashes && line.len < sizeof err->hint / 2)
		err_hint(err, "put -- before the command: `afw %s%s`",
			 a->command->name, line.data);
	else
		usage_hint(a, err);
	return -1;
}

int args_parse(struct args *a, const struct command *c, int argc, char **argv,
	       struct err *err)
{
	int i;

	*a = (struct args){.command = c};
	a->positional = mem_alloc(((size_t)argc + 1) * sizeof *a->positional);
	for (i = 0; i < argc; i++) {
		int rc = 0;

		if (strcmp(argv[i], "--") == 0 && c->rest)
			break;
		if (strcmp(argv[i], "--") == 0) {
			while (++i < argc)
				a->positional[a->n++] = argv[i];
			break;
		}
		if (strncmp(argv[i], "--", 2) == 0)
			rc = parse_long(a, argc, argv, &i, err);
		else if (argv[i][0] == '-' && argv[i][1])
			rc = parse_letters(a, argc, argv, &i, err);
		else if (c->rest && !c->verbs && c->max_args >= 0 &&
			 (a->n == (size_t)c->max_args ||
			  starts_command(a, argc, argv, i)))
			rc = err_too_many(a, argc, argv, i, err);
		else
			a->positional[a->n++] = argv[i];
		if (rc < 0)
			return -1;
	}
	if (i < argc && c->rest) {
		a->rest = (const char **)(void *)(argv + i + 1);
		a->n_rest = (size_t)(argc - i - 1);
	}
	remove_verb(a);
	if (args_has(a, "help"))
		return 0;
	for (size_t k = 0; k < a->n_given; k++)
		if (check_value(a, &a->given[k], err) < 0)
			return -1;
	return check_count(a, err) < 0 ? -1 : args_check_rules(a, err);
}

void args_finish(struct args *a)
{
	free(a->positional);
	free(a->given);
	*a = (struct args){0};
}

size_t args_sessions(const struct args *a)
{
	return a->n ? a->n : 1;
}

const char *args_next(const struct args *a, const char *option, size_t *i)
{
	while (*i < a->n_given) {
		const struct args_option *g = &a->given[(*i)++];

		if (strcmp(g->option->name, option) == 0)
			return g->value ? g->value : "";
	}
	return NULL;
}

const char *args_value(const struct args *a, const char *option)
{
	const char *value = NULL, *next;
	size_t i = 0;

	while ((next = args_next(a, option, &i)))
		value = next;
	return value;
}

bool args_has(const struct args *a, const char *option)
{
	size_t i = 0;

	return args_next(a, option, &i) != NULL;
}

int64_t args_duration_ms(const struct args *a, const char *option,
			 int64_t other)
{
	const char *text = args_value(a, option);

	return text ? clock_duration_ms(text) : other;
}

long args_number(const struct args *a, const char *option, long other)
{
	const char *text = args_value(a, option);

	return text ? strtol(text, NULL, 10) : other;
}
