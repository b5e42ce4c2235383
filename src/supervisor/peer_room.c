/* peer_room.c - who connects, and whether there is room for him. */
#include "supervisor/peer.h"

#include <poll.h>
#include <unistd.h>

#include "session/live/within.h"
#include "wire/sock.h"

#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77 /* newer than some C libraries */
#endif

/*
 * Who connected, and below whom it is; once, for it may be gone later. Where
 * the kernel can (6.5) it gives the process itself, no number that may be
 * another's by now.
 */
void peer_look(struct peer *p)
{
	int pidfd = -1;
	socklen_t len = sizeof pidfd;
	struct ucred who;
	struct pollfd gone;

	if (!sock_peer_is_ours(p->fd, &who)) {
		p->within = -1;
		return;
	}
	p->process = who.pid;
	if (getsockopt(p->fd, SOL_SOCKET, SO_PEERPIDFD, &pidfd, &len) < 0)
		pidfd = -1;
	p->within = within_supervisor(who.pid);
	gone = (struct pollfd){.fd = pidfd, .events = POLLIN};
	if (poll(&gone, 1, 0) > 0)
		p->within = -1;
	if (pidfd >= 0)
		close(pidfd);
}

/* One that has asked for nothing, or has its answer, and not for the longest
 * time; or NULL. */
static struct peer *idlest(struct supervisor *sv)
{
	struct peer *found = NULL;

	for (struct peer *p = sv->peers; p; p = p->next)
		if (!p->dead && !p->starter && !p->subscribed && !p->attached &&
		    !p->attached_outside && !p->open &&
		    (!found || p->heard_at < found->heard_at))
			found = p;
	return found;
}

/* No process keeps the others out, nor do all that run in sessions; where it
 * is full all the same, who rests there goes. */
int peer_make_room(const struct peer *from, struct err *err)
{
	struct supervisor *sv = from->sv;
	size_t n = 0, same = 0, within = 0;

	for (struct peer *p = sv->peers; p; p = p->next) {
		n += !p->dead;
		same += !p->dead && p->process == from->process;
		within += !p->dead && p->within;
	}
	if (same >= PEER_OF_PROCESS)
		return err_set(err, ERR_LIMIT,
			       "process %d is connected %d times already",
			       (int)from->process, PEER_OF_PROCESS);
	if (from->within && within >= PEER_OF_SESSIONS)
		return err_set(err, ERR_LIMIT,
			       "it has %d clients in sessions already",
			       PEER_OF_SESSIONS);
	if (n < PEER_MAX)
		return 0;
	if (!idlest(sv))
		return err_set(err, ERR_LIMIT, "it has %d clients already",
			       PEER_MAX);
	peer_close(idlest(sv));
	return 0;
}
