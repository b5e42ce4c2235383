/* doctor_machine.c - what afw needs of this machine: rows of doctor_probes.c.
 */
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/delete_tree.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/random.h"
#include "base/spawn.h"
#include "commands/command.h"
#include "commands/config_check.h"
#include "commands/doctor.h"
#include "commands/launch/harnesses.h"
#include "commands/launch/settings.h"
#include "sandbox/podman.h"
#include "sandbox/podman_engine.h"
#include "sandbox/sandbox.h"
#include "session/disk/dirs.h"
#include "terminal/terminal.h"

#define FREE_BYTES_WARN (200.0 * 1024 * 1024)

/* Checks that a file can be made in dir, and removes it. */
static int try_write(const char *dir, struct err *err)
{
	_free_ char *path = NULL;
	_close_ int fd = -1;
	char hex[17];
	int rc = 0;

	random_hex(hex, 16);
	path = mem_printf("%s/.doctor.%s", dir, hex);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0 || file_write_all(fd, hex, 16) < 0)
		rc = err_errno(err, "write into %s", dir);
	if (fd >= 0)
		unlink(path);
	return rc;
}

int doctor_data(struct survey *s, struct err *err)
{
	_free_ char *dir = dirs_data(err);
	struct statvfs fs;
	double room;

	if (!dir || dirs_prepare(err) < 0 || try_write(dir, err) < 0)
		return -1;
	if (statvfs(dir, &fs) < 0)
		return doctor_add(s, "data directory", OK, NULL, "%s", dir);
	room = (double)fs.f_bavail * (double)fs.f_frsize;
	return doctor_add(s, "data directory",
			  room < FREE_BYTES_WARN ? WARN : OK,
			  "the disk is nearly full", "%s (%.1f GiB free)", dir,
			  room / (1 << 30));
}

int doctor_runtime(struct survey *s, struct err *err)
{
	_free_ char *dir = dirs_runtime(err);

	if (!dir || try_write(dir, err) < 0)
		return -1;
	return doctor_add(s, "runtime directory", OK, NULL, "%s", dir);
}

/* Checks the directory in which each session has its socket. */
int doctor_sockets(struct survey *s, struct err *err)
{
	_free_ char *dir = dirs_data(err), *path = NULL;
	_close_ int fd = -1;
	char hex[17];

	if (!dir)
		return -1;
	random_hex(hex, 16);
	path = mem_printf("%s/.doctor.%s", dir, hex);
	if (mkdir(path, 0700) < 0)
		return err_errno(err, "make %s", path);
	fd = dirs_listen(path, err);
	delete_tree(AT_FDCWD, path, NULL);
	if (fd < 0)
		return -1;
	return doctor_add(s, "control sockets", OK, NULL, "can be made");
}

/* With hidepid= /proc hides guards even from us, because nothing may trace
 * them. */
int doctor_proc(struct survey *s, struct err *err)
{
	(void)err;
	if (access("/proc/1/stat", R_OK) == 0)
		return 0;
	return doctor_add(s, "/proc", WARN, "mount it without hidepid=",
			  "it hides processes: `afw top` may count too few");
}

int doctor_git(struct survey *s, struct err *err)
{
	_free_ char *path = spawn_find("git");

	(void)err;
	/* afw works without git; most agents do not. */
	return doctor_add(s, "git", path ? OK : WARN,
			  "agents call it: install git", "%s",
			  path ? path : "not in PATH");
}

int doctor_tmux(struct survey *s, struct err *err)
{
	_free_ char *path = spawn_find("tmux");

	/* A missing tmux is a problem only if it is configured. */
	if (path && terminal_find("tmux")->check(err) < 0)
		return doctor_add(s, "tmux", WARN, err->hint, "%s", err->what);
	return doctor_add(s, "tmux", OK, NULL, "%s",
			  path ? path
			       : "not in PATH; only --backend tmux needs it");
}

/* Checks the sandbox as new and start do, and also runs a command in it. */
static int try_sandbox(const struct sandbox *tier, const struct spec *spec,
		       struct err *err)
{
	_free_ char *data = NULL, *dir = NULL;
	char hex[17];
	int rc;

	if (sandbox_check(spec, NULL, err) < 0)
		return -1;
	if (!tier->try)
		return 0;
	data = dirs_data(err);
	if (!data)
		return -1;
	random_hex(hex, 16);
	dir = mem_printf("%s/.doctor.%s", data, hex);
	if (mkdir(dir, 0700) < 0)
		return err_errno(err, "make %s", dir);
	rc = tier->try(spec, dir, err);
	delete_tree(AT_FDCWD, dir, NULL);
	return rc;
}

/* Checks each sandbox tier. */
int doctor_sandboxes(struct survey *s, struct err *err)
{
	struct config *config = NULL;
	struct spec spec = {0};
	struct err ignored;

	(void)err;
	if (settings_load_here(&config, &ignored) == 0)
		settings_apply(config, &spec, true);
	if (config)
		spec.harness = mem_strdup(config_str(config, OPTION_HARNESS));
	for (size_t i = 0; sandboxes[i]; i++) {
		_free_ char *name =
		    mem_printf("sandbox %s", sandboxes[i]->name);
		struct err why = {0};

		free(spec.sandbox);
		spec.sandbox = mem_strdup(sandboxes[i]->name);
		if (try_sandbox(sandboxes[i], &spec, &why) < 0)
			doctor_add(s, name, WARN, why.hint, "%s", why.what);
		else
			doctor_add(
			    s, name, OK, NULL, "%s%s", sandboxes[i]->promise,
			    sandboxes[i] == &sandbox_podman &&
				    podman_engine_find(spec.engine)->has_daemon
				? "; engine: docker"
				: "");
	}
	spec_finish(&spec);
	config_destroy(config);
	return 0;
}

