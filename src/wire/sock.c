/* sock.c - unix stream sockets, and descriptors sent with bytes. */
#include "wire/sock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/mem.h"

/*
 * Fills an address. A path that is too long is reached through its directory,
 * opened as *dir (proc(5), /proc/pid/fd), which the caller closes.
 */
static int fill(struct sockaddr_un *addr, const char *path, int *dir)
{
	const char *name = strrchr(path, '/');
	_free_ char *parent = NULL;
	int len;

	*addr = (struct sockaddr_un){.sun_family = AF_UNIX};
	len = snprintf(addr->sun_path, sizeof addr->sun_path, "%s", path);
	if (len < (int)sizeof addr->sun_path || !name)
		return 0;
	parent = mem_strndup(path, (size_t)(name - path));
	*dir = open(parent, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (*dir < 0)
		return -1;
	len = snprintf(addr->sun_path, sizeof addr->sun_path,
		       "/proc/self/fd/%d%s", *dir, name);
	if (len < (int)sizeof addr->sun_path)
		return 0;
	errno = ENAMETOOLONG;
	return -1;
}

static int make_socket(void)
{
	return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

int sock_connect(const char *path)
{
	_close_ int fd = -1, dir = -1;
	struct sockaddr_un addr;
	int rc;

	if (fill(&addr, path, &dir) < 0)
		return -1;
	fd = make_socket();
	if (fd < 0)
		return -1;
	do
		rc = connect(fd, (struct sockaddr *)&addr, sizeof addr);
	while (rc < 0 && errno == EINTR);
	return rc < 0 ? -1 : TAKE_FD(fd);
}

int sock_listen(const char *path, int backlog, struct err *err)
{
	_close_ int fd = -1, dir = -1;
	struct sockaddr_un addr;
	struct stat st;
	mode_t old;
	int rc;

	if (fill(&addr, path, &dir) < 0)
		return err_errno(err, "listen on %s", path);
	if (lstat(path, &st) == 0 && S_ISSOCK(st.st_mode))
		unlink(path);
	fd = make_socket();
	if (fd < 0)
		return err_errno(err, "make a socket");
	old = umask(0177);
	rc = bind(fd, (struct sockaddr *)&addr, sizeof addr);
	umask(old);
	if (rc < 0 || listen(fd, backlog) < 0)
		return err_errno(err, "listen on %s", path);
	return TAKE_FD(fd);
}

bool sock_peer_is_same_user(int fd, struct ucred *who)
{
	struct ucred peer;
	socklen_t len = sizeof peer;

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &len) < 0)
		peer = (struct ucred){.uid = (uid_t)-1};
	if (who)
		*who = peer;
	return peer.uid == geteuid();
}

/* -- descriptors (SCM_RIGHTS) ------------------------------------------------
 */

union control {
	struct cmsghdr align;
	char room[CMSG_SPACE(SOCK_FDS_MAX * sizeof(int))];
};

ssize_t sock_send_fds(int sock, const void *data, size_t len, const int *fds,
		      size_t n)
{
	union control control = {0};
	struct iovec iov = {.iov_base = (void *)(size_t)data, .iov_len = len};
	struct msghdr msg = {.msg_iov = &iov, .msg_iovlen = 1};

	if (n > SOCK_FDS_MAX) {
		errno = EINVAL;
		return -1;
	}
	if (n) {
		struct cmsghdr *c = &control.align;

		msg.msg_control = control.room;
		msg.msg_controllen = CMSG_SPACE(n * sizeof *fds);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(n * sizeof *fds);
		memcpy(CMSG_DATA(c), fds, n * sizeof *fds);
	}
	return sendmsg(sock, &msg, MSG_NOSIGNAL);
}

ssize_t sock_send_fd(int sock, const void *data, size_t len, int fd)
{
	return sock_send_fds(sock, data, len, &fd, fd >= 0);
}

ssize_t sock_receive_fds(int sock, void *data, size_t len,
			 int fds[SOCK_FDS_MAX + 1])
{
	union control control;
	struct iovec iov = {.iov_base = data, .iov_len = len};
	struct msghdr msg = {.msg_iov = &iov,
			     .msg_iovlen = 1,
			     .msg_control = control.room,
			     .msg_controllen = sizeof control.room};
	ssize_t n = recvmsg(sock, &msg, MSG_CMSG_CLOEXEC);
	size_t got = 0;

	for (struct cmsghdr *c = n < 0 ? NULL : CMSG_FIRSTHDR(&msg); c;
	     c = CMSG_NXTHDR(&msg, c)) {
		size_t bytes = c->cmsg_len - CMSG_LEN(0);

		/* The kernel sends them in one message. */
		if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS ||
		    got)
			continue;
		memcpy(fds, CMSG_DATA(c), bytes);
		got = bytes / sizeof *fds;
	}
	fds[got] = 0;
	return n;
}

ssize_t sock_receive_fd(int sock, void *data, size_t len, int *fd)
{
	int fds[SOCK_FDS_MAX + 1];
	ssize_t n = sock_receive_fds(sock, data, len, fds);

	for (size_t i = 0; fds[i]; i++)
		if (*fd < 0)
			*fd = fds[i];
		else
			close(fds[i]);
	return n;
}
