/* test_config_section.c - sections with names: [service.NAME], [mcp.NAME]. */
#include "base/json.h"
#include "base/ready.h"
#include "config/config.h"
#include "support_config.h"
#include "support_unit.h"
#include "config/template.h"

FIXTURE(conf_setup, conf_teardown)

/* All services of the files, as one line of JSON. */
static void services(const char *want)
{
	struct config *c = conf_load();
	cJSON *list = config_sections(c, "service", &conf_err);
	char *text = list ? cJSON_PrintUnformatted(list) : NULL;

	assert_string_equal(text ? text : conf_err.what, want);
	free(text);
	cJSON_Delete(list);
	config_destroy(c);
}

TEST(config_section__whole_in_the_files_order)
{
	services("[]");
	conf_put(CONF_USER, "[service.b]\ncommand = x 'y z'\nenv = A=1 B\n"
			    "env = C\nready = tcp:80\nready_timeout = 2m\n"
			    "[service.a]\ncommand = y\nrestart = never\n");
	services("[{\"name\":\"b\",\"command\":[\"x\",\"y z\"],"
		 "\"restart\":\"on-failure\",\"env\":[\"A=1\",\"B\",\"C\"],"
		 "\"ready\":\"tcp:80\",\"ready_timeout_ms\":120000},"
		 "{\"name\":\"a\",\"command\":[\"y\"],\"restart\":\"never\","
		 "\"env\":[],\"ready\":\"\",\"ready_timeout_ms\":30000}]");
}

TEST(config_section__repository_replaces_key_by_key)
{
	conf_put(CONF_USER,
		 "[service.b]\ncommand = x\nenv = A=1\nready = log:up\n");
	conf_trust("[service.b]\ncommand = z\nenv = B\n"
		   "[service.c]\ncommand = c\n");
	services("[{\"name\":\"b\",\"command\":[\"z\"],"
		 "\"restart\":\"on-failure\",\"env\":[\"B\"],"
		 "\"ready\":\"log:up\",\"ready_timeout_ms\":30000},"
		 "{\"name\":\"c\",\"command\":[\"c\"],"
		 "\"restart\":\"on-failure\",\"env\":[],\"ready\":\"\","
		 "\"ready_timeout_ms\":30000}]");
}

/* The mistake that the sections of a kind are, in the user's file. */
static void lacks(const char *kind, const char *file, const char *want)
{
	struct config *c;

	conf_put(CONF_USER, file);
	c = conf_load();
	assert_null(config_sections(c, kind, &conf_err));
	if (!strstr(conf_err.what, want))
		fail_msg("'%s' is not in: %s", want, conf_err.what);
	config_destroy(c);
}

TEST(config_section__needs_what_it_is_for)
{
	lacks("service", "[service.b]\nenv = A\n",
	      "afw.ini:2: [service.b] needs a command");
	lacks("service", "[service.b]\ncommand =\n",
	      "afw.ini:2: [service.b] needs a command");
	lacks("mcp", "[mcp.m]\nenv = A\n",
	      "afw.ini:2: [mcp.m] needs either command or url");
	lacks("mcp", "[mcp.m]\ncommand = x\nurl = http://x\n",
	      "afw.ini:2: [mcp.m] has both command and url");
}

/* A secret that is in a file by mistake is not shown on the screen. */
TEST(config_section__repeats_no_secret)
{
	static const char *const files[] = {
	    "[mcp.m]\nenv = TOKEN=hushhush\n",
	    "[mcp.m]\nurl = http://me:hushhush@x/\n",
	    "[mcp.m]\nheaders = Authorization: Bearer hushhush\n",
	    "[mcp.m]\nenv = TOKEN='hushhush\n",
	    "[mcp.m]\nheaders = A: ${B}\n\thushhush\n",
	};
	struct config *c;

	for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
		conf_put(CONF_USER, files[i]);
		assert_int_equal(config_load(&c, &conf_where, &conf_err), -1);
		assert_non_null(strstr(conf_err.what, "afw.ini:2: "));
		assert_null(strstr(conf_err.what, "hushhush"));
	}
}

TEST(config_section__ready_is_read)
{
	static const struct {
		const char *text;
		enum ready_how how;
		int port;
		const char *what;
	} good[] = {
	    {"", READY_AT_ONCE, 0, NULL},
	    {"tcp:5432", READY_TCP, 5432, NULL},
	    {"http://localhost:80/a?b", READY_HTTP, 80, "/a?b"},
	    {"http:http://127.0.0.1", READY_HTTP, 80, "/"},
	    {"delay:500ms", READY_DELAY, 0, NULL},
	    {"log:is up: now", READY_LOG, 0, "is up: now"},
	};
	static const char *const bad[] = {
	    "tcp:",
	    "tcp:0",
	    "tcp:65536",
	    "tcp:1x",
	    "tcp:-1",
	    "http://localhost:x/",
	    "http://localhost.example.com/",
	    "http://127.0.0.1:80x/",
	    "http://[::1]/",
	    "https://localhost/",
	    "http://localhost/a b",
	    "delay:soon",
	    "delay:2h",
	    "log:",
	    "udp:1",
	};
	struct ready r;

	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
		assert_null(ready_parse(good[i].text, &r));
		assert_int_equal(r.how, good[i].how);
		assert_int_equal(r.port, good[i].port);
		if (good[i].what)
			assert_string_equal(r.what, good[i].what);
	}
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		if (!ready_parse(bad[i], &r))
			fail_msg("'%s' is taken", bad[i]);
}

static void expect_text(const struct config *c, enum option_id id,
			const char *text)
{
	char *is_text = config_text(c, id);

	assert_string_equal(is_text, text);
	free(is_text);
}

TEST(config_section__template_is_laid_over_the_options)
{
	struct config *c;

	conf_put(CONF_USER, "copy = a\nstop_timeout = 2s\n"
			    "[template.fast]\ncopy = b\ncopy = c\n"
			    "sandbox = landlock\nstop_timeout = 3s\n"
			    "[profile.slow]\nsetup = sleep 9\n");
	conf_trust("copy = r\n[profile.fast]\nstop_timeout = 4s\n");
	c = conf_load();
	expect_text(c, OPTION_STOP_TIMEOUT, "2s");
	assert_int_equal(template_apply(c, "fast", NULL, &conf_err), 0);
	expect_text(c, OPTION_COPY, "a r b c");
	expect_text(c, OPTION_SANDBOX, "landlock");
	expect_text(c, OPTION_STOP_TIMEOUT, "4s");
	assert_non_null(strstr(config_origin(c, OPTION_STOP_TIMEOUT),
			       "repo/.af/afw.ini:3"));
	assert_non_null(strstr(config_origin(c, OPTION_COPY), "afw.ini:5"));
	expect_text(c, OPTION_SETUP, "");
	assert_int_equal(template_apply(c, "fats", NULL, &conf_err), -1);
	assert_int_equal(conf_err.kind, ERR_USAGE);
	assert_non_null(strstr(conf_err.hint, "did you mean fast?"));
	config_destroy(c);
}
