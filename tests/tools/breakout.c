/*
 * breakout.c - attempts to get out of a sandbox that a shell cannot make, and
 *the processes outside that they try to reach.
 *
 *	breakout ATTEMPT [ARG]	exits with 0 if it got out
 *	breakout listen FILE PATH...
 *		listens at these sockets (@NAME: an abstract one), for
 *		datagrams at the first's PATH.datagram, and at a TCP port,
 *		which is written to FILE, and has shared memory, whose number
 *		is in FILE.shared; until it is killed
 *	breakout serve PORT	listens at that TCP port until it is killed
 *	breakout publish PORT	the same, for other machines, too
 *	breakout swap A B FILE	exchanges two directories until there is FILE
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fanotify.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

static socklen_t address(const char *path, struct sockaddr_un *un)
{
	*un = (struct sockaddr_un){.sun_family = AF_UNIX};
	snprintf(un->sun_path, sizeof un->sun_path, "%s", path);
	if (path[0] == '@')
		un->sun_path[0] = '\0';
	return (socklen_t)(offsetof(struct sockaddr_un, sun_path) +
			   strlen(path) + (path[0] != '@'));
}

static bool reach_with(long family, const char *path)
{
	struct sockaddr_un un;
	socklen_t len = address(path, &un);
	int fd = (int)syscall(SYS_socket, family, SOCK_STREAM, 0);

	return fd >= 0 && connect(fd, (struct sockaddr *)&un, len) == 0;
}

static bool reach(const char *path)
{
	return reach_with(AF_UNIX, path);
}

/* The kernel looks at the lower half alone. */
static bool reach_wide(const char *path)
{
	return reach_with(1L << 32 | AF_UNIX, path);
}

/* A socket that was made with socketpair() may not be used for it either. */
static bool send_from_pair(int type, const char *path)
{
	struct sockaddr_un un;
	socklen_t len = address(path, &un);
	int pair[2];

	return socketpair(AF_UNIX, type, 0, pair) == 0 &&
	       sendto(pair[0], "x", 1, 0, (struct sockaddr *)&un, len) == 1;
}

static bool reach_datagram(const char *path)
{
	return send_from_pair(SOCK_DGRAM, path);
}

/* To the kernel the same. */
static bool reach_raw(const char *path)
{
	return send_from_pair(SOCK_RAW, path);
}

static bool connects(const char *port, int protocol, bool fast_open)
{
	struct sockaddr_in in = {.sin_family = AF_INET,
				 .sin_port = htons((uint16_t)atoi(port)),
				 .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	const struct sockaddr *to = (struct sockaddr *)&in;
	int fd = socket(AF_INET, SOCK_STREAM, protocol);

	if (fast_open)
		return sendto(fd, "x", 1, MSG_FASTOPEN, to, sizeof in) == 1;
	return fd >= 0 && connect(fd, to, sizeof in) == 0;
}

static bool tcp(const char *port)
{
	return connects(port, 0, false);
}

/* Landlock does not count these as TCP, nor as connect(2). */
static bool mptcp(const char *port)
{
	return connects(port, IPPROTO_MPTCP, false);
}

static bool fast_open(const char *port)
{
	return connects(port, 0, true);
}

static bool signals(const char *pid)
{
	return kill(atoi(pid), 0) == 0;
}

static bool traces(const char *pid)
{
	return ptrace(PTRACE_SEIZE, atoi(pid), 0, 0) == 0;
}

static bool peeks(const char *pid)
{
	char text[16];
	struct iovec here = {text, sizeof text}, there = {(void *)0x400000, 1};

	/* EFAULT: it may look, but nothing is there. */
	return process_vm_readv(atoi(pid), &here, 1, &there, 1, 0) >= 0 ||
	       errno == EFAULT;
}

static bool takes_fd(const char *pid)
{
	int fd = (int)syscall(SYS_pidfd_open, atoi(pid), 0);

	return fd >= 0 && syscall(SYS_pidfd_getfd, fd, 0, 0) >= 0;
}

/* The kernel would end who is over one. */
static bool limits(const char *pid)
{
	const struct rlimit none = {0};

	return prlimit(atoi(pid), RLIMIT_CORE, &none, NULL) == 0;
}

static bool shares_memory(const char *id)
{
	return shmat(atoi(id), NULL, SHM_RDONLY) != (void *)-1;
}

static bool mounts(const char *dir)
{
	return mount("tmpfs", dir, "tmpfs", 0, NULL) == 0;
}

/* As bubblewrap does it. */
static bool mounts_as_root_of_a_namespace(const char *dir)
{
	return unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0 && mounts(dir);
}

static bool unmounts(const char *path)
{
	return umount2(path, MNT_DETACH) == 0;
}

static bool makes_device(const char *path)
{
	return mknod(path, S_IFCHR | 0600, makedev(1, 1)) == 0;
}

static bool keyring(const char *arg)
{
	return syscall(SYS_add_key, "user", "afw-test", "x", 1, -4) >= 0;
}

static bool keyctls(const char *arg)
{
	return syscall(SYS_keyctl, 0, -4, 1) >= 0;
}

/* A process that opens the file to write waits until the kernel breaks the
 * lease. */
static bool leases(const char *path)
{
	int fd = open(path, O_RDONLY);

	return fd >= 0 && fcntl(fd, F_SETLEASE, F_RDLCK) == 0;
}

static bool io_uring(const char *arg)
{
	char params[256] = {0};

	return syscall(SYS_io_uring_setup, 1, params) >= 0;
}

static bool types_ahead(const char *arg)
{
	char c = 'x';

	return ioctl(STDIN_FILENO, TIOCSTI, &c) == 0;
}

/* Stays behind, and has what is typed after its command has ended. */
static bool takes_terminal(const char *file)
{
	pid_t parent = getpid();
	char text[256];
	ssize_t n;
	int fd;

	signal(SIGHUP, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGTTOU, SIG_IGN);
	if (fork() != 0)
		return true;
	while (getppid() == parent)
		poll(NULL, 0, 1);
	for (int i = 0; i < 2000; i++) {
		struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};

		tcsetpgrp(STDIN_FILENO, getpgrp());
		if (poll(&p, 1, 10) <= 0 ||
		    (n = read(STDIN_FILENO, text, sizeof text)) <= 0)
			continue;
		fd = open(file, O_WRONLY | O_CREAT, 0600);
		return write(fd, text, (size_t)n) == n;
	}
	return false;
}

