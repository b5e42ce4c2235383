/* test_args.c - command lines, by a command's own table. */
#include "commands/command.h"
#include "support_unit.h"

static const struct command_option options[] = {
    {.name = "all", .letter = 'a', .help = "a flag"},
    {.name = "base", .letter = 'b', .arg = "BASE", .help = "a value"},
    {.name = "env", .letter = 'e', .arg = "K=V", .many = true, .help = "more"},
    {.name = "long-only", .arg = "TIME", .help = "no letter"},
    {.name = "lines",
     .arg = "N",
     .unit = "lines",
     .min = 1,
     .max = 9,
     .help = "n"},
    {.name = "group", .arg = "GROUP", .help = "a name"},
    {.name = NULL},
};

static const struct command cmd = {
    .name = "cmd",
    .usage = "NAME",
    .min_args = 1,
    .max_args = 2,
    .options = options,
};

static struct args a;
static struct err err;

/* Parses words (NULL ends) with c. */
static int parse(const struct command *c, const char *const *words)
{
	static char *argv[16]; /* kept: the result borrows them */
	int n = 0;

	args_finish(&a);
	err_clear(&err);
	for (; words[n]; n++) {
		free(argv[n]);
		argv[n] = strdup(words[n]);
	}
	free(argv[n]);
	argv[n] = NULL;
	return args_parse(&a, c, n, argv, &err);
}

#define PARSE(...) parse(&cmd, (const char *const[]){__VA_ARGS__, NULL})

static int finish_args(void **state)
{
	args_finish(&a);
	return 0;
}

FIXTURE(NULL, finish_args)

TEST(args__options_stand_anywhere)
{
	assert_int_equal(PARSE("one", "-a", "--base", "main", "two"), 0);
	assert_int_equal(a.n, 2);
	assert_string_equal(a.positional[0], "one");
	assert_string_equal(a.positional[1], "two");
	assert_true(args_has(&a, "all"));
	assert_string_equal(args_value(&a, "base"), "main");
	assert_null(args_value(&a, "env"));
	assert_false(args_has(&a, "long-only"));
}

TEST(args__letters_cluster)
{
	assert_int_equal(PARSE("-abmain", "one"), 0);
	assert_true(args_has(&a, "all"));
	assert_string_equal(args_value(&a, "base"), "main");
	assert_int_equal(PARSE("-ab", "main", "one"), 0);
	assert_string_equal(args_value(&a, "base"), "main");
	assert_int_equal(PARSE("-b", "-a", "one"), 0);
	assert_string_equal(args_value(&a, "base"), "-a");
	assert_false(args_has(&a, "all"));
}

TEST(args__values_with_an_equals_sign)
{
	assert_int_equal(PARSE("--base=", "one"), 0);
	assert_string_equal(args_value(&a, "base"), "");
	assert_int_equal(PARSE("--env=A=B=C", "one"), 0);
	assert_string_equal(args_value(&a, "env"), "A=B=C");
	assert_int_equal(PARSE("--all=yes", "one"), -1);
	assert_int_equal(err.kind, ERR_USAGE);
}

TEST(args__several_values_in_order)
{
	size_t i = 0;

	assert_int_equal(PARSE("-e", "A=1", "x", "--env", "B=2", "-eC=3"), 0);
	assert_string_equal(args_next(&a, "env", &i), "A=1");
	assert_string_equal(args_next(&a, "env", &i), "B=2");
	assert_string_equal(args_next(&a, "env", &i), "C=3");
	assert_null(args_next(&a, "env", &i));
	assert_string_equal(args_value(&a, "env"), "C=3");
}

TEST(args__two_dashes_end_them)
{
	struct command rest = cmd;

	assert_int_equal(PARSE("--", "-a", "--base"), 0);
	assert_int_equal(a.n, 2);
	assert_string_equal(a.positional[0], "-a");
	assert_false(args_has(&a, "all"));
	assert_null(a.rest);
	rest.rest = true;
	assert_int_equal(parse(&rest, (const char *const[]){"one", "--", "-a",
							    "--", "x", NULL}),
			 0);
	assert_int_equal(a.n, 1);
	assert_int_equal(a.n_rest, 3);
	assert_string_equal(a.rest[1], "--");
	assert_null(a.rest[3]);
	assert_int_equal(parse(&rest, (const char *const[]){"one", "--", NULL}),
			 0);
	assert_int_equal(a.n_rest, 0);
	assert_int_equal(parse(&rest, (const char *const[]){"one", NULL}), 0);
	assert_null(a.rest);
}

