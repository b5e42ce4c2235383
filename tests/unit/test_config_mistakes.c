/* test_config_mistakes.c - every mistake in a file is refused and reported. */
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "config/config.h"
#include "support_config.h"
#include "support_unit.h"

#define BIG ((size_t)300 * 1024)

/* Loading must fail, the message hold every one of the strings. */
static void refused(const char *const *words)
{
	struct config *c;

	assert_int_equal(config_load(&c, &conf_where, &conf_err), -1);
	assert_null(c);
	assert_int_equal(conf_err.kind, ERR_FAILED);
	for (; *words; words++)
		if (!strstr(conf_err.what, *words))
			fail_msg("'%s' is not in: %s", *words, conf_err.what);
}
#define REFUSED(...) refused((const char *const[]){__VA_ARGS__, NULL})

FIXTURE(conf_setup, conf_teardown)

TEST(config_mistakes__unknown_section_is_one)
{
	conf_put(CONF_USER, "[servce.x]\na = 1\nb = 2\n[dashboard]\nx = 1\n");
	REFUSED(":2: unknown section", "; line 5: unknown key 'x'");
	assert_null(strstr(conf_err.what, "line 3"));
}

TEST(config_mistakes__trusted_repository_may_not_set_all)
{
	conf_trust("\ndetach_key = none\n");
	REFUSED("repo/.af/afw.ini:2: ", "detach_key", "user");
	conf_trust("sandbox = none\n");
	REFUSED(":1: ", "sandbox");
	conf_trust("[profile.x]\nsandbox = none\n");
	REFUSED(":2: ", "sandbox", "user");
}

TEST(config_mistakes__say_file_line_and_what_is_right)
{
	static const struct {
		const char *text, *words[3];
	} cases[] = {
	    {"# one\nsetpu = make\n",
	     {"config/afw/afw.ini:2: unknown key 'setpu' (did you mean "
	      "'setup'?)"}},
	    {"qqqqqq = 1\n", {":1: unknown key 'qqqqqq'"}},
	    {"[dashbord]\npreview = yes\n",
	     {":2: unknown section [dashbord] (did you mean [dashboard]?)"}},
	    {"[dashboard]\nprevew = yes\n",
	     {":2: unknown key 'prevew' (did you mean 'preview'?)"}},
	    {"[dashboard]\nsetup = yes\n",
	     {":2: 'setup' does not belong in [dashboard]"}},
	    {"preview = yes\n",
	     {":1: unknown key 'preview' (did you mean 'dashboard.preview'"}},
	    {"[harnes.x]\ncommand = yes\n",
	     {":2: unknown section [harnes.x] (did you mean [harness.NAME]"}},
	    {"[harness.x/y]\ncommand = yes\n", {":2: [harness.x/y]: "}},
	    {"[harness.x]\ncomand = yes\n",
	     {":2: unknown key 'comand' of an agent", "'command'"}},
	    {"[servce.x]\ncommand = yes\n",
	     {":2: unknown section [servce.x] (did you mean [service.NAME]"}},
	    {"[service]\ncommand = yes\n",
	     {":2: unknown section [service] (did you mean [service.NAME]"}},
	    {"[service.x/y]\ncommand = yes\n", {":2: [service.x/y]: "}},
	    {"[service.x]\ncomand = yes\n",
	     {":2: unknown key 'comand' in [service.NAME] (did you mean "
	      "'command'"}},
	    {"[service.x]\ncommand = a | b\n", {":2: command: ", "shell"}},
	    {"[service.x]\nrestart = yes\n",
	     {":2: restart: 'yes' is not one of: always, on-failure, never"}},
	    {"[service.x]\nenv = A=1 2=3\n", {":2: env: '2=3': "}},
	    {"[service.x]\nready = tcp:db\n", {":2: ready: 'tcp:db': "}},
	    {"[service.x]\nready_timeout = 2h\n",
	     {":2: ready_timeout: '2h' is out of range (100ms to 1h)"}},
	    {"[mpc.x]\ncommand = yes\n",
	     {":2: unknown section [mpc.x] (did you mean [mcp.NAME]"}},
	    {"[mcp.x]\ncomand = yes\n",
	     {":2: unknown key 'comand' in [mcp.NAME] (did you mean "
	      "'command'"}},
	    {"[mcp.x]\ntype = stdio\n",
	     {":2: type: 'stdio' is not one of: http, sse"}},
	    {"[profile.x]\nsetpu = make\n",
	     {":2: unknown key 'setpu' in [template.NAME] (did you mean "
	      "'setup'?)"}},
	    {"[profile.x]\nmax_sessions = 3\n",
	     {":2: 'max_sessions' is not allowed in [template.NAME]: "}},
	    {"[profile.x]\ncheck_timeout = soon\n",
	     {":2: check_timeout: 'soon' is not a duration"}},
	    {"[harness.x]\n\nwaiting = a(b\n", {":3: waiting: 'a(b': "}},
	    {"\n\ncheck_timeout = 2d\n",
	     {":3: check_timeout: '2d' is out of range (1s to 1d)"}},
	    {"check_timeout = soon\n",
	     {":1: check_timeout: 'soon' is not a duration"}},
	    {"max_sessions = 1000000\n",
	     {":1: max_sessions: '1000000' is out of range (0 to 10000)"}},
	    {"max_sessions = -1\n", {":1: max_sessions: '-1' is not a number"}},
	    {"max_sessions = 99999999999999999999\n", {":1: max_sessions: "}},
	    {"sandbox_memory = 8X\n",
	     {":1: sandbox_memory: '8X' is not a size"}},
	    {"sandbox_memory = 9999999999G\n", {":1: sandbox_memory: "}},
	    {"backend = screen\n",
	     {":1: backend: 'screen' is not one of: pty, tmux"}},
	    {"detach_key = C-m\n", {":1: detach_key: ", "Enter"}},
	    {"branch_prefix = -x/\n", {":1: branch_prefix: '-x/': "}},
	    {"branch_prefix = a/../\n", {":1: branch_prefix: 'a/../': "}},
	    {"copy = .env ../secret\n", {":1: copy: '../secret': "}},
	    {"copy = /etc/passwd\n", {":1: copy: '/etc/passwd': "}},
	    {"copy = .env # mine\n", {":1: copy: ", "comment"}},
	    {"setup = sh -c 'x\n", {":1: setup: ", "left open"}},
	    {"[dashboard]\npreview = maybe\n",
	     {":2: dashboard.preview: 'maybe' is neither yes nor no"}},
	    {"image = --privileged\n",
	     {":1: image: '--privileged': cannot begin with '-'"}},
	    {"harness = ../x\n", {":1: harness: "}},
	    {"harness = codex\nnonsense\n", {":2: "}},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		conf_put(CONF_USER, cases[i].text);
		refused(cases[i].words);
	}
}

