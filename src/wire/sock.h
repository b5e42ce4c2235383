/*
 * sock.h - unix stream sockets: listen, connect, identify the peer, and pass
 * file descriptors with bytes (SCM_RIGHTS).
 *
 * All descriptors are close-on-exec. Nothing here blocks.
 */
#ifndef AFW_WIRE_SOCK_H
#define AFW_WIRE_SOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/types.h>

#include "base/err.h"

/*
 * Returns a socket, O_NONBLOCK, connected to the listening socket at path, of
 * any length; or -1 with errno: ENOENT or ECONNREFUSED if no process listens,
 * EAGAIN if too many connections wait to be accepted.
 */
int sock_connect(const char *path);

/*
 * Returns a socket, O_NONBLOCK, that listens at path, which only our user may
 * open (0600). Replaces an existing socket: the caller knows that no process
 * listens on it. -1 with err.
 */
int sock_listen(const char *path, int backlog, struct err *err);

/*
 * True if the other end is a process of our user; *who (may be NULL) is the
 * process: for the side that connected, the process that called listen(). uid
 * is -1 if the kernel does not know it.
 */
bool sock_peer_is_same_user(int fd, struct ucred *who);

#define SOCK_FDS_MAX 8

/* Sends as send(2) with MSG_NOSIGNAL, and fd with the first byte (-1: none). */
ssize_t sock_send_fd(int sock, const void *data, size_t len, int fd);
/* The same with n of them. */
ssize_t sock_send_fds(int sock, const void *data, size_t len, const int *fds,
		      size_t n);

/*
 * Receives as recv(2). If a descriptor came with it, stores it in *fd
 * (close-on-exec; the caller closes it); a second one in the same message is
 * closed.
 */
ssize_t sock_receive_fd(int sock, void *data, size_t len, int *fd);
/* The same with all descriptors that came; overwrites fds, 0 ends them. */
ssize_t sock_receive_fds(int sock, void *data, size_t len,
			 int fds[SOCK_FDS_MAX + 1]);

#endif