TEST(args__a_dash_alone_is_a_word)
{
	assert_int_equal(PARSE("-", "-b", "-"), 0);
	assert_string_equal(a.positional[0], "-");
	assert_string_equal(args_value(&a, "base"), "-");
}

TEST(args__unknown_ones_have_a_hint)
{
	assert_int_equal(PARSE("--bsae", "x", "one"), -1);
	assert_int_equal(err.kind, ERR_USAGE);
	assert_string_equal(err.hint, "did you mean --base?");
	assert_int_equal(PARSE("-ax", "one"), -1);
	assert_string_equal(err.hint, "see `afw cmd --help`");
	assert_int_equal(PARSE("-lall", "one"), -1);
	assert_string_equal(err.hint, "did you mean --all?");
	/* no abbreviations: an option that comes later would change them */
	assert_int_equal(PARSE("--bas=x", "one"), -1);
	assert_int_equal(PARSE("--long-onlyx", "one"), -1);
}

TEST(args__missing_values_and_words)
{
	assert_int_equal(PARSE("one", "--base"), -1);
	assert_non_null(strstr(err.what, "--base needs a value"));
	assert_int_equal(PARSE("one", "-b"), -1);
	assert_int_equal(PARSE("-a"), -1);
	assert_non_null(strstr(err.what, "cmd: NAME is missing"));
	assert_int_equal(PARSE("1", "2", "3\033[31m"), -1);
	assert_non_null(strstr(err.what, "too many"));
	assert_null(strchr(err.what, '\033'));
	assert_non_null(strstr(err.hint, "afw cmd NAME"));
}

TEST(args__help_needs_nothing_else)
{
	assert_int_equal(PARSE("--help"), 0);
	assert_true(args_has(&a, "help"));
	assert_int_equal(PARSE("-h"), 0);
	assert_true(args_has(&a, "help"));
}

TEST(args__durations)
{
	assert_int_equal(PARSE("one"), 0);
	assert_int_equal(args_duration_ms(&a, "long-only", 7), 7);
	assert_int_equal(PARSE("one", "--long-only", "2m"), 0);
	assert_int_equal(args_duration_ms(&a, "long-only", 7), 120000);
	assert_int_equal(PARSE("one", "--long-only=-1"), -1);
	assert_int_equal(err.kind, ERR_USAGE);
}

TEST(args__numbers_and_groups)
{
	assert_int_equal(PARSE("one"), 0);
	assert_int_equal(args_number(&a, "lines", 7), 7);
	assert_int_equal(PARSE("one", "--lines", "9"), 0);
	assert_int_equal(args_number(&a, "lines", 7), 9);
	for (const char *const *bad =
		 (const char *const[]){"0", "10", "x", "1x", "", NULL};
	     *bad; bad++) {
		assert_int_equal(PARSE("one", "--lines", *bad), -1);
		assert_non_null(strstr(err.what, "is not a number of lines"));
		assert_string_equal(err.hint, "1 to 9");
	}
	assert_int_equal(PARSE("one", "--group", "web"), 0);
	assert_int_equal(PARSE("one", "--group", "../x"), -1);
}

/* -- verbs, and options that need or exclude each other ---------------------
 */

static int ran(const struct args *args, struct err *e)
{
	(void)e;
	return (int)args->n;
}

static const struct verb verbs[] = {
    {"ls", "", NULL, 0, 0, ran},
    {"move", "NAME TO", NULL, 2, 2, ran},
    {.name = NULL},
};

static const struct command_option ruled[] = {
    {.name = "json", .help = "h", .verbs = "- ls"},
    {.name = "force", .letter = 'f', .help = "h", .verbs = "move"},
    {.name = "raw", .help = "h", .not_with = "json cast", .why = "so"},
    {.name = "cast", .help = "h", .needs = "deep raw"},
    {.name = "deep", .help = "h"},
    {.name = "alone", .help = "h", .only_with = "deep"},
    {.name = NULL},
};

static const struct command with_verbs = {
    .name = "cmd",
    .usage = "",
    .verbs = verbs,
    .options = ruled,
    .run = ran,
};

#define RULED(...) parse(&with_verbs, (const char *const[]){__VA_ARGS__, NULL})

