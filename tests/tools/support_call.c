/*
 * support_call.c - a table of the calls that change or read files, and the
 * reading of their paths out of the process that makes them.
 */
#include "support_call.h"

#include <elf.h>

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/un.h>
#include <unistd.h>

/* Where a call has its path or descriptor. */
enum how {
	PATH,	  /* path */
	AT,	  /* dirfd, path */
	PATHS,	  /* path, path */
	ATS,	  /* dirfd, path, dirfd, path */
	LINK,	  /* text, path */
	LINK_AT,  /* text, dirfd, path */
	OPEN,	  /* path, flags */
	OPEN_AT,  /* dirfd, path, flags */
	FD,	  /* descriptor */
	FD_THIRD, /* descriptor, offset, descriptor that is written */
	ADDRESS,  /* socket, address */
	READ,	  /* descriptor; changes nothing */
	NO_FILE,  /* makes a descriptor, or a process */
};

static const struct call {
	long nr;
	const char *name;
	enum how how;
} calls[] = {
#ifdef SYS_open
    {SYS_open, "open", OPEN},
    {SYS_creat, "creat", PATH},
    {SYS_rename, "rename", PATHS},
    {SYS_link, "link", PATHS},
    {SYS_unlink, "unlink", PATH},
    {SYS_mkdir, "mkdir", PATH},
    {SYS_rmdir, "rmdir", PATH},
    {SYS_symlink, "symlink", LINK},
    {SYS_chmod, "chmod", PATH},
    {SYS_mknod, "mknod", PATH},
#endif
    {SYS_openat, "openat", OPEN_AT},
#ifdef SYS_renameat
    {SYS_renameat, "renameat", ATS},
#endif
    {SYS_renameat2, "renameat2", ATS},
    {SYS_linkat, "linkat", ATS},
    {SYS_unlinkat, "unlinkat", AT},
    {SYS_mkdirat, "mkdirat", AT},
    {SYS_symlinkat, "symlinkat", LINK_AT},
    {SYS_mknodat, "mknodat", AT},
    {SYS_fchmodat, "fchmodat", AT},
    {SYS_fchmod, "fchmod", FD},
    {SYS_truncate, "truncate", PATH},
    {SYS_ftruncate, "ftruncate", FD},
    {SYS_fallocate, "fallocate", FD},
    {SYS_write, "write", FD},
    {SYS_pwrite64, "pwrite", FD},
    {SYS_writev, "writev", FD},
    {SYS_pwritev, "pwritev", FD},
    {SYS_sendfile, "sendfile", FD},
    {SYS_splice, "splice", FD_THIRD},
    {SYS_copy_file_range, "copy_file_range", FD_THIRD},
    {SYS_bind, "bind", ADDRESS},
    {SYS_read, "read", READ},
    {SYS_pread64, "pread", READ},
    {SYS_getdents64, "getdents", READ},
    {SYS_fsync, "fsync", READ},
    {SYS_fdatasync, "fdatasync", READ},
    {SYS_fcntl, "fcntl", READ},
    {SYS_socket, "socket", NO_FILE},
    {SYS_socketpair, "socketpair", NO_FILE},
    {SYS_pipe2, "pipe", NO_FILE},
    {SYS_memfd_create, "memfd_create", NO_FILE},
    {SYS_clone, "clone", NO_FILE},
};

static bool fetch(pid_t tid, uint64_t at, void *to, size_t len)
{
	struct iovec mine = {to, len};
	struct iovec its = {(void *)(uintptr_t)at, len};

	return process_vm_readv(tid, &mine, 1, &its, 1, 0) == (ssize_t)len;
}

/* A string of it, cut at size. It is read in parts of at most 256 bytes that do
 * not cross the end of a page: the next page may not exist. */
static bool text_of(pid_t tid, uint64_t at, char *to, size_t size)
{
	for (size_t i = 0, n; i < size; i += n) {
		n = 256 - (at + i) % 256;
		if (n > size - i)
			n = size - i;
		if (!fetch(tid, at + i, to + i, n))
			return false;
		if (memchr(to + i, '\0', n))
			return true;
	}
	to[size - 1] = '\0';
	return true;
}

/* What its descriptor is, or its current directory. */
static void path_of_fd(pid_t tid, int fd, char *to, size_t size)
{
	char link[64];
	ssize_t n;

	if (fd == AT_FDCWD)
		snprintf(link, sizeof link, "/proc/%d/cwd", (int)tid);
	else
		snprintf(link, sizeof link, "/proc/%d/fd/%d", (int)tid, fd);
	n = readlink(link, to, size - 1);
	to[n > 0 ? n : 0] = '\0';
}

static bool path_at(pid_t tid, int dirfd, uint64_t at, char *to, size_t size)
{
	char name[PATH_MAX];
	size_t len;

	if (!text_of(tid, at, name, sizeof name))
		return false;
	if (name[0] == '/') {
		snprintf(to, size, "%s", name);
		return true;
	}
	path_of_fd(tid, dirfd, to, size);
	len = strlen(to);
	snprintf(to + len, size - len, "/%s", name);
	return true;
}

