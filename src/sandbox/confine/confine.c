/*
 * confine.c - confines a process, in this order: its own view of the files
 * (mounts.c), Landlock for files and connections, seccomp for what Landlock
 * does not cover (calls.c). A process confined by Landlock cannot
 * change its mounts, and cannot inspect processes outside (ptrace(2),
 * /proc/PID/environ).
 *
 * The agent's environment is set last: LD_PRELOAD in it would run a library of
 * the agent in this program before it is confined.
 */
#include "sandbox/confine/confine.h"

#include <asm/unistd.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/spawn.h"
#include "sandbox/confine/calls.h"
#include "sandbox/confine/inside.h"
#include "sandbox/confine/mounts.h"

/* linux/landlock.h of 6.12, which may be newer than the installed one. */
struct ruleset {
	uint64_t fs, net, scoped;
};
struct port_rule {
	uint64_t access, port;
};
#define TRUNCATE    (1ULL << 14)
#define IOCTL_DEV   (1ULL << 15)
#define CONNECT_TCP 2
#define PORT_RULE   2
#define SCOPES	    3 /* signals and abstract sockets */

#define READ                                                                   \
	(LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE |           \
	 LANDLOCK_ACCESS_FS_READ_DIR)
#define DEVICE                                                                 \
	(LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE |        \
	 IOCTL_DEV)
#define OF_FILES (DEVICE | LANDLOCK_ACCESS_FS_EXECUTE | TRUNCATE)
#define ALL	 ((IOCTL_DEV << 1) - 1)
#define WRITE                                                                  \
	(ALL & ~(uint64_t)(LANDLOCK_ACCESS_FS_MAKE_CHAR |                      \
			   LANDLOCK_ACCESS_FS_MAKE_BLOCK |                     \
			   LANDLOCK_ACCESS_FS_MAKE_SOCK | IOCTL_DEV))

static const char *const devices[] = {
    "/dev/null",    "/dev/zero", "/dev/full", "/dev/random",
    "/dev/urandom", "/dev/tty",	 NULL};

/* These are in mounts_own, unlike the user's devices. */
static const char *const own_devices[] = {"/dev/ptmx", "/dev/pts", NULL};

/* -- Landlock ---------------------------------------------------------------
 */

/* Returns Landlock's version in this kernel; 0: none. */
static int version(void)
{
	long abi = syscall(__NR_landlock_create_ruleset, NULL, 0,
			   LANDLOCK_CREATE_RULESET_VERSION);

	return abi < 0 ? 0 : (int)abi;
}

/* Returns the rules that a kernel of this version supports. */
static struct ruleset supported_rules(int abi, bool ports)
{
	struct ruleset r = {.fs = ALL};

	if (abi < 2)
		r.fs &= ~(uint64_t)LANDLOCK_ACCESS_FS_REFER;
	if (abi < 3)
		r.fs &= ~TRUNCATE;
	if (abi < 5)
		r.fs &= ~IOCTL_DEV;
	if (abi >= 4 && ports)
		r.net = CONNECT_TCP;
	if (abi >= 6)
		r.scoped = SCOPES;
	return r;
}

static int allow_open(int ruleset, int fd, uint64_t access, struct err *err)
{
	struct landlock_path_beneath_attr rule = {.allowed_access = access,
						  .parent_fd = fd};
	struct stat st;

	if (fstat(fd, &st) == 0 && !S_ISDIR(st.st_mode))
		rule.allowed_access &= OF_FILES;
	if (syscall(__NR_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH,
		    &rule, 0) < 0)
		return err_errno(err, "allow what it may open");
	return 0;
}

/* Allows the paths that exist. */
static int allow(int ruleset, const char *const *paths, uint64_t access,
		 struct err *err)
{
	int fd, rc = 0;

	for (; rc == 0 && paths && *paths; paths++) {
		fd = open(*paths, O_PATH | O_CLOEXEC);
		if (fd >= 0)
			rc = allow_open(ruleset, fd, access, err);
		file_close(fd);
	}
	return rc;
}

/* Allows the paths of m from first on, up to end. */
static int allow_opened(int ruleset, const struct mounts *m, size_t first,
			size_t end, uint64_t access, struct err *err)
{
	int rc = 0;

	for (size_t i = first; rc == 0 && i < end; i++)
		if (m->fds[i] >= 0)
			rc = allow_open(ruleset, m->fds[i], access, err);
	return rc;
}

