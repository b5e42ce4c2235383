/* test_config.c - several files combined, and which value applies. */
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/json.h"
#include "config/config.h"
#include "support_config.h"
#include "support_unit.h"

static void expect_text(const struct config *c, enum option_id id,
			const char *text)
{
	char *is_text = config_text(c, id);

	assert_string_equal(is_text, text);
	free(is_text);
}

FIXTURE(conf_setup, conf_teardown)

TEST(config__defaults_without_files)
{
	struct config *c = conf_load();

	assert_string_equal(config_str(c, OPTION_HARNESS), "claude");
	assert_string_equal(config_str(c, OPTION_BACKEND), "pty");
	assert_string_equal(config_str(c, OPTION_DETACH_KEY), "C-\\");
	assert_int_equal(config_int(c, OPTION_CHECK_TIMEOUT), 600000);
	assert_int_equal(config_int(c, OPTION_STOP_TIMEOUT), 5000);
	assert_int_equal(config_int(c, OPTION_SANDBOX_MEMORY), INT64_C(2)
								   << 30);
	assert_true(config_bool(c, OPTION_DASHBOARD_PREVIEW));
	assert_int_equal(config_list(c, OPTION_COPY)->n, 0);
	assert_string_equal(config_origin(c, OPTION_BASE), "default");
	assert_null(config_untrusted(c));
	assert_false(config_repository_trusted(c));
	for (int i = 0; i < OPTION_COUNT; i++)
		expect_text(c, (enum option_id)i, options[i].value);
	config_destroy(c);
}

TEST(config__removed_options_are_left_out)
{
	struct config *c;
	const struct strv *removed;

	conf_put(CONF_USER, "scrollback = 9\nstop_timeout = 3s\n"
			    "[dashboard]\nresize = perhaps\n"
			    "[profile.x]\nterm = vt100\ncheck = true\n");
	c = conf_load();
	removed = config_removed(c);
	assert_int_equal(removed->n, 3);
	assert_non_null(strstr(removed->v[0], "afw.ini:1: 'scrollback' is no "
					      "option any more (it is 2000)"));
	assert_non_null(strstr(removed->v[1], ":4: 'resize'"));
	assert_non_null(strstr(removed->v[2], ":6: 'term'"));
	assert_int_equal(config_int(c, OPTION_STOP_TIMEOUT), 3000);
	assert_non_null(config_section(c, "template", "x"));
	config_destroy(c);
}

TEST(config__later_files_win_and_lists_add_up)
{
	struct config *c;

	conf_put(CONF_USER,
		 "harness = codex\nharness = gemini\n"
		 "copy = .env \"my file\"\ncopy = a\n   b ; comment\n"
		 "setup = make one\nsetup = make\n  'two words'\n"
		 "stop_timeout = 2m\n"
		 "[dashboard]\npreview = off\n");
	conf_trust("copy = c\nstop_timeout = 1s\n");
	c = conf_load();
	assert_string_equal(config_str(c, OPTION_HARNESS), "gemini");
	expect_text(c, OPTION_COPY, ".env \"my file\" a b c");
	expect_text(c, OPTION_SETUP, "make \"two words\"");
	assert_int_equal(config_list(c, OPTION_SETUP)->n, 2);
	assert_int_equal(config_int(c, OPTION_STOP_TIMEOUT), 1000);
	assert_non_null(strstr(config_origin(c, OPTION_STOP_TIMEOUT),
			       "repo/.af/afw.ini:2"));
	assert_non_null(
	    strstr(config_origin(c, OPTION_HARNESS), "config/afw/afw.ini:2"));
	assert_false(config_bool(c, OPTION_DASHBOARD_PREVIEW));
	assert_true(config_repository_trusted(c));
	assert_int_equal(config_set(c, OPTION_COPY, "only", &conf_err), 0);
	expect_text(c, OPTION_COPY, "only");
	assert_string_equal(config_origin(c, OPTION_COPY), "command line");
	assert_int_equal(config_set(c, OPTION_BACKEND, "screen", &conf_err),
			 -1);
	assert_int_equal(conf_err.kind, ERR_USAGE);
	assert_string_equal(config_str(c, OPTION_BACKEND), "pty");
	config_destroy(c);
}

TEST(config__empty_value_empties_a_list)
{
	struct config *c;

	conf_put(CONF_USER, "copy = a b\nlink = x\nlink =\n  y\n");
	conf_trust("copy =\n");
	c = conf_load();
	expect_text(c, OPTION_COPY, "");
	expect_text(c, OPTION_LINK, "x y");
	config_destroy(c);
}