static bool gains(const char *arg)
{
	return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0;
}

static bool changes_mode(const char *path)
{
	return chmod(path, 0777) == 0;
}

static bool changes_attribute(const char *path)
{
	return setxattr(path, "user.afw", "x", 1, 0) == 0;
}

static bool changes_time(const char *path)
{
	return utimensat(AT_FDCWD, path, NULL, 0) == 0;
}

static bool changes_owner(const char *path)
{
	return chown(path, (uid_t)-1, getegid()) == 0;
}

/* Names of files in it are reported as they are used. */
static bool watches(const char *dir)
{
	int fd = inotify_init();

	return fd >= 0 && inotify_add_watch(fd, dir, IN_ALL_EVENTS) >= 0;
}

static bool watches_all(const char *dir)
{
	int fd = fanotify_init(FAN_CLASS_NOTIF | FAN_REPORT_DFID_NAME, 0);

	return fd >= 0 &&
	       fanotify_mark(fd, FAN_MARK_ADD, FAN_OPEN | FAN_EVENT_ON_CHILD,
			     AT_FDCWD, dir) == 0;
}

static bool schedules(const char *pid)
{
	return setpriority(PRIO_PROCESS, (id_t)atoi(pid), 1) == 0;
}

static bool starts_many(const char *count)
{
	pid_t pid;

	for (int i = 0; i < atoi(count); i++) {
		pid = fork();
		if (pid < 0)
			return false;
		if (pid == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			for (;;)
				pause();
		}
	}
	return true;
}

/* The copy has NAME as its own. */
static bool stays(const char *name)
{
	for (int s = 1; s < NSIG; s++)
		signal(s, SIG_IGN);
	for (int i = 0; i < 2; i++) {
		if (fork() != 0)
			return false;
		setsid();
	}
	execlp("sleep", name, "600", NULL);
	return false;
}

static bool is_outside(const char *path)
{
	int dir = open("/", O_PATH | O_DIRECTORY);

	/* chroot() and back, if that is allowed. */
	return dir >= 0 && unshare(CLONE_NEWUSER) == 0 && chroot("/tmp") == 0 &&
	       fchdir(dir) == 0 && open(path + 1, O_RDONLY) >= 0;
}

