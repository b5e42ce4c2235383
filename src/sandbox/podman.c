/*
 * podman.c - tier podman: starts a harness in a container, and reads how it
 * ended.
 *
 * The environment is passed through a pipe, which confine/inside.h reads there:
 * podman stores the values of --env in its database and in files. Only podman
 * may end the container: if conmon, its parent, does not outlive it, podman
 * treats it as running for ever.
 */
#include "sandbox/podman.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/env_list.h"
#include "base/file.h"
#include "base/json.h"
#include "base/random.h"
#include "sandbox/confine/inside.h"
#include "sandbox/podman_args.h"
#include "sandbox/podman_call.h"
#include "sandbox/podman_check.h"
#include "sandbox/podman_engine.h"
#include "sandbox/podman_image.h"
#include "sandbox/podman_mounts.h"
#include "sandbox/podman_ports.h"

#define FIFO_OF_COMMAND "env-" /* its FIFO's name, before random digits */

/* The variables that podman and docker need. */
static const char *const podmans[] = {"PATH",
				      "HOME",
				      "USER",
				      "LOGNAME",
				      "XDG_RUNTIME_DIR",
				      "XDG_CONFIG_HOME",
				      "XDG_DATA_HOME",
				      "TMPDIR",
				      "TERM",
				      "LANG",
				      "CONTAINERS_CONF",
				      "CONTAINERS_STORAGE_CONF",
				      "DOCKER_HOST",
				      "DOCKER_CONTEXT",
				      "DOCKER_CONFIG",
				      NULL};

/* -- starting ----------------------------------------------------------------
 */

/* Changes variables that name a directory of the session to its path inside. */
static void map_env(const struct sandbox_start *st)
{
	_strv_ struct strv places = {0};

	env_apply(st->env, "AFW_REPOSITORY"); /* does not exist inside */
	env_apply(st->env, "AF_REPOSITORY");
	podman_mounts_places(st->spec, st->home, &places);
	for (size_t i = 0; i < st->env->n; i++) {
		char *entry = st->env->v[i], *value = strchr(entry, '=');
		_free_ char *mapped = NULL;

		if (!value || value[1] != '/')
			continue;
		mapped = file_map(value + 1, &places);
		st->env->v[i] =
		    mem_printf("%.*s=%s", (int)(value - entry), entry, mapped);
		free(entry);
	}
}

static int make_fifo(const char *dir, const char *name, int flags)
{
	_free_ char *path = file_join(dir, name);

	unlink(path);
	if (mkfifo(path, 0600) < 0)
		return -1;
	return open(path, flags | O_NONBLOCK | O_CLOEXEC);
}