TEST(config__untrusted_repository_is_left_out)
{
	struct config *c;

	conf_put(CONF_REPO, "setup = rm -rf /\n");
	c = conf_load();
	assert_int_equal(config_list(c, OPTION_SETUP)->n, 0);
	assert_non_null(strstr(config_untrusted(c), "repo/.af/afw.ini"));
	config_destroy(c);

	conf_trust("setup = make\n");
	c = conf_load();
	expect_text(c, OPTION_SETUP, "make");
	assert_null(config_untrusted(c));
	config_destroy(c);

	/* One byte changed. */
	conf_put(CONF_REPO, "setup = makf\n");
	c = conf_load();
	assert_int_equal(config_list(c, OPTION_SETUP)->n, 0);
	assert_non_null(config_untrusted(c));
	config_destroy(c);

	/* Broken in any way, but never an error without trust. */
	conf_put(CONF_REPO, "nonsense\n");
	config_destroy(conf_load());
	unlink(conf_at(CONF_REPO));
	assert_int_equal(symlink("/etc/passwd", conf_at(CONF_REPO)), 0);
	config_destroy(conf_load());
	unlink(conf_at(CONF_REPO));
	assert_int_equal(mkdir(conf_at(CONF_REPO), 0700), 0);
	config_destroy(conf_load());
}

TEST(config__home_is_used_without_xdg)
{
	char *file;

	setenv("HOME", "/home/u", 1);
	setenv("XDG_CONFIG_HOME", "relative", 1);
	file = config_user_file();
	assert_string_equal(file, "/home/u/.config/afw/afw.ini");
	free(file);
	unsetenv("XDG_CONFIG_HOME");
	setenv("HOME", "", 1);
	assert_null(config_user_file());
	config_destroy(conf_load());
}

static char *harness_text(const struct config *c, const char *name)
{
	cJSON *o = config_harness(c, name, &conf_err);
	struct buf text = {0};

	if (!o)
		return NULL;
	json_print(o, &text);
	cJSON_Delete(o);
	return buf_steal(&text);
}

TEST(config_harness__later_files_replace_keys)
{
	struct config *c;
	struct strv names = {0};
	char *text;

	conf_put("share/adapters/x.ini",
		 "command = x\nwaiting = one\nwaiting = two\nbusy = b ; c\n");
	conf_put("config/afw/adapters/x.ini",
		 "[harness.x]\nbusy =\n  c1\n  c2\n");
	conf_put(CONF_USER,
		 "[harness.x]\ncommand = y --long\n  more\n[harness.aider]\n"
		 "command = aider\n");
	c = conf_load();
	text = harness_text(c, "x");
	assert_string_equal(text, "{\"waiting\":[\"one\",\"two\"],"
				  "\"busy\":[\"c1\",\"c2\"],"
				  "\"command\":[\"y --long more\"]}");
	free(text);
	text = harness_text(c, "none");
	assert_string_equal(text, "{}");
	free(text);
	assert_null(harness_text(c, "../x"));
	assert_int_equal(conf_err.kind, ERR_USAGE);
	config_harness_names(c, &names);
	assert_int_equal(names.n, 2);
	assert_string_equal(names.v[0], "aider");
	assert_string_equal(names.v[1], "x");
	strv_finish(&names);
	config_destroy(c);

	/* One that is like another, in two steps. */
	conf_put(CONF_USER, "[harness.x]\ncommand = y\n"
			    "[harness.z]\nlike = w\nbusy = c3\n"
			    "[harness.w]\nlike = x\ncommand = w\n"
			    "[harness.a]\nlike = b\n[harness.b]\nlike = a\n"
			    "[harness.self]\nlike = self\n"
			    "[harness.no]\nlike = nobody\n"
			    "[harness.odd]\nlike = ../x\n");
	c = conf_load();
	text = harness_text(c, "z");
	assert_string_equal(text, "{\"waiting\":[\"one\",\"two\"],"
				  "\"command\":[\"w\"],\"busy\":[\"c3\"],"
				  "\"like\":[\"x\"]}");
	free(text);
	for (const char *const *s =
		 (const char *const[]){"a", "self", "no", "odd", NULL};
	     *s; s++) {
		assert_null(harness_text(c, *s));
		assert_int_equal(conf_err.kind, ERR_USAGE);
	}
	config_destroy(c);

	/* The user empties a list; a mistake names the adapter's file. */
	conf_put(CONF_USER, "[harness.x]\nwaiting =\n");
	conf_put("share/adapters/y.ini", "\nwaitin = x\n");
	c = conf_load();
	text = harness_text(c, "x");
	assert_null(strstr(text, "waiting"));
	free(text);
	assert_null(harness_text(c, "y"));
	assert_non_null(strstr(conf_err.what, "share/adapters/y.ini:2: "));
	config_destroy(c);
}
