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

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/env_list.h"
#include "base/file.h"
#include "base/json.h"
#include "sandbox/podman_args.h"
#include "sandbox/podman_call.h"
#include "sandbox/podman_check.h"
#include "sandbox/podman_image.h"
#include "sandbox/podman_mounts.h"

/* The variables that podman needs. */
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

/* Replaces the command with argv, which it owns, and the environment with
 * podman's; the agent's environment is passed through the pipe. */
static int set_command(const struct sandbox_start *st, struct strv *argv,
		       struct err *err)
{
	const char *path = getenv("PATH");
	char *inside =
	    mem_printf("%s:/usr/local/bin:/usr/bin:/bin", path ? path : "");

	map_env(st);
	env_set(st->env, "TMPDIR", "/tmp");
	env_set(st->env, "PATH", inside);
	if (sandbox_send_env(st, err) < 0) {
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

static int open_podman(const struct sandbox_start *st, cJSON *handle,
		       struct err *err)
{
	struct strv argv = {0};
	_free_ char *name = podman_args_name(st->spec->id),
		    *image = podman_image_of(st->spec),
		    *pid_file = file_join(st->dir, "conmon.pid");
	int rc = podman_args_run(st, image,
				 !strv_has(st->degraded, PODMAN_NO_LIMITS),
				 pid_file, &argv, err);

	unlink(pid_file);
	json_set_str(handle, "container", name);
	json_set_str(handle, "pid_file", pid_file);
	if (rc == 0)
		rc = set_command(st, &argv, err);
	else
		strv_finish(&argv);
	return rc;
}

static int exec_podman(const struct sandbox_start *st, const cJSON *handle,
		       struct err *err)
{
	const char *name = json_str(handle, "container");
	struct strv argv = {0};

	if (!name) {
		err_set(
		    err, ERR_NOT_RUNNING,
		    "exec '%s': its container only exists while it is running",
		    st->spec->name);
		return err_hint(err, "`afw start %s`", st->spec->name);
	}
	podman_args_exec(st, name,
			 isatty(STDIN_FILENO) && isatty(STDOUT_FILENO), &argv);
	return set_command(st, &argv, err);
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

static int remove_it(const char *name, int64_t grace_ms, struct err *err)
{
	struct strv argv = {0};

	podman_args_remove(name, grace_ms, &argv);
	return podman_call(&argv, grace_ms + PODMAN_CALL_MS, NULL, err) == 0
		   ? 0
		   : -1;
}

int podman_remove(const char *id, struct err *err)
{
	_free_ char *name = podman_args_name(id);

	return remove_it(name, 0, err);
}

int podman_containers(podman_container_fn *fn, void *ctx, struct err *err)
{
	struct strv argv = {0};
	_buf_ struct buf out = {0};
	char *line, *next, *dir;

	podman_args_containers(&argv);
	if (podman_call(&argv, PODMAN_CALL_MS, &out, err) != 0)
		return -1;
	for (line = out.data; line && (next = strchr(line, '\n'));
	     line = next) {
		*next++ = '\0';
		dir = strchr(line, ' ');
		if (!dir)
			continue;
		*dir++ = '\0';
		fn(ctx, line, dir);
	}
	return 0;
}

static char *ended(const cJSON *handle, int code)
{
	const char *name = json_str_or(handle, "container", ""), *words = NULL;
	struct strv argv = {0};
	_buf_ struct buf out = {0};

	podman_args_inspect(name, &argv);
	if (podman_call(&argv, PODMAN_CALL_MS, &out, NULL) == 0 && out.data &&
	    strstr(out.data, "true"))
		words = "it was out of memory (sandbox_memory)";
	else if (code == 125)
		words = "podman failed";
	else if (code == 127)
		words = "its program is not in the image";
	remove_it(name, 0, NULL);
	return mem_strdup(words);
}

static int stop(const struct spec *spec, int64_t grace_ms)
{
	_free_ char *name = podman_args_name(spec->id);

	return remove_it(name, grace_ms, NULL);
}

static void probe(const cJSON *handle, struct strv *argv)
{
	podman_args_probe(json_str_or(handle, "container", ""), argv);
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
