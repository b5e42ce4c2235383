/* fdpass.c - bytes with file descriptors beside them. */
#include "wire/fdpass.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

union control {
	struct cmsghdr align;
	char room[CMSG_SPACE(FDPASS_MAX * sizeof(int))];
};

ssize_t fdpass_send_all(int sock, const void *data, size_t len, const int *fds,
			size_t n)
{
	union control control = {0};
	struct iovec iov = {.iov_base = (void *)(size_t)data, .iov_len = len};
	struct msghdr msg = {.msg_iov = &iov, .msg_iovlen = 1};

	if (n > FDPASS_MAX) {
		errno = EINVAL;
		return -1;
	}
	if (n) {
		struct cmsghdr *c;

		msg.msg_control = control.room;
		msg.msg_controllen = CMSG_SPACE(n * sizeof *fds);
		c = CMSG_FIRSTHDR(&msg);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(n * sizeof *fds);
		memcpy(CMSG_DATA(c), fds, n * sizeof *fds);
	}
	return sendmsg(sock, &msg, MSG_NOSIGNAL);
}

ssize_t fdpass_send(int sock, const void *data, size_t len, int fd)
{
	return fdpass_send_all(sock, data, len, &fd, fd >= 0);
}

ssize_t fdpass_recv_all(int sock, void *data, size_t len,
			int fds[FDPASS_MAX + 1])
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

		/* The kernel sends them in one. */
		if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS ||
		    got)
			continue;
		memcpy(fds, CMSG_DATA(c), bytes);
		got = bytes / sizeof *fds;
	}
	fds[got] = 0;
	return n;
}

ssize_t fdpass_recv(int sock, void *data, size_t len, int *fd)
{
	int fds[FDPASS_MAX + 1];
	ssize_t n = fdpass_recv_all(sock, data, len, fds);

	for (size_t i = 0; fds[i]; i++)
		if (*fd < 0)
			*fd = fds[i];
		else
			close(fds[i]);
	return n;
}