/* Deletes those of commands that have ended: no process has them open. */
static void delete_old_fifos(const char *dir)
{
	_dir_ DIR *d = file_list(AT_FDCWD, dir);
	const char *name;
	int fd;

	while (d && (name = file_list_next(d))) {
		if (strncmp(name, FIFO_OF_COMMAND, strlen(FIFO_OF_COMMAND)))
			continue;
		fd = openat(dirfd(d), name, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
		if (fd < 0 && errno == ENXIO)
			unlinkat(dirfd(d), name, 0);
		file_close(fd);
	}
}

/* As sandbox_send_env(), through FIFOs: confine/inside.h. The engine's command
 * has the environment's open both ways, so that the kernel keeps what is in it,
 * and the command inside knows when that one has ended. fifo: its name, for a
 * command beside the agent; NULL: it is the agent. */
static int send_env_by_fifo(const struct sandbox_start *st, const char *fifo,
			    struct err *err)
{
	_free_ char *dir = podman_mounts_fifos(st);

	if (file_private_dir(dir, err) < 0)
		return -1;
	delete_old_fifos(dir);
	*st->fd = make_fifo(dir, fifo ? fifo : INSIDE_FIFO_ENV, O_RDWR);
	if (!fifo)
		*st->hold = make_fifo(dir, INSIDE_FIFO_READY, O_RDONLY);
	if (*st->fd < 0 || (!fifo && *st->hold < 0))
		return err_errno(err, "make a FIFO in %s", dir);
	return sandbox_write_env(st, *st->fd, err);
}

/* Replaces the command with argv, which it owns, and the environment with
 * podman's; the agent's environment is passed through the pipe, or by the FIFO.
 */
static int set_command(const struct sandbox_start *st, struct strv *argv,
		       const char *fifo, struct err *err)
{
	const char *path = getenv("PATH");
	char *inside =
	    mem_printf("%s:/usr/local/bin:/usr/bin:/bin", path ? path : "");
	int rc;

	map_env(st);
	env_set(st->env, "TMPDIR", "/tmp");
	env_set(st->env, "PATH", inside);
	if (podman_engine_find(st->spec->engine)->has_daemon)
		rc = send_env_by_fifo(st, fifo, err);
	else
		rc = sandbox_send_env(st, err);
	if (rc < 0) {
		strv_finish(argv);
		free(inside);
		return -1;
	}
	for (size_t i = 0; podmans[i]; i++)
		if (getenv(podmans[i]))
			env_set(st->env, podmans[i], getenv(podmans[i]));
	/* So that processes left behind can be found. */
	env_set(st->env, "AF_SESSION_ID", st->spec->id);
	strv_finish(st->argv);
	*st->argv = *argv;
	free(inside);
	return 0;
}

/* Stops and removes it; grace_ms below 0: only one that has ended. -1 with err
 * if it is still there. */
static int remove_container(const char *engine, const char *name,
			    int64_t grace_ms, struct err *err)
{
	struct strv argv = {0};
	struct err why = {0};

	if (podman_engine_find(engine)->has_daemon && grace_ms > 0) {
		podman_args_stop(name, grace_ms, &argv);
		podman_call(&argv, grace_ms + PODMAN_CALL_MS, NULL, NULL);
	}
	podman_args_remove(engine, name, grace_ms, &argv);
	/* docker reports it as an error if there is none. */
	if (podman_call(&argv, grace_ms + PODMAN_CALL_MS, NULL, &why) != 0 &&
	    !strcasestr(why.what, "no such container")) {
		if (err)
			*err = why;
		return -1;
	}
	if (!podman_engine_find(engine)->network) {
		podman_args_remove_network(engine, name, &argv);
		podman_call(&argv, PODMAN_CALL_MS, NULL, NULL);
	}
	return 0;
}

/* Other sessions' containers must not reach this one's ports. */
static int make_network(const struct spec *spec, const char *name,
			struct err *err)
{
	struct strv argv = {0};

	if (podman_engine_find(spec->engine)->network ||
	    strcmp(spec->network, "own") != 0)
		return 0;
	podman_args_make_network(spec->engine, name, &argv);
	if (podman_call(&argv, PODMAN_CALL_MS, NULL, err) != 0)
		return err_prefix(err, "make its network");
	return 0;
}

static int open_podman(const struct sandbox_start *st, cJSON *handle,
		       struct err *err)
{
	struct strv argv = {0};
	_free_ char *name = podman_args_name(st->spec->id),
		    *image = podman_image_of(st->spec),
		    *pid_file = file_join(st->dir, "conmon.pid");
	cJSON *ports = json_set_array(handle, "ports");
	int rc = podman_ports_choose(st->spec, ports, err);

	if (rc == 0)
		rc = podman_args_run(st, image,
				     !strv_has(st->degraded, PODMAN_NO_LIMITS),
				     pid_file, ports, &argv, err);
	unlink(pid_file);
	/* docker cannot replace one. */
	if (podman_engine_find(st->spec->engine)->has_daemon)
		remove_container(st->spec->engine, name, 0, NULL);
	json_set_str(handle, "engine", st->spec->engine);
	json_set_str(handle, "container", name);
	json_set_str(handle, "pid_file", pid_file);
	if (rc == 0)
		rc = make_network(st->spec, name, err);
	if (rc == 0)
		rc = set_command(st, &argv, NULL, err);
	else
		strv_finish(&argv);
	return rc;
}

static int exec_podman(const struct sandbox_start *st, const cJSON *handle,
		       struct err *err)
{
	const char *name = json_str(handle, "container");
	char hex[17], fifo[sizeof FIFO_OF_COMMAND + sizeof hex];
	bool by_fifo;
	struct strv argv = {0};

	if (!name) {
		err_set(
		    err, ERR_NOT_RUNNING,
		    "exec '%s': its container only exists while it is running",
		    st->spec->name);
		return err_hint(err, "`afw start %s`", st->spec->name);
	}
	by_fifo = podman_engine_find(st->spec->engine)->has_daemon;
	random_hex(hex, sizeof hex - 1);
	snprintf(fifo, sizeof fifo, FIFO_OF_COMMAND "%s", hex);
	podman_args_exec(st, name, by_fifo ? fifo : NULL,
			 isatty(STDIN_FILENO) && isatty(STDOUT_FILENO), &argv);
	return set_command(st, &argv, fifo, err);
}

/* -- its end -----------------------------------------------------------------
 */

static pid_t helper(const cJSON *handle)
{
	_buf_ struct buf text = {0};
	pid_t pid = 0;

	if (file_read(AT_FDCWD, json_str_or(handle, "pid_file", ""), 64, &text,
		      NULL) == 0 &&
	    text.data)
		pid = atoi(text.data);
	return pid;
}

int podman_remove(const char *engine, const char *id, struct err *err)
{
	_free_ char *name = podman_args_name(id);

	return remove_container(engine, name, 0, err);
}

int podman_containers(const char *engine, podman_container_fn *fn, void *ctx,
		      struct err *err)
{
	struct strv argv = {0};
	_buf_ struct buf out = {0};
	char *line, *next, *dir;

	podman_args_containers(engine, &argv);
	if (podman_call(&argv, PODMAN_CALL_MS, &out, err) != 0)
		return -1;
	for (line = out.data; line && (next = strchr(line, '\n'));
	     line = next) {
		*next++ = '\0';
		dir = strchr(line, ' ');
		if (!dir)
			continue;
		*dir++ = '\0';
		fn(ctx, engine, line, dir);
	}
	return 0;
}

static char *ended(const cJSON *handle, int code)
{
	const char *name = json_str_or(handle, "container", ""), *words = NULL;
	const struct podman_engine *e =
	    podman_engine_find(json_str(handle, "engine"));
	struct strv argv = {0};
	_buf_ struct buf out = {0};

	podman_args_inspect(e->name, name, &argv);
	if (podman_call(&argv, PODMAN_CALL_MS, &out, NULL) == 0 && out.data &&
	    strstr(out.data, "true"))
		words = "it was out of memory (sandbox_memory)";
	else if (code == 125)
		words = e->has_daemon ? "docker failed" : "podman failed";
	else if (code == 127)
		words = "its program is not in the image";
	/* docker's command may have ended before the container. */
	remove_container(e->name, name, e->has_daemon ? 5000 : 0, NULL);
	return mem_strdup(words);
}

static int stop(const struct spec *spec, int64_t grace_ms)
{
	_free_ char *name = podman_args_name(spec->id);

	return remove_container(spec->engine, name, grace_ms, NULL);
}

static void probe(const cJSON *handle, struct strv *argv)
{
	podman_args_probe(json_str(handle, "engine"),
			  json_str_or(handle, "container", ""), argv);
}

const struct sandbox sandbox_podman = {
    .name = "podman",
    .promise = "a container of its own: no file of yours but its worktree, "
	       "limits, its own network",
    .private_home = true,
    .private_git = true,
    .holds = true,
    .probe = probe,
    .own_programs = true,
    .places = podman_mounts_places,
    .check = podman_check_session,
    .try = podman_check_try,
    .open = open_podman,
    .own_program = podman_args_own_program,
    .exec = exec_podman,
    .helper = helper,
    .ended = ended,
    .stop = stop,
};