static const struct {
	const char *name;
	bool (*run)(const char *arg);
} attempts[] = {
    {"reach", reach},
    {"reach-wide", reach_wide},
    {"reach-datagram", reach_datagram},
    {"reach-raw", reach_raw},
    {"tcp", tcp},
    {"mptcp", mptcp},
    {"fast-open", fast_open},
    {"signal", signals},
    {"trace", traces},
    {"peek", peeks},
    {"take-fd", takes_fd},
    {"limit", limits},
    {"shared-memory", shares_memory},
    {"mount", mounts},
    {"mount-in-namespace", mounts_as_root_of_a_namespace},
    {"unmount", unmounts},
    {"device", makes_device},
    {"keyring", keyring},
    {"keyctl", keyctls},
    {"lease", leases},
    {"io-uring", io_uring},
    {"type-ahead", types_ahead},
    {"take-terminal", takes_terminal},
    {"gain", gains},
    {"mode", changes_mode},
    {"owner", changes_owner},
    {"attribute", changes_attribute},
    {"time", changes_time},
    {"watch", watches},
    {"watch-all", watches_all},
    {"schedule", schedules},
    {"many", starts_many},
    {"stay", stays},
    {"chroot", is_outside},
};

static void listen_at(const char *path, int type)
{
	struct sockaddr_un un;
	socklen_t len = address(path, &un);
	int fd = socket(AF_UNIX, type | SOCK_CLOEXEC, 0);

	if (fd < 0 || bind(fd, (struct sockaddr *)&un, len) < 0 ||
	    (type == SOCK_STREAM && listen(fd, 8) < 0))
		exit(2);
}

static bool write_number(const char *file, int number)
{
	FILE *f = fopen(file, "w");

	return f && fprintf(f, "%d\n", number) >= 0 && fclose(f) == 0;
}

/* At that port, or any: which one, or 0. */
static int listen_tcp(int port, in_addr_t at)
{
	struct sockaddr_in in = {.sin_family = AF_INET,
				 .sin_port = htons((uint16_t)port),
				 .sin_addr.s_addr = htonl(at)};
	socklen_t len = sizeof in;
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (bind(fd, (struct sockaddr *)&in, len) < 0 || listen(fd, 8) < 0 ||
	    getsockname(fd, (struct sockaddr *)&in, &len) < 0)
		return 0;
	return ntohs(in.sin_port);
}

static int run_listeners(char **argv)
{
	int shared = shmget(IPC_PRIVATE, 4096, 0600), port;
	char name[256];

	for (char **path = argv + 1; *path; path++)
		listen_at(*path, SOCK_STREAM);
	snprintf(name, sizeof name, "%s.datagram", argv[1]);
	listen_at(name, SOCK_DGRAM);
	/* It is removed with its last user; other processes can join until
	 * then. */
	snprintf(name, sizeof name, "%s.shared", argv[0]);
	if (shmat(shared, NULL, 0) == (void *)-1 ||
	    shmctl(shared, IPC_RMID, NULL) < 0 || !write_number(name, shared))
		return 2;
	port = listen_tcp(0, INADDR_LOOPBACK);
	if (!port || !write_number(argv[0], port))
		return 2;
	for (;;)
		pause(); /* who connects waits in the backlog */
}

/* As fast as possible: a process that resolves A gets one or the other. */
static int swap(char **argv)
{
	long swaps = 0;

	while (access(argv[2], F_OK) != 0)
		for (int i = 0; i < 1000; i++)
			swaps += renameat2(AT_FDCWD, argv[0], AT_FDCWD, argv[1],
					   RENAME_EXCHANGE) == 0;
	return swaps > 0 ? 0 : 1;
}

int main(int argc, char **argv)
{
	if (argc == 5 && strcmp(argv[1], "swap") == 0)
		return swap(argv + 2);
	if (argc > 3 && strcmp(argv[1], "listen") == 0)
		return run_listeners(argv + 2);
	if (argc == 3 && strcmp(argv[1], "serve") == 0)
		return listen_tcp(atoi(argv[2]), INADDR_LOOPBACK) ? pause() : 2;
	if (argc == 3 && strcmp(argv[1], "publish") == 0)
		return listen_tcp(atoi(argv[2]), INADDR_ANY) ? pause() : 2;
	for (size_t i = 0; i < sizeof attempts / sizeof attempts[0]; i++)
		if (argc > 1 && strcmp(argv[1], attempts[i].name) == 0)
			return !attempts[i].run(argc > 2 ? argv[2] : "");
	fprintf(stderr, "breakout: no such attempt\n");
	return 2;
}
