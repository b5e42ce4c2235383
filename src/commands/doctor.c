/*
 * doctor.c - afw doctor: looks at everything that afw needs and says what is
 * missing, worst things not hidden by the first. One function for each check.
 */
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/random.h"
#include "base/spawn.h"
#include "commands/command.h"
#include "commands/harnesses.h"
#include "commands/output.h"
#include "commands/settings.h"
#include "sandbox/sandbox.h"
#include "session/dirs.h"
#include "session/session.h"
#include "terminal/terminal.h"
#include "wire/program.h"

#define FREE_BYTES_WARN (200.0 * 1024 * 1024)

enum result {
	RESULT_OK,
	RESULT_WARN,
	RESULT_FAIL,
};

struct report {
	cJSON *json;	 /* array, or NULL */
	struct table *t; /* or NULL */
	struct strv hints;
	bool failed;
};

static void add(struct report *r, const char *check, enum result result,
		const char *detail, const char *hint)
{
	static const char *const names[] = {"ok", "warn", "fail"};
	static const char *const colours[] = {"\033[32m", "\033[33m",
					      "\033[31m"};
	cJSON *o;

	r->failed |= result == RESULT_FAIL;
	if (r->t) {
		table_cell(r->t, names[result], colours[result]);
		table_cell(r->t, check, NULL);
		table_cell(r->t, detail, NULL);
		if (hint && result != RESULT_OK)
			strv_addf(&r->hints, "%s: %s", check, hint);
		return;
	}
	o = cJSON_CreateObject();
	json_set_str(o, "check", check);
	json_set_str(o, "result", names[result]);
	json_set_str(o, "detail", detail);
	if (result != RESULT_OK)
		json_set_str(o, "hint", hint);
	cJSON_AddItemToArray(r->json, o);
}

static void add_err(struct report *r, const char *check, const struct err *e)
{
	add(r, check, RESULT_FAIL, e->what, e->hint[0] ? e->hint : NULL);
}

/* Makes and removes a file there. */
static int try_write(const char *dir, struct err *err)
{
	char hex[17];
	char *path;
	int fd, rc = 0;

	random_hex(hex, 16);
	path = mem_printf("%s/.doctor.%s", dir, hex);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0 || file_write_all(fd, hex, 16) < 0)
		rc = err_errno(err, "write into %s", dir);
	if (fd >= 0) {
		close(fd);
		unlink(path);
	}
	free(path);
	return rc;
}

static void check_data(struct report *r)
{
	struct err err = {0};
	char *dir = dirs_data(&err);
	struct statvfs fs;
	double room;
	char *text;

	if (!dir || dirs_prepare(&err) < 0 || try_write(dir, &err) < 0) {
		add_err(r, "data directory", &err);
		free(dir);
		return;
	}
	if (statvfs(dir, &fs) < 0) {
		add(r, "data directory", RESULT_OK, dir, NULL);
		free(dir);
		return;
	}
	room = (double)fs.f_bavail * (double)fs.f_frsize;
	text = mem_printf("%s (%.1f GiB free)", dir, room / (1 << 30));
	add(r, "data directory",
	    room < FREE_BYTES_WARN ? RESULT_WARN : RESULT_OK, text,
	    "the disk is nearly full");
	free(text);
	free(dir);
}

static void check_runtime(struct report *r)
{
	static const char id[] = "00000000000000000000000000000000";
	struct err err = {0};
	char *dir = dirs_runtime(&err), *path = NULL;

	if (!dir || try_write(dir, &err) < 0) {
		add_err(r, "runtime directory", &err);
		free(dir);
		return;
	}
	add(r, "runtime directory", RESULT_OK, dir, NULL);
	path = dirs_new_socket(id, &err);
	if (path)
		add(r, "socket path", RESULT_OK, "short enough", NULL);
	else
		add(r, "socket path", RESULT_FAIL, err.what,
		    "set XDG_RUNTIME_DIR or AF_DATA_DIR to a shorter path");
	free(path);
	free(dir);
}

static void check_programs(struct report *r)
{
	static const char *const names[] = {"afw-supervisor", "afw-worktree",
					    "afw-dashboard"};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		char *path = program_find(names[i]);
		bool there = access(path, X_OK) == 0;

		add(r, names[i], there ? RESULT_OK : RESULT_FAIL,
		    there ? path : "not found",
		    "afw is not installed whole: `make install`");
		free(path);
	}
}

static void check_git(struct report *r)
{
	char *path = spawn_find("git");

	/* afw itself works without; most agents do not. */
	add(r, "git", path ? RESULT_OK : RESULT_WARN,
	    path ? path : "not in PATH", "agents call it: install git");
	free(path);
}

static void check_tmux(struct report *r)
{
	char *path = spawn_find("tmux");
	struct err err = {0};

	/* Without it nothing is amiss, unless it is asked for. */
	if (!path)
		add(r, "tmux", RESULT_OK,
		    "not in PATH; only --backend tmux needs it", NULL);
	else if (terminal_find("tmux")->check(&err) < 0)
		add(r, "tmux", RESULT_WARN, err.what, err.hint);
	else
		add(r, "tmux", RESULT_OK, path, NULL);
	free(path);
}

