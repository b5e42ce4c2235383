/* podman_check.c - checks that podman works here, and what it can limit. */
#include "sandbox/podman_check.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/spawn.h"
#include "base/words.h"
#include "sandbox/podman_args.h"
#include "sandbox/podman_call.h"
#include "sandbox/podman_engine.h"
#include "sandbox/podman_image.h"

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

bool podman_check_limits(const char *controllers)
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
		    podman_check_limits(controllers.data);
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
	int there = podman_image_exists(spec->engine, image, err);

	if (there < 0)
		add_help(err);
	if (there == 0)
		err_set(err, ERR_FAILED, "sandbox podman: there is no image %s",
			image);
	if (there == 0 && podman_engine_find(spec->engine)->has_daemon)
		err_hint(err, "`docker build` or `docker pull` makes one, "
			      "which image = NAME in afw.ini names");
	else if (there == 0)
		err_hint(err,
			 "`afw image build %s` makes one, `podman pull` or "
			 "`podman build` another, which image = NAME in "
			 "afw.ini names: afw-image(1)",
			 spec->harness ? spec->harness : "AGENT");
	free(image);
	return there == 1 ? 0 : -1;
}

static int check_network(const struct spec *spec, struct err *err)
{
	if (spec->ports.n && spec->network &&
	    strcmp(spec->network, "own") != 0) {
		err_set(err, ERR_FAILED,
			"sandbox podman: ports need network = own, not %s",
			spec->network);
		return err_hint(err, "on the host's network, the container's "
				     "ports are your own");
	}
	if (!spec->network || strcmp(spec->network, "own") != 0 ||
	    podman_engine_find(spec->engine)->has_daemon ||
	    access("/dev/net/tun", R_OK | W_OK) == 0)
		return 0;
	err_set(err, ERR_FAILED,
		"sandbox podman: network = own needs /dev/net/tun: %s",
		strerror(errno));
	return err_hint(err, "network = none or host does not need it");
}

static int check_docker(struct err *err)
{
	struct strv argv = {0};

	/* The version is podman's in podman-docker. */
	podman_args_version("docker", &argv);
	if (podman_call(&argv, PODMAN_CALL_MS, NULL, err) == 0)
		return 0;
	err_prefix(err, "sandbox podman: engine = docker");
	return err_hint(err, "does `docker version` work?");
}

int podman_check(const char *engine, struct err *err)
{
	_free_ char *found = spawn_find("podman");
	_buf_ struct buf version = {0};
	struct strv argv = {0};

	if (geteuid() == 0) {
		err_set(err, ERR_FAILED,
			"sandbox podman: it does not work for root");
		return err_hint(err,
				"root in such a container is root outside");
	}
	if (podman_engine_find(engine)->has_daemon)
		return check_docker(err);
	if (!found) {
		err_set(err, ERR_FAILED,
			"sandbox podman: podman is not in PATH");
		return err_hint(err, "on Debian: apt install podman uidmap "
				     "slirp4netns catatonit");
	}
	podman_args_version(NULL, &argv);
	if (podman_call(&argv, PODMAN_CALL_MS, &version, err) != 0)
		return add_help(err);
	return podman_check_version(version.len ? version.data : "", err);
}

static int check_seccomp(const struct spec *spec, struct err *err)
{
	_free_ char *path = podman_args_seccomp(spec);

	if (!path || access(path, R_OK) == 0)
		return 0;
	return err_errno(err, "sandbox podman: sandbox_seccomp: read %s", path);
}

int podman_check_session(const struct spec *spec, struct strv *degraded,
			 struct err *err)
{
	if (podman_check(spec->engine, err) < 0 || check_image(spec, err) < 0 ||
	    check_network(spec, err) < 0 || check_seccomp(spec, err) < 0)
		return -1;
	if (!podman_engine_find(spec->engine)->has_daemon && !can_limit())
		strv_add(degraded, PODMAN_NO_LIMITS);
	return 0;
}

int podman_check_try(const struct spec *spec, const char *dir, struct err *err)
{
	/* Otherwise podman makes them as another user. */
	static const char *const covered[] = {"tmp", "run", "var", "var/tmp"};
	struct strv argv = {0};

	if (podman_engine_find(spec->engine)->has_daemon)
		return 0; /* it cannot start a directory */
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
