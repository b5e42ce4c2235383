/*
 * doctor.c - afw doctor: looks at everything that afw needs and says what is
 * missing, worst things not hidden by the first. One function for each check.
 */
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/random.h"
#include "base/spawn.h"
#include "commands/cli/output.h"
#include "commands/command.h"
#include "commands/launch/harnesses.h"
#include "commands/launch/settings.h"
#include "sandbox/sandbox.h"
#include "session/disk/dirs.h"
#include "terminal/terminal.h"
#include "wire/program.h"

#define FREE_BYTES_WARN (200.0 * 1024 * 1024)

#define OK   "ok"
#define WARN "warn"
#define FAIL "fail"

/* hint: what would help where it is not OK, or NULL. */
static void add(cJSON *all, const char *check, const char *result,
		const char *hint, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));

static void add(cJSON *all, const char *check, const char *result,
		const char *hint, const char *fmt, ...)
{
	cJSON *o = cJSON_CreateObject();
	char *detail = NULL;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&detail, fmt, ap) < 0)
		detail = NULL;
	va_end(ap);
	json_set_str(o, "check", check);
	json_set_str(o, "result", result);
	json_set_str(o, "detail", detail);
	if (strcmp(result, OK) != 0 && hint && hint[0])
		json_set_str(o, "hint", hint);
	cJSON_AddItemToArray(all, o);
	free(detail);
}

static void add_err(cJSON *all, const char *check, const struct err *e)
{
	add(all, check, FAIL, e->hint, "%s", e->what);
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

static void check_data(cJSON *all)
{
	struct err err = {0};
	char *dir = dirs_data(&err);
	struct statvfs fs;
	double room;

	if (!dir || dirs_prepare(&err) < 0 || try_write(dir, &err) < 0) {
		add_err(all, "data directory", &err);
	} else if (statvfs(dir, &fs) < 0) {
		add(all, "data directory", OK, NULL, "%s", dir);
	} else {
		room = (double)fs.f_bavail * (double)fs.f_frsize;
		add(all, "data directory", room < FREE_BYTES_WARN ? WARN : OK,
		    "the disk is nearly full", "%s (%.1f GiB free)", dir,
		    room / (1 << 30));
	}
	free(dir);
}

static void check_runtime(cJSON *all)
{
	struct err err = {0};
	char *dir = dirs_runtime(&err);

	if (!dir || try_write(dir, &err) < 0) {
		add_err(all, "runtime directory", &err);
		free(dir);
		return;
	}
	add(all, "runtime directory", OK, NULL, "%s", dir);
	if (dirs_check_socket(&err) < 0)
		add_err(all, "socket path", &err);
	else
		add(all, "socket path", OK, NULL, "short enough");
	free(dir);
}

/* With hidepid= /proc hides guards, which nobody may trace, even from us. */
static void check_proc(cJSON *all)
{
	if (access("/proc/1/stat", R_OK) < 0)
		add(all, "/proc", WARN, "mount it without hidepid=",
		    "it hides processes: `afw top` may count too few");
}

static void check_programs(cJSON *all)
{
	static const char *const names[] = {"afw-supervisor", "afw-worktree",
					    "afw-dashboard"};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		char *path = program_find(names[i]);
		bool there = access(path, X_OK) == 0;

		add(all, names[i], there ? OK : FAIL,
		    "afw is not installed whole: `make install`", "%s",
		    there ? path : "not found");
		free(path);
	}
}

static void check_git(cJSON *all)
{
	char *path = spawn_find("git");

	/* afw itself works without; most agents do not. */
	add(all, "git", path ? OK : WARN, "agents call it: install git", "%s",
	    path ? path : "not in PATH");
	free(path);
}

static void check_tmux(cJSON *all)
{
	char *path = spawn_find("tmux");
	struct err err = {0};

	/* Without it nothing is amiss, unless it is asked for. */
	if (path && terminal_find("tmux")->check(&err) < 0)
		add(all, "tmux", WARN, err.hint, "%s", err.what);
	else
		add(all, "tmux", OK, NULL, "%s",
		    path ? path : "not in PATH; only --backend tmux needs it");
	free(path);
}

/* What a session can be confined by, as new and start see it. */
static void check_sandboxes(cJSON *all)
{
	struct config *config = NULL;
	struct spec spec = {0};
	struct err ignored;

	if (settings_load_here(&config, &ignored) == 0)
		settings_apply(config, &spec);
	if (config)
		spec.harness = mem_strdup(config_str(config, OPTION_HARNESS));
	for (size_t i = 0; sandboxes[i]; i++) {
		char *name = mem_printf("sandbox %s", sandboxes[i]->name);
		struct err err = {0};

		free(spec.sandbox);
		spec.sandbox = mem_strdup(sandboxes[i]->name);
		if (sandbox_check(&spec, NULL, &err) < 0)
			add(all, name, WARN, err.hint, "%s", err.what);
		else
			add(all, name, OK, NULL, "%s", sandboxes[i]->promise);
		free(name);
	}
	spec_finish(&spec);
	config_destroy(config);
}