TEST(args__a_verb_has_its_own_words)
{
	assert_int_equal(parse(&with_verbs, (const char *const[]){NULL}), 0);
	assert_null(a.verb);
	assert_int_equal(RULED("-f", "move", "a", "b"), 0);
	assert_string_equal(a.verb->name, "move");
	assert_int_equal(args_run(&a, &err), 2);
	assert_string_equal(a.positional[1], "b");
	assert_null(a.positional[2]);
	assert_int_equal(RULED("move", "a"), -1);
	assert_string_equal(err.what, "cmd move: TO is missing");
	assert_string_equal(err.hint, "usage: afw cmd move NAME TO");
	assert_int_equal(RULED("ls", "a"), -1);
	assert_string_equal(err.what, "cmd ls: too many arguments: 'a'");
	assert_int_equal(RULED("mov", "a", "b"), -1);
	assert_string_equal(err.what, "cmd: 'mov' is not one of ls, move");
	assert_string_equal(err.hint, "did you mean move?");
	assert_int_equal(RULED("quite-other"), -1);
	assert_string_equal(err.hint, "see `afw cmd --help`");
}

/* Whether words are refused with that. */
static void refuses(const char *what, const char *const *words)
{
	assert_int_equal(parse(&with_verbs, words), -1);
	assert_int_equal(err.kind, ERR_USAGE);
	assert_string_equal(err.what, what);
}
#define REFUSES(what, ...)                                                     \
	refuses(what, (const char *const[]){__VA_ARGS__, NULL})

TEST(args__options_that_go_together)
{
	assert_int_equal(RULED("--json"), 0);
	assert_int_equal(RULED("ls", "--json"), 0);
	assert_int_equal(RULED("--cast", "--deep"), 0);
	assert_int_equal(RULED("--deep", "--alone", "--alone"), 0);
	REFUSES("cmd: --json is not for move", "move", "a", "b", "--json");
	REFUSES("cmd: --force is only for move", "ls", "-f");
	REFUSES("cmd: --force is only for move", "-f");
	REFUSES("cmd: --raw cannot be combined with --json: so", "--json",
		"--raw");
	REFUSES("cmd: --raw cannot be combined with --cast: so", "--cast",
		"--raw");
	REFUSES("cmd: --cast is only for --deep or --raw", "--cast");
	REFUSES("cmd: --alone cannot be combined with --json", "--json",
		"--alone");
	assert_int_equal(RULED("--raw", "--json", "--help"), 0);
}

/* Each word of a rule is an option or a verb of the command. */
static void check_words(const struct command *c, const char *words, bool verb)
{
	char copy[200], *rest = copy;

	snprintf(copy, sizeof copy, "%s", words ? words : "");
	for (char *w; (w = strtok_r(rest, " ", &rest));) {
		const struct command_option *o = c->options;

		while (o->name && strcmp(o->name, w) != 0)
			o++;
		assert_true(verb ? *w == '-' || command_verb(c, w) : !!o->name);
	}
}

TEST(commands__rules_name_what_there_is)
{
	for (size_t i = 0; commands[i]; i++) {
		const struct command *c = commands[i];
		size_t n = 0;

		for (const struct verb *v = c->verbs; v && v->name; v++, n++)
			assert_true(v->usage && v->run);
		assert_true(n < 16); /* VERBS_MAX */
		for (const struct command_option *o = c->options; o && o->name;
		     o++) {
			check_words(c, o->verbs, true);
			check_words(c, o->not_with, false);
			check_words(c, o->only_with, false);
			check_words(c, o->needs, false);
		}
	}
}

TEST(commands__table_is_whole)
{
	for (size_t i = 0; commands[i]; i++) {
		const struct command *c = commands[i];

		assert_non_null(command_purposes[i]);
		assert_ptr_equal(command_find(c->name), c);
		assert_non_null(c->usage);
		assert_non_null(c->summary);
		assert_true((c->run != NULL) != (c->each != NULL));
		for (const struct command_option *o = c->options; o && o->name;
		     o++) {
			assert_non_null(o->help);
			assert_int_not_equal(o->letter, 'h');
			for (const struct command_option *p = o + 1; p->name;
			     p++) {
				assert_string_not_equal(o->name, p->name);
				assert_true(!o->letter ||
					    o->letter != p->letter);
			}
		}
	}
	assert_null(command_find("nothing"));
	assert_null(command_find(""));
}
