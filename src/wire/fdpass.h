/* fdpass.h - bytes with a file descriptor beside them (SCM_RIGHTS). */
#ifndef AFW_WIRE_FDPASS_H
#define AFW_WIRE_FDPASS_H

#include <stddef.h>
#include <sys/types.h>

/* send(2) with MSG_NOSIGNAL, and fd beside the first byte (-1: none). */
ssize_t fdpass_send(int sock, const void *data, size_t len, int fd);

/*
 * recv(2). Where a descriptor came along, *fd is it (close-on-exec; the
 * caller's to close); a second one in the same message is closed.
 */
ssize_t fdpass_recv(int sock, void *data, size_t len, int *fd);

#endif