static void check_pty(cJSON *all)
{
	int fd = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);

	if (fd >= 0 && grantpt(fd) == 0 && unlockpt(fd) == 0)
		add(all, "pseudo terminals", OK, NULL, "can be made");
	else
		add(all, "pseudo terminals", FAIL,
		    "is /dev/pts mounted, and kernel.pty.max large enough?",
		    "cannot be made: %s", strerror(errno));
	file_close(fd);
}

/* Each running session has one. */
static void check_inotify(cJSON *all)
{
	int fd = inotify_init1(IN_CLOEXEC);

	if (fd >= 0)
		add(all, "inotify", OK, NULL, "changed files are seen");
	else
		add(all, "inotify", WARN,
		    "raise fs.inotify.max_user_instances (sysctl)",
		    "changed files are not seen: %s", strerror(errno));
	file_close(fd);
}

static void check_terminal(cJSON *all)
{
	const char *term = getenv("TERM");
	bool tty = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);

	if (!term || !term[0] || strcmp(term, "dumb") == 0)
		add(all, "terminal", WARN,
		    "attach and the dashboard need a real terminal", "%s",
		    term && term[0] ? "TERM is dumb" : "TERM is not set");
	else
		add(all, "terminal", OK, NULL, "%s",
		    tty ? term : "none here, which is fine for commands");
}

static void check_locale(cJSON *all)
{
	const char *charset;

	if (!setlocale(LC_CTYPE, "")) {
		add(all, "locale", WARN,
		    "`locale -a` lists those there are; C.UTF-8 is enough",
		    "LANG or LC_* name a locale that is not installed");
		return;
	}
	charset = nl_langinfo(CODESET);
	add(all, "locale", strcmp(charset, "UTF-8") == 0 ? OK : WARN,
	    "agents draw in UTF-8: set LANG=C.UTF-8", "%s", charset);
}

/* Without a login it starts, and asks for one. */
static void check_login(cJSON *all, const char *name, const struct harness *h)
{
	const struct auth *a = &h->auth;

	add(all, name, h->has_auth && (a->needs || !a->chosen) ? WARN : OK,
	    a->needs, "%s%s%s", h->path,
	    !h->has_auth ? ""
	    : a->chosen	 ? ", logs in by "
			 : ", no login was found",
	    h->has_auth && a->chosen ? a->chosen : "");
}

static void check_harnesses(cJSON *all, const struct config *c)
{
	struct harness_list l;
	size_t found = 0;

	harness_list_load(&l, c, false);
	for (size_t i = 0; i < l.n; i++) {
		const struct harness *h = &l.v[i];
		char *name = mem_printf("harness %s", h->name);

		found += h->path != NULL;
		if (h->problem)
			add(all, name, FAIL, NULL, "%s", h->problem);
		else if (h->path)
			check_login(all, name, h);
		else if (strcmp(h->name, config_str(c, OPTION_HARNESS)) == 0)
			add(all, name, WARN, h->adapter->install_hint,
			    "not installed, and it is the default");
		free(name);
	}
	if (found == 0)
		add(all, "harnesses", WARN,
		    "`afw adapters` says how to get one; `afw new NAME -a "
		    "demo` runs a stand-in, `afw new NAME -- COMMAND` any "
		    "command",
		    "no coding agent is installed");
	harness_list_finish(&l);
}

static void check_config(cJSON *all)
{
	char *file = config_user_file();
	struct err err = {0};
	struct config *c;

	if (settings_load_here(&c, &err) < 0) {
		add_err(all, "configuration", &err);
	} else {
		add(all, "configuration", OK, NULL, "%s",
		    file && access(file, F_OK) == 0 ? file : "defaults");
		if (config_untrusted(c))
			add(all, "repository's configuration", WARN,
			    "it is left out; `afw trust` shows and trusts it",
			    "%s", config_untrusted(c));
		check_harnesses(all, c);
		config_destroy(c);
	}
	free(file);
}

static void print_table(const cJSON *all)
{
	struct table *t = table_create(3, NULL);
	const char *before = "\n";
	const cJSON *o;

	cJSON_ArrayForEach (o, all) {
		const char *result = json_str(o, "result");

		table_cell(t, result,
			   strcmp(result, OK) == 0     ? "\033[32m"
			   : strcmp(result, WARN) == 0 ? "\033[33m"
						       : "\033[31m");
		table_cell(t, json_str(o, "check"), NULL);
		table_cell(t, json_str(o, "detail"), NULL);
	}
	table_end(t);
	cJSON_ArrayForEach (o, all) {
		if (!json_str(o, "hint"))
			continue;
		printf("%shint: %s: %s\n", before, json_str(o, "check"),
		       json_str(o, "hint"));
		before = "";
	}
}

static int run(const struct args *args, struct err *err)
{
	static void (*const checks[])(cJSON * all) = {
	    check_data,	  check_runtime, check_proc,	 check_programs,
	    check_config, check_git,	 check_tmux,	 check_sandboxes,
	    check_pty,	  check_inotify, check_terminal, check_locale};
	cJSON *all = cJSON_CreateArray(), *o;
	int code = 0;

	for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++)
		checks[i](all);
	cJSON_ArrayForEach (o, all)
		if (strcmp(json_str(o, "result"), FAIL) == 0)
			code = ERR_FAILED;
	if (args_has(args, "json")) {
		output_json(all);
		return code;
	}
	print_table(all);
	cJSON_Delete(all);
	return code;
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
    .here = true,
    .run = run,
};
