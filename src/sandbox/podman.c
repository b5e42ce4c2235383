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
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/env_list.h"
#include "base/file.h"
#include "base/json.h"
#include "base/spawn.h"
#include "base/words.h"
#include "sandbox/podman_args.h"
#include "sandbox/podman_call.h"
#include "sandbox/podman_image.h"

#define NO_LIMITS                                                              \
	"sandbox podman: memory and processors are not limited (cgroups are "  \
	"not delegated to you)"

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

/* -- what there is -----------------------------------------------------------
 */

int podman_check_version(const char *version, struct err *err)
{
	int major = 0, minor = 0;

	if (sscanf(version, "%d.%d", &major, &minor) == 2 &&
	    major * 100 + minor >= 403)
		return 0;
	return err_set(err, ERR_FAILED,
		       "sandbox podman: it is version %.*s, 4.3 is needed",
		       (int)strcspn(version, "\n"), version);
}

bool podman_keeps_limits(const char *controllers)
{
	_strv_ struct strv words = {0};

	return words_split(controllers, &words, NULL) == 0 &&
	       strv_has(&words, "memory") && strv_has(&words, "pids") &&
	       strv_has(&words, "cpu");
}

/* True if podman can limit memory and processors, found as podman does: `podman
 * info` takes a fifth of a second, as it searches the packages of all its
 * programs. */
static bool can_limit(void)
{
	_buf_ struct buf own = {0}, controllers = {0};
	struct statfs fs;
	bool keeps = false;
	char *path = NULL;

	if (statfs("/sys/fs/cgroup", &fs) == 0 &&
	    fs.f_type == CGROUP2_SUPER_MAGIC &&
	    file_read(AT_FDCWD, "/proc/self/cgroup", 4096, &own, NULL) == 0 &&
	    own.len > 3 && strncmp(own.data, "0::", 3) == 0) {
		path =
		    mem_printf("/sys/fs/cgroup%.*s/cgroup.controllers",
			       (int)strcspn(own.data + 3, "\n"), own.data + 3);
		keeps =
		    file_read(AT_FDCWD, path, 4096, &controllers, NULL) == 0 &&
		    controllers.len > 0 &&
		    podman_keeps_limits(controllers.data);
	}
	free(path);
	return keeps;
}

/* Hints by podman's error. */
static const struct {
	const char *says, *helps;
} helps[] = {
    {"container-init binary", "on Debian: apt install catatonit"},
    {"OCI runtime", "runtime = \"runc\" in containers.conf(5) names another "
		    "(on Debian: apt install runc)"},
    {"cgroup", "crun refuses hybrid cgroups: runtime = \"runc\" in "
	       "containers.conf(5)"},
    {"/dev/net/tun", "network = none or host does not need it"},
    {"slirp4netns", "on Debian: apt install slirp4netns"},
    {"newuidmap", "on Debian: apt install uidmap"},
    {"", "does `podman info` work? It needs a line for you in /etc/subuid and "
	 "/etc/subgid"},
};

static int add_help(struct err *err)
{
	size_t i = 0;

	while (!strstr(err->what, helps[i].says))
		i++;
	return err_hint(err, "%s", helps[i].helps);
}

static int check_image(const struct spec *spec, struct err *err)
{
	char *image = podman_image_of(spec);
	int there = podman_image_exists(image, err);

	if (there < 0)
		add_help(err);
	if (there == 0) {
		err_set(err, ERR_FAILED, "sandbox podman: there is no image %s",
			image);
		err_hint(err,
			 "`afw image build %s` makes one, `podman pull` or "
			 "`podman build` another, which image = NAME in "
			 "afw.ini names: afw-image(1)",
			 spec->harness ? spec->harness : "HARNESS");
	}
	free(image);
	return there == 1 ? 0 : -1;
}

static int check_network(const struct spec *spec, struct err *err)
{
	if (!spec->network || strcmp(spec->network, "own") != 0 ||
	    access("/dev/net/tun", R_OK | W_OK) == 0)
		return 0;
	err_set(err, ERR_FAILED,
		"sandbox podman: network = own needs /dev/net/tun: %s",
		strerror(errno));
	return err_hint(err, "network = none or host does not need it");
}

int podman_check(struct err *err)
{
	char *found = spawn_find("podman");
	_buf_ struct buf version = {0};
	struct strv argv = {0};

	free(found);
	if (geteuid() == 0) {
		err_set(err, ERR_FAILED,
			"sandbox podman: it does not work for root");
		return err_hint(err,
				"root in such a container is root outside");
	}
	if (!found) {
		err_set(err, ERR_FAILED,
			"sandbox podman: podman is not in PATH");
		return err_hint(err, "on Debian: apt install podman uidmap "
				     "slirp4netns catatonit");
	}
	podman_args_version(&argv);
	return podman_call(&argv, PODMAN_CALL_MS, &version, err) != 0
		   ? add_help(err)
		   : podman_check_version(version.len ? version.data : "", err);
}

static int check_seccomp(const struct spec *spec, struct err *err)
{
	_free_ char *path = podman_args_seccomp(spec);

	if (!path || access(path, R_OK) == 0)
		return 0;
	return err_errno(err, "sandbox podman: sandbox_seccomp: read %s", path);
}

static int check(const struct spec *spec, struct strv *degraded,
		 struct err *err)
{
	if (podman_check(err) < 0 || check_image(spec, err) < 0 ||
	    check_network(spec, err) < 0 || check_seccomp(spec, err) < 0)
		return -1;
	if (!can_limit())
		strv_add(degraded, NO_LIMITS);
	return 0;
}

static int try_podman(const struct spec *spec, const char *dir, struct err *err)
{
	/* Otherwise podman makes them as another user. */
	static const char *const covered[] = {"tmp", "run", "var", "var/tmp"};
	struct strv argv = {0};

	for (size_t n = 0; n < sizeof covered / sizeof *covered; n++) {
		_free_ char *path = file_join(dir, covered[n]);

		if (mkdir(path, 0755) < 0)
			return err_errno(err, "make %s", path);
	}
	podman_args_try(spec, dir, can_limit(), &argv);
	if (podman_call(&argv, PODMAN_CALL_MS, NULL, err) == 0)
		return 0;
	err_prefix(err, "sandbox podman: start a container");
	return add_help(err);
}

/* -- starting ----------------------------------------------------------------
 */

/* Changes variables that name a directory of the session to its path inside. */
static void map_env(const struct sandbox_start *st)
{
	_strv_ struct strv places = {0};

	env_put(st->env, "AFW_REPOSITORY"); /* does not exist inside */
	env_put(st->env, "AF_REPOSITORY");
	podman_args_places(st->spec, st->home, &places);
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
	int rc = podman_args_run(st, image, !strv_has(st->degraded, NO_LIMITS),
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
    .places = podman_args_places,
    .check = check,
    .try = try_podman,
    .open = open_podman,
    .own_program = podman_args_own_program,
    .exec = exec_podman,
    .helper = helper,
    .ended = ended,
    .stop = stop,
};
