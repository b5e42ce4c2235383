/*
 * sock.h - unix stream sockets: who listens, who connects, who is there.
 *
 * All descriptors are close-on-exec. Nothing here blocks.
 */
#ifndef AFW_WIRE_SOCK_H
#define AFW_WIRE_SOCK_H

#include <stdbool.h>
#include <sys/socket.h>

#include "base/err.h"

/*
 * A socket, O_NONBLOCK, connected to who listens at path; or -1 with errno:
 * ENOENT or ECONNREFUSED where nobody does, EAGAIN where too many wait to be
 * let in already, ENAMETOOLONG (sun_path has 108 bytes, unix(7)).
 */
int sock_connect(const char *path);

/*
 * A socket, O_NONBLOCK, that listens at path, which only our user may open
 * (0600). A socket that is there is replaced: the caller knows that nobody
 * listens on it. -1 with err.
 */
int sock_listen(const char *path, int backlog, struct err *err);

/*
 * Whether the other end is a process of our user, and in *who (may be NULL)
 * which: at the side that connected, the one that had called listen(). uid is
 * -1 where the kernel does not say.
 */
bool sock_peer_is_ours(int fd, struct ucred *who);

#endif
