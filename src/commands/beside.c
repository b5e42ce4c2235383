/*
 * beside.c - terminals of the user's beside an agent.
 *
 * Each is a session as any other, but in a data directory of its own, inside
 * that of the agent's session: no list has it, its supervisor keeps it while
 * nobody is attached, and it goes with the session's files. It has no
 * repository and no configuration. Its command is `afw exec`, which knows the
 * session's worktree, environment and sandbox.
 */
#include "commands/beside.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/delete_tree.h"
#include "base/env_list.h"
#include "base/file.h"
#include "base/name.h"
#include "base/spawn.h"
#include "commands/attach.h"
#include "commands/cli/output.h"
#include "commands/launch/settings.h"
#include "session/disk/dirs.h"
#include "session/live/connection.h"
#include "wire/program.h"

#define DIR_NAME   "beside"
#define NEW_MS	   60000
#define STOP_MS	   20000
#define OUTPUT_MAX ((size_t)64 * 1024)
#define GRACE_MS   1000 /* a shell does not end by SIGTERM */

/* -- the data directory ---------------------------------------------------- */

static char *data_of(const struct session *s)
{
	return file_join(s->dir, DIR_NAME);
}

bool beside_exists(const struct session *s)
{
	_free_ char *data = data_of(s);

	return access(data, F_OK) == 0;
}

/* From here to leave(), sessions are those beside s. Returns what AF_DATA_DIR
 * was, to be freed by leave(). */
static char *enter(const struct session *s)
{
	_free_ char *data = data_of(s);
	char *was = mem_strdup(getenv("AF_DATA_DIR"));

	setenv("AF_DATA_DIR", data, 1);
	return was;
}

static void leave(char *was)
{
	if (was)
		setenv("AF_DATA_DIR", was, 1);
	else
		unsetenv("AF_DATA_DIR");
	free(was);
}

/* -- start ----------------------------------------------------------------- */

/* Appends `env`, which gives the command our own environment again, where that
 * session has another. data: ours. */
static void add_env(const char *data, struct strv *argv)
{
	const char *config = getenv("XDG_CONFIG_HOME");

	strv_add(argv, "env");
	strv_add(argv, "--unset=AF_SESSION_ID");
	strv_add(argv, "--unset=AF_DOOR");
	if (!config)
		strv_add(argv, "--unset=XDG_CONFIG_HOME");
	strv_addf(argv, "AF_DATA_DIR=%s", data);
	if (config)
		strv_addf(argv, "XDG_CONFIG_HOME=%s", config);
}

static bool is_container(const struct session *s)
{
	return s->spec.sandbox && strcmp(s->spec.sandbox, "podman") == 0;
}

/* A container does not have the user's shell. */
static const char *find_shell(const struct session *s)
{
	const char *shell = getenv("SHELL");

	if (is_container(s))
		return "sh";
	return shell && *shell ? shell : "/bin/sh";
}

static void add_command(const struct session *s, const char *data,
			const char *const *command, size_t n, struct strv *argv)
{
	_free_ char *afw = program_afw();

	strv_add(argv, "--");
	add_env(data, argv);
	strv_add(argv, afw);
	strv_add(argv, "exec");
	strv_add(argv, s->spec.id);
	strv_add(argv, "--");
	for (size_t i = 0; i < n; i++)
		strv_add(argv, command[i]);
	if (!n)
		strv_add(argv, find_shell(s));
}

/* Runs `afw new` there, without a repository or a configuration. data: that of
 * s. */
static int start(const struct session *s, const char *name, const char *data,
		 const char *const *command, size_t n, struct err *err)
{
	static const char *const words[] = {"new",   "--scratch", "--sandbox",
					    "none",  "--backend", "pty",
					    "--json"};
	_free_ char *afw = program_afw(), *dir = data_of(s);
	_strv_ struct strv argv = {0}, env = {0};
	_buf_ struct buf out = {0}, errors = {0};
	struct spawn sp = {.dir = dir};
	int status;

	if (file_private_dir(dir, err) < 0)
		return -1;
	strv_add(&argv, afw);
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		strv_add(&argv, words[i]);
	strv_add(&argv, name);
	add_command(s, data, command, n, &argv);
	for (char **e = environ; *e; e++)
		strv_add(&env, *e);
	env_set(&env, "AF_DATA_DIR", dir);
	env_set(&env, "XDG_CONFIG_HOME", dir);
	sp.argv = argv.v;
	sp.envp = env.v;
	if (spawn_run(&sp, NULL, &out, &errors, OUTPUT_MAX, NEW_MS, &status,
		      err) < 0)
		return -1;
	return status == 0 ? 0
			   : err_set(err, ERR_FAILED, "%.300s",
				     errors.len ? errors.data : out.data);
}