static bool is_below(const char *path, const char *const *roots)
{
	for (int i = 0; roots[i]; i++) {
		size_t len = strlen(roots[i]);

		if (strncmp(path, roots[i], len) == 0 &&
		    (path[len] == '/' || path[len] == '\0'))
			return true;
	}
	return false;
}

static bool socket_path(pid_t tid, const uint64_t *arg, char *to, size_t size)
{
	struct sockaddr_un a = {0};
	size_t len = arg[2] < sizeof a ? arg[2] : sizeof a;

	if (!fetch(tid, arg[1], &a, len) || a.sun_family != AF_UNIX ||
	    !a.sun_path[0])
		return false;
	snprintf(to, size, "%.*s", (int)sizeof a.sun_path, a.sun_path);
	return true;
}

/* Whether the call is about a file below a root; which one. */
static bool counts(pid_t tid, const struct call *c, const uint64_t *arg,
		   bool any, const char *const *roots, char *path, size_t size)
{
	path[0] = '\0';
	switch (c->how) {
	case OPEN:
	case OPEN_AT:
		if (!any &&
		    !(arg[c->how == OPEN ? 1 : 2] & (O_CREAT | O_TRUNC)))
			return false;
		if (c->how == OPEN_AT)
			path_at(tid, (int)arg[0], arg[1], path, size);
		else
			path_at(tid, AT_FDCWD, arg[0], path, size);
		return is_below(path, roots);
	case PATH:
		path_at(tid, AT_FDCWD, arg[0], path, size);
		return is_below(path, roots);
	case AT:
		path_at(tid, (int)arg[0], arg[1], path, size);
		return is_below(path, roots);
	case LINK:
		path_at(tid, AT_FDCWD, arg[1], path, size);
		return is_below(path, roots);
	case LINK_AT:
		path_at(tid, (int)arg[1], arg[2], path, size);
		return is_below(path, roots);
	case PATHS:
		path_at(tid, AT_FDCWD, arg[0], path, size);
		if (is_below(path, roots))
			return true;
		path_at(tid, AT_FDCWD, arg[1], path, size);
		return is_below(path, roots);
	case ATS:
		path_at(tid, (int)arg[0], arg[1], path, size);
		if (is_below(path, roots))
			return true;
		path_at(tid, (int)arg[2], arg[3], path, size);
		return is_below(path, roots);
	case FD:
		path_of_fd(tid, (int)arg[0], path, size);
		return is_below(path, roots);
	case FD_THIRD:
		path_of_fd(tid, (int)arg[2], path, size);
		return is_below(path, roots);
	case READ:
		if (!any || (c->nr == SYS_fcntl && arg[1] != F_OFD_GETLK &&
			     arg[1] != F_OFD_SETLK))
			return false;
		path_of_fd(tid, (int)arg[0], path, size);
		return is_below(path, roots);
	case NO_FILE:
		snprintf(path, size, "-");
		return any;
	case ADDRESS:
		return socket_path(tid, arg, path, size) &&
		       is_below(path, roots);
	}
	return false;
}

const char *call_of(pid_t tid, uint64_t nr, const uint64_t *arg, bool any,
		    const char *const *roots, char *path, size_t size)
{
	for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
		if ((uint64_t)calls[i].nr == nr &&
		    counts(tid, &calls[i], arg, any, roots, path, size))
			return calls[i].name;
	return NULL;
}

#if defined(__x86_64__)
static bool set_register(pid_t tid, size_t offset, long value)
{
	return ptrace(PTRACE_POKEUSER, tid, offset, value) == 0;
}

bool call_skip(pid_t tid)
{
	return set_register(tid, offsetof(struct user, regs.orig_rax), -1);
}

bool call_set_failed(pid_t tid, int why)
{
	return set_register(tid, offsetof(struct user, regs.rax), -why);
}
#elif defined(__aarch64__)
bool call_skip(pid_t tid)
{
	int nr = -1;
	struct iovec v = {&nr, sizeof nr};

	return ptrace(PTRACE_SETREGSET, tid, NT_ARM_SYSTEM_CALL, &v) == 0;
}

bool call_set_failed(pid_t tid, int why)
{
	struct user_regs_struct r;
	struct iovec v = {&r, sizeof r};

	if (ptrace(PTRACE_GETREGSET, tid, NT_PRSTATUS, &v) < 0)
		return false;
	r.regs[0] = (unsigned long long)-why;
	return ptrace(PTRACE_SETREGSET, tid, NT_PRSTATUS, &v) == 0;
}
#else
bool call_skip(pid_t tid)
{
	return false;
}

bool call_set_failed(pid_t tid, int why)
{
	return false;
}
#endif
