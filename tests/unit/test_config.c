/* test_config.c - files laid over each other, and every mistake in them. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "config/config.h"
#include "config/trust.h"

static char root[64];
static struct config_where where;
static struct err err;

static bool harness_key(size_t i, struct config_harness_key *out)
{
	static const struct config_harness_key keys[] = {
	    {"command", false},
	    {"waiting", true},
	    {"busy", true},
	};

	if (i >= sizeof keys / sizeof keys[0])
		return false;
	*out = keys[i];
	return true;
}

static int harness_check(const char *key, const char *value, struct err *e)
{
	if (strchr(value, '('))
		return err_set(e, ERR_FAILED, "%s: '%s': bad", key, value);
	return 0;
}

static const struct config_harness_keys harness_keys = {
    .at = harness_key,
    .check = harness_check,
};

static const char *at(const char *name)
{
	static char path[256];

	snprintf(path, sizeof path, "%s/%s", root, name);
	return path;
}

static void put_bytes(const char *name, const void *data, size_t len)
{
	char *path = mem_strdup(at(name));
	int fd;

	for (char *s = path + strlen(root) + 1; (s = strchr(s, '/')); s++) {
		*s = '\0';
		mkdir(path, 0700);
		*s = '/';
	}
	unlink(path);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(file_write_all(fd, data, len), 0);
	close(fd);
	free(path);
}

static void put(const char *name, const char *text)
{
	put_bytes(name, text, strlen(text));
}

#define BIG  ((size_t)300 * 1024)
#define USER "config/afw/afw.ini"
#define REPO "repo/.af/afw.ini"

static int setup(void **state)
{
	static char data[96], repo[96], share[96];

	(void)state;
	snprintf(root, sizeof root, "/tmp/afw-config-XXXXXX");
	assert_non_null(mkdtemp(root));
	snprintf(data, sizeof data, "%s/data", root);
	snprintf(repo, sizeof repo, "%s/repo", root);
	snprintf(share, sizeof share, "%s/share", root);
	setenv("XDG_CONFIG_HOME", at("config"), 1);
	where = (struct config_where){
	    .data_dir = data,
	    .repository = repo,
	    .share_dir = share,
	    .harness_keys = &harness_keys,
	};
	memset(&err, 0, sizeof err);
	return 0;
}

static int teardown(void **state)
{
	char rm[] = "rm", rf[] = "-rf";
	char *const argv[] = {rm, rf, root, NULL};
	pid_t pid;

	(void)state;
	pid = fork();
	if (pid == 0) {
		execvp(argv[0], argv);
		_exit(127);
	}
	waitpid(pid, NULL, 0);
	return 0;
}

static struct config *load(void)
{
	struct config *c;

	if (config_load(&c, &where, &err) < 0)
		fail_msg("%s", err.what);
	return c;
}

/* Loading must fail, the message hold every one of the strings. */
static void refused(const char *const *words)
{
	struct config *c;

	assert_int_equal(config_load(&c, &where, &err), -1);
	assert_null(c);
	assert_int_equal(err.kind, ERR_FAILED);
	for (; *words; words++)
		if (!strstr(err.what, *words))
			fail_msg("'%s' is not in: %s", *words, err.what);
}
#define REFUSED(...) refused((const char *const[]){__VA_ARGS__, NULL})

static void trust_repo(const char *text)
{
	put(REPO, text);
	assert_int_equal(trust_grant(where.data_dir, where.repository, text,
				     strlen(text), &err),
			 0);
}

static void is(const struct config *c, enum option_id id, const char *text)
{
	char *is_text = config_text(c, id);

	assert_string_equal(is_text, text);
	free(is_text);
}

static void test_config__defaults_without_files(void **state)
{
	struct config *c = load();

	(void)state;
	assert_string_equal(config_str(c, OPTION_HARNESS), "claude");
	assert_string_equal(config_str(c, OPTION_BACKEND), "pty");
	assert_string_equal(config_str(c, OPTION_DETACH_KEY), "C-\\");
	assert_int_equal(config_int(c, OPTION_SETUP_TIMEOUT), 600000);
	assert_int_equal(config_int(c, OPTION_STOP_TIMEOUT), 5000);
	assert_int_equal(config_int(c, OPTION_TRANSCRIPT_MAX), 8 << 20);
	assert_true(config_bool(c, OPTION_DASHBOARD_PREVIEW));
	assert_int_equal(config_list(c, OPTION_COPY)->n, 0);
	assert_string_equal(config_origin(c, OPTION_BASE), "default");
	assert_null(config_untrusted(c));
	assert_false(config_repository_trusted(c));
	for (int i = 0; i < OPTION_COUNT; i++)
		is(c, (enum option_id)i, options[i].value);
	config_destroy(c);
}

