/* test_tmux_args.c - the arguments of tmux. */
#include "terminal/terminal.h"
#include "terminal/tmux_args.h"
#include "support_unit.h"

static bool has(const struct strv *argv, const char *word)
{
	for (size_t i = 0; i < argv->n; i++)
		if (strcmp(argv->v[i], word) == 0)
			return true;
	return false;
}

TEST(tmux_args__versions_are_numbers)
{
	static const struct {
		const char *text;
		int version;
	} cases[] = {{"tmux 3.3a\n", 303},
		     {"tmux 3.2", 302},
		     {"tmux 1.8\n", 108},
		     {"tmux next-3.8", 308},
		     {"tmux master\n", 9900},
		     {"tmux 3.10", 310},
		     {"tmux openbsd-7.2", 702},
		     {"tmux 4", 400},
		     {"tmux", -1},
		     {"screen 4.09", -1},
		     {"", -1},
		     {"tmux x", -1}};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		assert_int_equal(tmux_args_version(cases[i].text),
				 cases[i].version);
}

TEST(tmux_args__tells_when_somebody_typed)
{
	static const int64_t now = 1795275420500;
	static const struct {
		const char *answer;
		int64_t ago;
	} cases[] = {
	    {"1795275400 1795275410\n", 9501},
	    {"1795275400 1795275420\n", 0}, /* in this same second */
	    {"1795275400 1795275419\n", 501},
	    {"1795275400 1795275422\n", 0},
	    {"1795275400 1795279000\n",
	     TERMINAL_TYPED_NEVER}, /* the clock was set back */
	    {" 1795275410\n",
	     TERMINAL_TYPED_NEVER}, /* never attached: one number */
	    {"0 1795275410\n", TERMINAL_TYPED_NEVER},
	    {"", TERMINAL_TYPED_UNKNOWN},
	    {"1795275410\n", TERMINAL_TYPED_UNKNOWN},
	    {"no server running on x\n", TERMINAL_TYPED_UNKNOWN},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		assert_int_equal(tmux_args_typed_ago(cases[i].answer, now),
				 cases[i].ago);
}

TEST(tmux_args__keys_are_tmuxs)
{
	static const struct {
		const char *name, *tmux;
	} cases[] = {{"C-\\", "C-\\"},
		     {"A-x", "M-x"},
		     {"F12", "F12"},
		     {"C-;", "C-\\;"},
		     {"M-Backspace", "M-BSpace"},
		     {"C-a-", "C-a-"},
		     {"^x", "^x"},
		     {"", NULL},
		     {"-x", NULL},
		     {"C-a b", NULL},
		     {"a\nkill-server", NULL}};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char *key = tmux_args_key(cases[i].name);

		if (cases[i].tmux)
			assert_string_equal(key, cases[i].tmux);
		else
			assert_null(key);
		free(key);
	}
}

TEST(tmux_args__a_pane_needs_no_shell)
{
	struct tmux_args_start st = {.socket = "/r/x.tmux",
				     .config = "/s/tmux.conf",
				     .cols = 80,
				     .rows = 24,
				     .program = "/l/afw-supervisor",
				     .pane_socket = "/r/x.pane"};
	struct strv argv = {0};
	size_t i = 0;

	tmux_args_start(&st, &argv);
	while (strcmp(argv.v[i], "--") != 0)
		i++;
	assert_string_equal(argv.v[i + 1], "/l/afw-supervisor");
	assert_string_equal(argv.v[i + 2], "pane");
	assert_string_equal(argv.v[i + 3], "/r/x.pane");
	assert_string_equal(argv.v[i + 4], ";");
	/* What the pipe's shell runs names no path. */
	assert_null(strchr(argv.v[argv.n - 1], '/'));
	assert_false(has(&argv, "-c"));
	strv_finish(&argv);
}

TEST(tmux_args__new_ones_are_told_not_to_sanitize)
{
	struct strv old = {0}, new = {0};

	tmux_args_write("/r/x", "%0", 303, &old);
	tmux_args_write("/r/x", "%0", 307, &new);
	assert_false(has(&old, "-p"));
	assert_true(has(&old, "-r"));
	assert_int_equal(old.n + 1, new.n);
	/* Before it, -S is the socket's. */
	assert_string_equal(new.v[new.n - 3], "-S");
	strv_finish(&old);
	strv_finish(&new);
}