int doctor_pty(struct survey *s, struct err *err)
{
	_close_ int fd = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);

	(void)err;
	if (fd >= 0 && grantpt(fd) == 0 && unlockpt(fd) == 0)
		return doctor_add(s, "pseudo terminals", OK, NULL,
				  "can be made");
	return doctor_add(
	    s, "pseudo terminals", FAIL,
	    "is /dev/pts mounted, and kernel.pty.max large enough?",
	    "cannot be made: %s", strerror(errno));
}

/* Each running session uses one inotify instance. */
int doctor_inotify(struct survey *s, struct err *err)
{
	_close_ int fd = inotify_init1(IN_CLOEXEC);

	(void)err;
	if (fd >= 0)
		return doctor_add(s, "inotify", OK, NULL,
				  "changed files are seen");
	return doctor_add(s, "inotify", WARN,
			  "raise fs.inotify.max_user_instances (sysctl)",
			  "changed files are not seen: %s", strerror(errno));
}

int doctor_terminal(struct survey *s, struct err *err)
{
	const char *term = getenv("TERM");
	bool tty = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);

	(void)err;
	if (!term || !term[0] || strcmp(term, "dumb") == 0)
		return doctor_add(
		    s, "terminal", WARN,
		    "attach and the dashboard need a real terminal", "%s",
		    term && term[0] ? "TERM is dumb" : "TERM is not set");
	return doctor_add(s, "terminal", OK, NULL, "%s",
			  tty ? term : "none here, which is fine for commands");
}

int doctor_locale(struct survey *s, struct err *err)
{
	const char *charset;

	(void)err;
	if (!setlocale(LC_CTYPE, ""))
		return doctor_add(
		    s, "locale", WARN,
		    "`locale -a` lists those there are; C.UTF-8 is enough",
		    "LANG or LC_* name a locale that is not installed");
	charset = nl_langinfo(CODESET);
	return doctor_add(
	    s, "locale", strcmp(charset, "UTF-8") == 0 ? OK : WARN,
	    "agents draw in UTF-8: set LANG=C.UTF-8", "%s", charset);
}

/* Without a login the harness starts and asks for one. */
static void check_login(struct survey *s, const char *name,
			const struct harness *h)
{
	const struct auth *a = &h->auth;
	_free_ char *tried = harness_other_version(h);

	doctor_add(s, name, h->has_auth && (a->needs || !a->chosen) ? WARN : OK,
		   a->needs, "%s%s%s%s%s%s", h->path, tried ? ", version " : "",
		   tried ? h->version : "",
		   tried ? ", and afw was tried with another one" : "",
		   !h->has_auth ? ""
		   : a->chosen	? ", logs in by "
				: ", no login was found",
		   h->has_auth && a->chosen ? a->chosen : "");
}

static void check_harnesses(struct survey *s, const struct config *c)
{
	struct harness_list l;
	size_t found = 0;

	harness_list_load(&l, c, true);
	for (size_t i = 0; i < l.n; i++) {
		const struct harness *h = &l.v[i];
		char *name = mem_printf("agent %s", h->name);

		found += h->path != NULL;
		if (h->problem)
			doctor_add(s, name, FAIL, NULL, "%s", h->problem);
		else if (h->path)
			check_login(s, name, h);
		else if (strcmp(h->name, config_str(c, OPTION_HARNESS)) == 0)
			doctor_add(s, name, WARN, h->hint,
				   "not installed, and it is the default");
		free(name);
	}
	if (found == 0)
		doctor_add(
		    s, "agents", WARN,
		    "`afw adapters` says how to get one; `afw new NAME -a "
		    "demo` runs a stand-in, `afw new NAME -- COMMAND` any "
		    "command",
		    "no coding agent is installed");
	harness_list_finish(&l);
}

static void add_mistake(void *s, const char *what, const struct err *why)
{
	(void)what;
	doctor_add(s, "configuration", FAIL, why->hint, "%s", why->what);
}

/* No command waits for a spare, so none reports that there is none. */
static void check_spares(struct survey *s, const struct config *c)
{
	_free_ char *here = session_checkout_here(),
		    *dir = settings_location(c);
	long long percent = config_int(c, OPTION_SPARE_FREE);
	struct statvfs fs;

	if (!dir)
		dir = TAKE_PTR(here);
	if (strcmp(config_str(c, OPTION_SPARES), "0") != 0 && dir &&
	    statvfs(dir, &fs) == 0 &&
	    (double)fs.f_bavail * 100 < (double)fs.f_blocks * (double)percent)
		doctor_add(s, "spares", WARN,
			   "`afw config set spare_free N` allows them if N % "
			   "is free",
			   "less than %lld %% of the disk of %s is free, so "
			   "none is made",
			   percent, dir);
}

int doctor_config(struct survey *s, struct err *err)
{
	_free_ char *file = config_user_file();
	size_t before = s->found.n;
	struct config *c;

	if (settings_load_here(&c, err) < 0)
		return -1;
	config_check_sections(c, add_mistake, s);
	if (s->found.n == before)
		doctor_add(s, "configuration", OK, NULL, "%s",
			   file && access(file, F_OK) == 0 ? file : "defaults");
	if (config_untrusted(c))
		doctor_add(s, "repository's configuration", WARN,
			   "it is left out; `afw trust` shows and trusts it",
			   "%s", config_untrusted(c));
	check_spares(s, c);
	check_harnesses(s, c);
	config_destroy(c);
	return 0;
}