static void test_config__later_files_win_and_lists_add_up(void **state)
{
	struct config *c;

	(void)state;
	put(USER, "harness = codex\nharness = gemini\n"
		  "copy = .env \"my file\"\ncopy = a\n   b ; comment\n"
		  "setup = make one\nsetup = make\n  'two words'\n"
		  "stop_timeout = 2m\n"
		  "[dashboard]\npreview = off\n");
	trust_repo("copy = c\nstop_timeout = 1s\n");
	c = load();
	assert_string_equal(config_str(c, OPTION_HARNESS), "gemini");
	is(c, OPTION_COPY, ".env \"my file\" a b c");
	is(c, OPTION_SETUP, "make \"two words\"");
	assert_int_equal(config_list(c, OPTION_SETUP)->n, 2);
	assert_int_equal(config_int(c, OPTION_STOP_TIMEOUT), 1000);
	assert_non_null(strstr(config_origin(c, OPTION_STOP_TIMEOUT),
			       "repo/.af/afw.ini:2"));
	assert_non_null(
	    strstr(config_origin(c, OPTION_HARNESS), "config/afw/afw.ini:2"));
	assert_false(config_bool(c, OPTION_DASHBOARD_PREVIEW));
	assert_true(config_repository_trusted(c));
	assert_int_equal(config_set(c, OPTION_COPY, "only", &err), 0);
	is(c, OPTION_COPY, "only");
	assert_string_equal(config_origin(c, OPTION_COPY), "command line");
	assert_int_equal(config_set(c, OPTION_BACKEND, "screen", &err), -1);
	assert_int_equal(err.kind, ERR_USAGE);
	assert_string_equal(config_str(c, OPTION_BACKEND), "pty");
	config_destroy(c);
}

static void test_config__empty_value_empties_a_list(void **state)
{
	struct config *c;

	(void)state;
	put(USER, "copy = a b\nlink = x\nlink =\n  y\n");
	trust_repo("copy =\n");
	c = load();
	is(c, OPTION_COPY, "");
	is(c, OPTION_LINK, "x y");
	config_destroy(c);
}

static void test_config__untrusted_repository_is_left_out(void **state)
{
	struct config *c;

	(void)state;
	put(REPO, "setup = rm -rf /\n");
	c = load();
	assert_int_equal(config_list(c, OPTION_SETUP)->n, 0);
	assert_non_null(strstr(config_untrusted(c), "repo/.af/afw.ini"));
	config_destroy(c);

	trust_repo("setup = make\n");
	c = load();
	is(c, OPTION_SETUP, "make");
	assert_null(config_untrusted(c));
	config_destroy(c);

	/* One byte changed. */
	put(REPO, "setup = makf\n");
	c = load();
	assert_int_equal(config_list(c, OPTION_SETUP)->n, 0);
	assert_non_null(config_untrusted(c));
	config_destroy(c);

	/* Broken in any way, but never an error without trust. */
	put(REPO, "nonsense\n");
	config_destroy(load());
	unlink(at(REPO));
	assert_int_equal(symlink("/etc/passwd", at(REPO)), 0);
	config_destroy(load());
	unlink(at(REPO));
	assert_int_equal(mkdir(at(REPO), 0700), 0);
	config_destroy(load());
}

static void test_config__trusted_repository_may_not_set_all(void **state)
{
	(void)state;
	trust_repo("\ndetach_key = none\n");
	REFUSED("repo/.af/afw.ini:2: ", "detach_key", "user");
	trust_repo("sandbox = none\n");
	REFUSED(":1: ", "sandbox");
}