TEST(config_mistakes__file_itself_must_be_sound)
{
	char *big = mem_alloc(BIG);

	conf_put(CONF_USER, "harness = codex\n");
	assert_int_equal(chmod(conf_at(CONF_USER), 0602), 0);
	REFUSED("afw.ini: ", "everyone may");
	assert_non_null(strstr(conf_err.hint, "chmod go-w"));
	if (geteuid() == 0) {
		conf_put(CONF_USER, "harness = codex\n");
		assert_int_equal(chown(conf_at(CONF_USER), 12345, 12345), 0);
		REFUSED("afw.ini: ", "another user");
	} else {
		assert_int_equal(chmod(conf_at(CONF_USER), 0), 0);
		REFUSED("afw.ini: ", "Permission denied");
	}
	memset(big, '#', BIG);
	conf_put_bytes(CONF_USER, big, BIG);
	free(big);
	REFUSED("afw.ini: ", "larger than 256 KiB");
	unlink(conf_at(CONF_USER));
	assert_int_equal(mkdir(conf_at(CONF_USER), 0700), 0);
	REFUSED("afw.ini: ", "directory");
	assert_int_equal(rmdir(conf_at(CONF_USER)), 0);
	assert_int_equal(mkfifo(conf_at(CONF_USER), 0600), 0);
	REFUSED("afw.ini: ", "not a regular file");
	unlink(conf_at(CONF_USER));

	/* Users keep configuration in other directories by symlinks to their
	 * own files. */
	conf_put("dotfiles", "harness = codex\n");
	{
		char *to = mem_strdup(conf_at("dotfiles"));
		struct config *c;

		assert_int_equal(symlink(to, conf_at(CONF_USER)), 0);
		c = conf_load();
		assert_string_equal(config_str(c, OPTION_HARNESS), "codex");
		config_destroy(c);
		free(to);
	}
}
