/*
 * listener.h - on which port of 127.0.0.1 a process listens, and that it is
 * that process and nobody else. From /proc/net/tcp and the descriptors of
 * the processes (proc(5)): only for processes of the same user, in the same
 * network namespace.
 */
#ifndef AFW_OPENCODE_LISTENER_H
#define AFW_OPENCODE_LISTENER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct listener {
	uint16_t port;
	uint64_t inode; /* of the socket: no other has it while it lives */
};

/*
 * The sockets that root or a process below it listens on and that a
 * connection to 127.0.0.1 would reach, root's own first; at most max.
 * Returns how many.
 */
size_t listener_find(pid_t root, struct listener *out, size_t max);

/*
 * Whether l is still the only one that listens on its port, and held by root
 * or a process below it. Where that is so before a connection was made and
 * after, with the same inode, it was l that took the connection: two cannot
 * listen on one address unless both ask for it, and then both are seen.
 */
bool listener_holds(pid_t root, const struct listener *l);

#endif