static void test_config__mistakes_say_file_line_and_right_key(void **state)
{
	(void)state;
	put(USER, "# one\nsetpu = make\n");
	REFUSED("config/afw/afw.ini:2: unknown key 'setpu' (did you mean "
		"'setup'?)");
	put(USER, "qqqqqq = 1\n");
	REFUSED(":1: unknown key 'qqqqqq'");
	put(USER, "[dashbord]\npreview = yes\n");
	REFUSED(":2: unknown section [dashbord] (did you mean [dashboard]?)");
	put(USER, "[dashboard]\nprevew = yes\n");
	REFUSED(":2: unknown key 'prevew' (did you mean 'preview'?)");
	put(USER, "[dashboard]\nsetup = yes\n");
	REFUSED(":2: 'setup' does not belong in [dashboard]");
	put(USER, "preview = yes\n");
	REFUSED(":1: unknown key 'preview' (did you mean 'dashboard.preview'");
	put(USER, "[harnes.x]\ncommand = yes\n");
	REFUSED(":2: unknown section [harnes.x] (did you mean [harness.NAME]");
	put(USER, "[harness.x/y]\ncommand = yes\n");
	REFUSED(":2: [harness.x/y]: ");
	put(USER, "[harness.x]\ncomand = yes\n");
	REFUSED(":2: unknown key 'comand' of a harness", "'command'");
	put(USER, "[harness.x]\n\nwaiting = a(b\n");
	REFUSED(":3: waiting: 'a(b': ");
}

static void test_config__values_out_of_range_are_refused(void **state)
{
	(void)state;
	put(USER, "\n\nsetup_timeout = 2d\n");
	REFUSED(":3: setup_timeout: '2d' is out of range (1s to 1d)");
	put(USER, "setup_timeout = soon\n");
	REFUSED(":1: setup_timeout: 'soon' is not a duration");
	put(USER, "scrollback = 1000000\n");
	REFUSED(":1: scrollback: '1000000' is out of range (0 to 100000)");
	put(USER, "scrollback = -1\n");
	REFUSED(":1: scrollback: '-1' is not a number");
	put(USER, "scrollback = 99999999999999999999\n");
	REFUSED(":1: scrollback: ");
	put(USER, "transcript_max = 8X\n");
	REFUSED(":1: transcript_max: '8X' is not a size");
	put(USER, "transcript_max = 9999999999G\n");
	REFUSED(":1: transcript_max: ");
	put(USER, "backend = screen\n");
	REFUSED(":1: backend: 'screen' is none of pty, tmux");
	put(USER, "detach_key = C-m\n");
	REFUSED(":1: detach_key: ", "Enter");
	put(USER, "branch_prefix = -x/\n");
	REFUSED(":1: branch_prefix: '-x/': ");
	put(USER, "branch_prefix = a/../\n");
	REFUSED(":1: branch_prefix: 'a/../': ");
	put(USER, "copy = .env ../secret\n");
	REFUSED(":1: copy: '../secret': ");
	put(USER, "copy = /etc/passwd\n");
	REFUSED(":1: copy: '/etc/passwd': ");
	put(USER, "copy = .env # mine\n");
	REFUSED(":1: copy: ", "comment");
	put(USER, "setup = sh -c 'x\n");
	REFUSED(":1: setup: ", "left open");
	put(USER, "[dashboard]\npreview = maybe\n");
	REFUSED(":2: dashboard.preview: 'maybe' is neither yes nor no");
	put(USER, "term = ../../etc\n");
	REFUSED(":1: term: ");
	put(USER, "harness = ../x\n");
	REFUSED(":1: harness: ");
}

static void test_config__nothing_is_in_force_after_a_mistake(void **state)
{
	struct config *c;

	(void)state;
	put(USER, "harness = codex\nnonsense\n");
	assert_int_equal(config_load(&c, &where, &err), -1);
	assert_null(c);
}