/* -- find, attach ---------------------------------------------------------- */

/* Finds a running one of that name; forgets those that have ended. Returns
 * false if there is none. */
static bool find(const struct session *s, const char *name, char *id)
{
	_session_list_ struct session_list l = {0};
	char *was = enter(s);
	bool found = false;

	if (session_list_load(&l, NULL) < 0)
		l.n = 0;
	for (size_t i = 0; i < l.n; i++) {
		session_wait_settled(&l.v[i]);
		if (!l.v[i].alive)
			delete_tree(AT_FDCWD, l.v[i].dir, NULL);
		else if (strcmp(l.v[i].spec.name, name) == 0)
			found = memcpy(id, l.v[i].spec.id, SPEC_ID_LEN + 1);
	}
	leave(was);
	return found;
}

/* What is printed there would go with the terminal. A container has programs of
 * its own, and a path may be one of the worktree. */
static int check_program(const struct session *s, const char *program,
			 struct err *err)
{
	_free_ char *path = spawn_find(program);

	return path || strchr(program, '/') || is_container(s)
		   ? 0
		   : err_set(err, ERR_FAILED, "there is no program '%.80s'",
			     program);
}

/* Names it after s, for what is shown when it begins and ends. */
static void set_names(const struct session *s, struct spec *it)
{
	char *name = mem_printf("%s: %s", s->spec.name, it->name);

	free(it->name);
	it->name = name;
	mem_set(&it->repository_name, s->spec.repository_name);
}

static int attach(const struct session *s, const char *id,
		  const struct config *config, struct err *err)
{
	char *was = enter(s);
	_session_ struct session it = {0};
	int rc = session_load(&it, id, err);

	if (rc == 0) {
		set_names(s, &it.spec);
		rc = attach_session(&it, config, false, err);
	}
	/* It has no name for the hint of another command. */
	if (rc < 0 && err->kind == ERR_NOT_RUNNING)
		err_set(err, ERR_FAILED, "'%s' ended at once", it.spec.name);
	leave(was);
	return rc;
}

int beside_attach(const struct session *s, const char *name,
		  const char *const *command, size_t n, struct err *err)
{
	_config_ struct config *config = NULL;
	_free_ char *data = dirs_data(err);
	char id[SPEC_ID_LEN + 1];

	if (!data || name_check(name, err) < 0 ||
	    settings_load_usable(&config, spec_checkout(&s->spec), err) < 0)
		return -1;
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return err_set(err, ERR_USAGE, "this is not a terminal");
	if (n && check_program(s, command[0], err) < 0)
		return -1;
	if (!find(s, name, id)) {
		int rc = start(s, name, data, command, n, err);

		/* Another afw may have been faster. */
		if (!find(s, name, id))
			return rc < 0 ? -1
				      : err_set(err, ERR_FAILED,
						"'%s' ended at once", name);
	}
	return attach(s, id, config, err);
}

/* -- end ------------------------------------------------------------------- */

/* The reply comes when the command has ended. */
static void stop(struct session *s, struct err *err)
{
	struct request rq = {
	    .id = REQUEST_STOP,
	    .stop = {.has_timeout_ms = true, .timeout_ms = GRACE_MS}};

	if (!s->alive)
		return;
	cJSON_Delete(connect_request(s, &rq, STOP_MS, err));
	/* Its last phase is stored; its supervisor may be a moment longer. */
	if (session_reload(s, NULL) == 0)
		session_wait_settled(s);
	if (!s->alive)
		err_clear(err);
	else if (!err->kind)
		err_set(err, ERR_TIMEOUT, "it is still running");
}

void beside_end(const struct session *s)
{
	_free_ char *data = data_of(s);
	_session_list_ struct session_list l = {0};
	struct err err = {0};
	char *was;

	if (!beside_exists(s))
		return;
	was = enter(s);
	if (session_list_load(&l, &err) == 0)
		for (size_t i = 0; i < l.n && !err.kind; i++)
			stop(&l.v[i], &err);
	leave(was);
	if (!err.kind)
		delete_tree(AT_FDCWD, data, &err);
	if (err.kind)
		output_warn("%s: a terminal beside it is not ended: %s",
			    s->spec.name, err.what);
}
