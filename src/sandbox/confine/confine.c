/*
 * confine.c - in this order: a view of the file system of its own (mounts.c),
 * Landlock for all that is opened and connected to, seccomp for what Landlock
 * knows nothing of. A process that Landlock confines cannot change its mounts,
 * and cannot look into processes outside (ptrace(2), /proc/PID/environ).
 *
 * The agent's environment is set last: LD_PRELOAD in it would run a library of
 * the agent in this program while it is not confined yet.
 */
#include "sandbox/confine/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <seccomp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/spawn.h"
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

#define SOCK_TYPE_MASK 0xf /* of socketpair()'s type, without flags */

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

/* Those are among mounts_own, which the user's are not. */
static const char *const own_devices[] = {"/dev/ptmx", "/dev/pts", NULL};

/* -- Landlock ---------------------------------------------------------------
 */

/* Landlock's version in this kernel; 0: it has none. */
static int version(void)
{
	long abi = syscall(SYS_landlock_create_ruleset, NULL, 0,
			   LANDLOCK_CREATE_RULESET_VERSION);

	return abi < 0 ? 0 : (int)abi;
}

/* What a kernel of this version knows of. */
static struct ruleset known(int abi, bool ports)
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
	if (syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH,
		    &rule, 0) < 0)
		return err_errno(err, "allow what it may open");
	return 0;
}

/* What is not there is left out. */
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

/* Those of m from first on, up to end. */
static int allow_opened(int ruleset, const struct mounts *m, size_t first,
			size_t end, uint64_t access, struct err *err)
{
	int rc = 0;

	for (size_t i = first; rc == 0 && i < end; i++)
		if (m->fds[i] >= 0)
			rc = allow_open(ruleset, m->fds[i], access, err);
	return rc;
}

/* "none" is no port. */
static int allow_ports(int ruleset, const cJSON *rules, struct err *err)
{
	struct strv ports = {0};
	int rc = 0;

	json_strv(rules, "ports", &ports);
	for (size_t i = 0; rc == 0 && i < ports.n; i++) {
		struct port_rule rule = {.access = CONNECT_TCP,
					 .port = strtoul(ports.v[i], NULL, 10)};

		if (rule.port && syscall(SYS_landlock_add_rule, ruleset,
					 PORT_RULE, &rule, 0) < 0)
			rc = err_errno(err, "allow port %s", ports.v[i]);
	}
	strv_finish(&ports);
	return rc;
}

/* own_view: mounts_own are; tty: its terminal, -1 where it has none. */
static int restrict_access(const cJSON *rules, const struct mounts *m,
			   bool own_view, int tty, struct err *err)
{
	struct ruleset attr =
	    known(version(), cJSON_HasObjectItem(rules, "ports"));
	int ruleset =
	    (int)syscall(SYS_landlock_create_ruleset, &attr, sizeof attr, 0);
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
	if (rc == 0 && syscall(SYS_landlock_restrict_self, ruleset, 0) < 0)
		rc = err_errno(err, "have Landlock confine it");
	close(ruleset);
	return rc;
}

/* -- system calls ------------------------------------------------------------
 */

/* The kernel looks at the lower half of an int alone, whatever the upper is. */
#define IS  SCMP_CMP_MASKED_EQ
#define INT UINT32_MAX

struct call {
	int number, why;
	struct scmp_arg_cmp arg; /* {0}: whatever its arguments are */
};

/* In a container, too: podman allows some of them. */
static const struct call refused_in_both[] = {
    /* A kernel's keyring is all of the user's. */
    {SCMP_SYS(add_key), ENOSYS, {0}},
    {SCMP_SYS(request_key), ENOSYS, {0}},
    {SCMP_SYS(keyctl), ENOSYS, {0}},
    /* A lease stalls whoever opens the file, the user's git for example. */
    {SCMP_SYS(fcntl), EINVAL, {1, IS, INT, F_SETLEASE}},
    {SCMP_SYS(fcntl64), EINVAL, {1, IS, INT, F_SETLEASE}},
    /* It names files that others use; inotify(7), which agents need, does so
     * for one directory at a time. */
    {SCMP_SYS(fanotify_init), EPERM, {0}},
};