static void test_config__file_itself_must_be_sound(void **state)
{
	char *big = mem_alloc(BIG);

	(void)state;
	put(USER, "harness = codex\n");
	assert_int_equal(chmod(at(USER), 0666), 0);
	REFUSED("afw.ini: ", "everybody");
	assert_non_null(strstr(err.hint, "chmod o-w"));
	if (geteuid() == 0) {
		put(USER, "harness = codex\n");
		assert_int_equal(chown(at(USER), 12345, 12345), 0);
		REFUSED("afw.ini: ", "someone else");
	} else {
		assert_int_equal(chmod(at(USER), 0), 0);
		REFUSED("afw.ini: ", "Permission denied");
	}
	memset(big, '#', BIG);
	put_bytes(USER, big, BIG);
	free(big);
	REFUSED("afw.ini: ", "larger than 256 KiB");
	unlink(at(USER));
	assert_int_equal(mkdir(at(USER), 0700), 0);
	REFUSED("afw.ini: ", "directory");
	assert_int_equal(rmdir(at(USER)), 0);
	assert_int_equal(mkfifo(at(USER), 0600), 0);
	REFUSED("afw.ini: ", "not a regular file");
	unlink(at(USER));

	/* A link to a file of ours is how people keep their dotfiles. */
	put("dotfiles", "harness = codex\n");
	{
		char *to = mem_strdup(at("dotfiles"));
		struct config *c;

		assert_int_equal(symlink(to, at(USER)), 0);
		c = load();
		assert_string_equal(config_str(c, OPTION_HARNESS), "codex");
		config_destroy(c);
		free(to);
	}
}

static void test_config__home_is_used_without_xdg(void **state)
{
	char *file;

	(void)state;
	setenv("HOME", "/home/u", 1);
	setenv("XDG_CONFIG_HOME", "relative", 1);
	file = config_user_file();
	assert_string_equal(file, "/home/u/.config/afw/afw.ini");
	free(file);
	unsetenv("XDG_CONFIG_HOME");
	setenv("HOME", "", 1);
	assert_null(config_user_file());
	config_destroy(load());
}

static char *harness_text(const struct config *c, const char *name)
{
	cJSON *o = config_harness(c, name, &err);
	struct buf text = {0};

	if (!o)
		return NULL;
	json_print(o, &text);
	cJSON_Delete(o);
	return buf_steal(&text);
}

static void test_config_harness__later_files_replace_keys(void **state)
{
	struct config *c;
	struct strv names = {0};
	char *text;

	(void)state;
	put("share/adapters/x.ini",
	    "command = x\nwaiting = one\nwaiting = two\nbusy = b ; c\n");
	put("config/afw/adapters/x.ini", "[harness.x]\nbusy =\n  c1\n  c2\n");
	put(USER, "[harness.x]\ncommand = y --long\n  more\n[harness.aider]\n"
		  "command = aider\n");
	c = load();
	text = harness_text(c, "x");
	assert_string_equal(text, "{\"waiting\":[\"one\",\"two\"],"
				  "\"busy\":[\"c1\",\"c2\"],"
				  "\"command\":[\"y --long more\"]}");
	free(text);
	text = harness_text(c, "none");
	assert_string_equal(text, "{}");
	free(text);
	assert_null(harness_text(c, "../x"));
	assert_int_equal(err.kind, ERR_USAGE);
	config_harness_names(c, &names);
	assert_int_equal(names.n, 2);
	assert_string_equal(names.v[0], "aider");
	assert_string_equal(names.v[1], "x");
	strv_finish(&names);
	config_destroy(c);

	/* The user takes a list away; a mistake names the adapter's file. */
	put(USER, "[harness.x]\nwaiting =\n");
	put("share/adapters/y.ini", "\nwaitin = x\n");
	c = load();
	text = harness_text(c, "x");
	assert_null(strstr(text, "waiting"));
	free(text);
	assert_null(harness_text(c, "y"));
	assert_non_null(strstr(err.what, "share/adapters/y.ini:2: "));
	config_destroy(c);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
	    TEST(test_config__defaults_without_files),
	    TEST(test_config__later_files_win_and_lists_add_up),
	    TEST(test_config__empty_value_empties_a_list),
	    TEST(test_config__untrusted_repository_is_left_out),
	    TEST(test_config__trusted_repository_may_not_set_all),
	    TEST(test_config__mistakes_say_file_line_and_right_key),
	    TEST(test_config__values_out_of_range_are_refused),
	    TEST(test_config__nothing_is_in_force_after_a_mistake),
	    TEST(test_config__file_itself_must_be_sound),
	    TEST(test_config__home_is_used_without_xdg),
	    TEST(test_config_harness__later_files_replace_keys),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
