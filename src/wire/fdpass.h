/* fdpass.h - bytes with file descriptors beside them (SCM_RIGHTS). */
#ifndef AFW_WIRE_FDPASS_H
#define AFW_WIRE_FDPASS_H

#include <stddef.h>
#include <sys/types.h>

#define FDPASS_MAX 8

/* send(2) with MSG_NOSIGNAL, and fd beside the first byte (-1: none). */
ssize_t fdpass_send(int sock, const void *data, size_t len, int fd);
/* The same with n of them. */
ssize_t fdpass_send_all(int sock, const void *data, size_t len, const int *fds,
			size_t n);

/*
 * recv(2). Where a descriptor came along, *fd is it (close-on-exec; the
 * caller's to close); a second one in the same message is closed.
 */
ssize_t fdpass_recv(int sock, void *data, size_t len, int *fd);
/* The same with all that came along; what fds had is lost, 0 ends them. */
ssize_t fdpass_recv_all(int sock, void *data, size_t len,
			int fds[FDPASS_MAX + 1]);

#endif