static const struct call refused[] = {
    /* Sockets of tmux, podman, D-Bus, agents of keys and afw's own lead out.
     * socketpair(2) does not, but for datagrams, which go to any address, and
     * what is raw is one. */
    {SCMP_SYS(socket), EACCES, {0, IS, INT, AF_UNIX}},
    {SCMP_SYS(socketpair), EACCES, {1, IS, SOCK_TYPE_MASK, SOCK_DGRAM}},
    {SCMP_SYS(socketpair), EACCES, {1, IS, SOCK_TYPE_MASK, SOCK_RAW}},
    /* It would make them past this. */
    {SCMP_SYS(io_uring_setup), ENOSYS, {0}},
    /* Landlock takes none of them for a connection by TCP: multipath TCP and
     * SMC, whose numbers are over 255, and fast open. */
    {SCMP_SYS(socket), EPROTONOSUPPORT, {2, IS, 0x100, 0x100}},
    {SCMP_SYS(socket), EAFNOSUPPORT, {0, IS, INT, AF_SMC}},
    {SCMP_SYS(sendto), EOPNOTSUPP, {3, IS, MSG_FASTOPEN, MSG_FASTOPEN}},
    {SCMP_SYS(sendmsg), EOPNOTSUPP, {2, IS, MSG_FASTOPEN, MSG_FASTOPEN}},
    {SCMP_SYS(sendmmsg), EOPNOTSUPP, {3, IS, MSG_FASTOPEN, MSG_FASTOPEN}},
    /* `afw exec` gives it the user's own terminal: nothing is typed there. */
    {SCMP_SYS(ioctl), EPERM, {1, IS, INT, TIOCSTI}},
    {SCMP_SYS(ioctl), EPERM, {1, IS, INT, TIOCLINUX}},
    /* A limit ends another process as a signal does. */
    {SCMP_SYS(prlimit64), EPERM, {0, SCMP_CMP_NE, 0, 0}},
};

static int refuse(scmp_filter_ctx filter, const struct call *calls, size_t n)
{
	int rc = 0;

	for (const struct call *c = calls; rc == 0 && c < calls + n; c++)
		rc = seccomp_rule_add_array(
		    filter, SCMP_ACT_ERRNO((unsigned)c->why), c->number,
		    c->arg.op ? 1 : 0, &c->arg);
	return rc;
}

#define REFUSE(filter, calls)                                                  \
	refuse(filter, calls, sizeof calls / sizeof *calls)

int confine_calls(bool container, struct err *err)
{
	static const uint32_t others[] = {SCMP_ARCH_X86, SCMP_ARCH_X32,
					  SCMP_ARCH_ARM};
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
	int rc = filter ? 0 : -ENOMEM;

	/* An image may have 32-bit programs. It fails for an architecture of
	 * another byte order, which does not run here. */
	for (size_t i = 0; rc == 0 && container && i < 3; i++)
		seccomp_arch_add(filter, others[i]);
	if (rc == 0)
		rc = REFUSE(filter, refused_in_both);
	if (rc == 0 && !container)
		rc = REFUSE(filter, refused);
	if (rc == 0)
		rc = seccomp_load(filter);
	seccomp_release(filter);
	errno = -rc;
	return rc == 0 ? 0 : err_errno(err, "have seccomp confine it");
}

/* What the namespace gave is for the mounts alone. */
static int drop_capabilities(struct err *err)
{
	struct __user_cap_header_struct head = {
	    .version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct none[2] = {{0}};

	/* Refused without the namespace: then there are none to have. */
	for (int cap = 0; prctl(PR_CAPBSET_READ, cap) >= 0; cap++)
		if (prctl(PR_CAPBSET_DROP, cap) < 0 && errno != EPERM)
			return err_errno(err, "drop a capability");
	if (syscall(SYS_capset, &head, none) < 0 ||
	    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return err_errno(err, "drop all capabilities");
	return 0;
}

static int confine(const cJSON *rules, struct err *err)
{
	const char *name = ttyname(STDIN_FILENO);
	/* Its place will be covered. */
	int tty = name ? open(name, O_PATH | O_CLOEXEC) : -1, death = 0, rc;
	struct mounts m = {.git = -1};
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
	if (rc < 0 || confine_calls(false, err) < 0)
		return -1;
	if (inside_env("landlock") < 0)
		_exit(126);
	setenv("TMPDIR", own_view ? "/tmp" : json_str_or(rules, "tmp", ""), 1);
	prctl(PR_SET_PDEATHSIG, death); /* other credentials forget it */
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
	/* What the harness will do, all but the rules. */
	if (mounts_enter() == 0)
		puts("yes");
	else
		puts(strerror(errno));
	return 0;
}