/* What a session can be confined by, as new and start see it. */
static void check_sandboxes(struct report *r)
{
	for (size_t i = 0; sandboxes[i]; i++) {
		char *name = mem_printf("sandbox %s", sandboxes[i]->name);
		struct err err = {0};

		if (sandboxes[i]->check(&err) < 0)
			add(r, name, RESULT_WARN, err.what, err.hint);
		else
			add(r, name, RESULT_OK, sandboxes[i]->promise, NULL);
		free(name);
	}
}

static void check_pty(struct report *r)
{
	int fd = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	char *text;

	if (fd >= 0 && grantpt(fd) == 0 && unlockpt(fd) == 0) {
		add(r, "pseudo terminals", RESULT_OK, "can be made", NULL);
	} else {
		text = mem_printf("cannot be made: %s", strerror(errno));
		add(r, "pseudo terminals", RESULT_FAIL, text,
		    "is /dev/pts mounted, and kernel.pty.max large enough?");
		free(text);
	}
	if (fd >= 0)
		close(fd);
}

static void check_terminal(struct report *r)
{
	const char *term = getenv("TERM");
	bool tty = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);

	if (!term || !term[0] || strcmp(term, "dumb") == 0)
		add(r, "terminal", RESULT_WARN,
		    term && term[0] ? "TERM is dumb" : "TERM is not set",
		    "attach and the dashboard need a real terminal");
	else
		add(r, "terminal", RESULT_OK,
		    tty ? term : "none here, which is fine for commands", NULL);
}

static void check_locale(struct report *r)
{
	const char *charset;

	if (!setlocale(LC_CTYPE, "")) {
		add(r, "locale", RESULT_WARN,
		    "LANG or LC_* name a locale that is not installed",
		    "`locale -a` lists those there are; C.UTF-8 is enough");
		return;
	}
	charset = nl_langinfo(CODESET);
	add(r, "locale",
	    strcmp(charset, "UTF-8") == 0 ? RESULT_OK : RESULT_WARN, charset,
	    "agents draw in UTF-8: set LANG=C.UTF-8");
}

/* Without a login it starts, and asks for one. */
static void check_login(struct report *r, const char *name,
			const struct harness *h)
{
	const struct auth *a = &h->auth;
	char *text;

	if (!h->has_auth)
		text = mem_strdup(h->path);
	else if (a->chosen)
		text = mem_printf("%s, logs in by %s", h->path, a->chosen);
	else
		text = mem_printf("%s, no login was found", h->path);
	add(r, name,
	    h->has_auth && (a->needs || !a->chosen) ? RESULT_WARN : RESULT_OK,
	    text, a->needs);
	free(text);
}

static void check_harnesses(struct report *r, const struct config *c)
{
	struct harness_list l;
	size_t found = 0;

	harness_list_load(&l, c, false);
	for (size_t i = 0; i < l.n; i++) {
		const struct harness *h = &l.v[i];
		char *name = mem_printf("harness %s", h->name);

		found += h->path != NULL;
		if (h->problem)
			add(r, name, RESULT_FAIL, h->problem, NULL);
		else if (h->path)
			check_login(r, name, h);
		else if (strcmp(h->name, config_str(c, OPTION_HARNESS)) == 0)
			add(r, name, RESULT_WARN,
			    "not installed, and it is the default",
			    h->adapter->install_hint);
		free(name);
	}
	if (found == 0)
		add(r, "harnesses", RESULT_WARN, "no coding agent is installed",
		    "`afw adapters` says how to get one; `afw new NAME -a "
		    "demo` runs a stand-in, `afw new NAME -- COMMAND` any "
		    "command");
	harness_list_finish(&l);
}

static void check_config(struct report *r)
{
	char *file = config_user_file();
	struct err err = {0};
	struct config *c;

	if (settings_load_here(&c, &err) < 0) {
		add_err(r, "configuration", &err);
	} else {
		add(r, "configuration", RESULT_OK,
		    file && access(file, F_OK) == 0 ? file : "defaults", NULL);
		if (config_untrusted(c))
			add(r, "repository's configuration", RESULT_WARN,
			    config_untrusted(c),
			    "it is left out; `afw trust` shows and trusts it");
		check_harnesses(r, c);
		config_destroy(c);
	}
	free(file);
}

static int run(const struct args *args, struct err *err)
{
	bool json = args_has(args, "json");
	struct report r = {
	    .json = json ? cJSON_CreateArray() : NULL,
	    .t = json ? NULL : table_create(3, NULL),
	};

	check_data(&r);
	check_runtime(&r);
	check_programs(&r);
	check_config(&r);
	check_git(&r);
	check_tmux(&r);
	check_sandboxes(&r);
	check_pty(&r);
	check_terminal(&r);
	check_locale(&r);
	if (json)
		output_json(r.json);
	else
		table_end(r.t);
	for (size_t i = 0; i < r.hints.n; i++)
		printf("%shint: %s\n", i == 0 ? "\n" : "", r.hints.v[i]);
	strv_finish(&r.hints);
	return r.failed ? 1 : 0;
}

static const struct command_option command_options[] = {
    {.name = "json", .help = "one array of objects"},
    {.name = NULL},
};

const struct command command_doctor = {
    .name = "doctor",
    .usage = "",
    .summary = "check that everything afw needs is there",
    .options = command_options,
    .run = run,
};