/* "none" is not a port. */
static int allow_ports(int ruleset, const cJSON *rules, struct err *err)
{
	_strv_ struct strv ports = {0};
	int rc = 0;

	json_strv(rules, "ports", &ports);
	for (size_t i = 0; rc == 0 && i < ports.n; i++) {
		struct port_rule rule = {.access = CONNECT_TCP,
					 .port = strtoul(ports.v[i], NULL, 10)};

		if (rule.port && syscall(__NR_landlock_add_rule, ruleset,
					 PORT_RULE, &rule, 0) < 0)
			rc = err_errno(err, "allow port %s", ports.v[i]);
	}
	return rc;
}

/* own_view: it has mounts_own; tty: its terminal, or -1. */
static int restrict_access(const cJSON *rules, const struct mounts *m,
			   bool own_view, int tty, struct err *err)
{
	struct ruleset attr =
	    supported_rules(version(), cJSON_HasObjectItem(rules, "ports"));
	int ruleset =
	    (int)syscall(__NR_landlock_create_ruleset, &attr, sizeof attr, 0);
	int rc;

	if (ruleset < 0)
		return err_errno(err, "make Landlock's rules");
	rc = allow_opened(ruleset, m, 0, m->writable, WRITE & attr.fs, err);
	if (rc == 0)
		rc = allow_opened(ruleset, m, m->writable, m->paths.n, READ,
				  err);
	if (rc == 0)
		rc = allow(ruleset, devices, DEVICE & attr.fs, err);
	if (rc == 0 && tty >= 0)
		rc = allow_open(ruleset, tty, DEVICE & attr.fs, err);
	if (rc == 0 && own_view)
		rc = allow(ruleset, mounts_own, WRITE & attr.fs, err);
	if (rc == 0 && own_view)
		rc = allow(ruleset, own_devices, DEVICE & attr.fs, err);
	if (rc == 0 && attr.net)
		rc = allow_ports(ruleset, rules, err);
	if (rc == 0 && syscall(__NR_landlock_restrict_self, ruleset, 0) < 0)
		rc = err_errno(err, "start Landlock");
	close(ruleset);
	return rc;
}

/* The namespace's capabilities are only needed for the mounts. */
static int drop_capabilities(struct err *err)
{
	struct __user_cap_header_struct head = {
	    .version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct none[2] = {{0}};

	/* This fails without the namespace: then there are none. */
	for (int cap = 0; prctl(PR_CAPBSET_READ, cap) >= 0; cap++)
		if (prctl(PR_CAPBSET_DROP, cap) < 0 && errno != EPERM)
			return err_errno(err, "drop a capability");
	if (syscall(__NR_capset, &head, none) < 0 ||
	    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return err_errno(err, "drop all capabilities");
	return 0;
}

/* The agent may have replaced it: whatever it leads to is confined. */
static int enter_subdir(const cJSON *rules, struct err *err)
{
	const char *dir = json_str(rules, "subdir");

	return dir && chdir(dir) < 0 ? err_errno(err, "go to %s", dir) : 0;
}

static int confine(const cJSON *rules, struct err *err)
{
	const char *name = ttyname(STDIN_FILENO);
	/* Its path will be covered. */
	int tty = name ? open(name, O_PATH | O_CLOEXEC) : -1, death = 0, rc;
	struct mounts m = {0};
	bool own_view;

	prctl(PR_GET_PDEATHSIG, &death);
	own_view = mounts_enter() == 0;
	if (!own_view && !json_bool(rules, "degraded", false))
		return err_errno(err, "make a namespace for users and mounts");
	rc = mounts_open(rules, &m, err);
	if (rc == 0 && own_view)
		rc = mounts_apply(rules, &m, err);
	if (rc == 0)
		rc = drop_capabilities(err);
	if (rc == 0)
		rc = restrict_access(rules, &m, own_view, tty, err);
	mounts_close(&m);
	file_close(tty);
	if (rc < 0 || calls_deny(false, err) < 0 ||
	    enter_subdir(rules, err) < 0)
		return -1;
	if (inside_env("landlock") < 0)
		_exit(126);
	setenv("TMPDIR", own_view ? "/tmp" : json_str_or(rules, "tmp", ""), 1);
	prctl(PR_SET_PDEATHSIG, death); /* changed credentials reset it */
	return 0;
}

int confine_run(const char *text, char *const *argv)
{
	cJSON *rules = cJSON_Parse(text);
	struct err err = {0};

	if (!rules)
		err_set(&err, ERR_FAILED, "the rules cannot be read");
	else if (confine(rules, &err) == 0) {
		spawn_exec(argv);
		err_errno(&err, "run %s", argv[0]);
	}
	fprintf(stderr, "afw: sandbox landlock: %s\n", err.what);
	return errno == ENOENT ? 127 : 126;
}

int confine_try(void)
{
	printf("%d\n", version());
	/* The same steps as for the harness, without the rules. */
	if (mounts_enter() == 0)
		puts("yes");
	else
		puts(strerror(errno));
	return 0;
}
