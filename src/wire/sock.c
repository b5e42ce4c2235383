/* sock.c - unix stream sockets. */
#include "wire/sock.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/cleanup.h"

static int fill(struct sockaddr_un *addr, const char *path)
{
	size_t len = strlen(path);

	*addr = (struct sockaddr_un){.sun_family = AF_UNIX};
	if (len >= sizeof addr->sun_path) {
		errno = ENAMETOOLONG;
		return -1;
	}
	memcpy(addr->sun_path, path, len + 1);
	return 0;
}

static int make(void)
{
	return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

int sock_connect(const char *path)
{
	_close_ int fd = -1;
	struct sockaddr_un addr;
	int rc;

	if (fill(&addr, path) < 0)
		return -1;
	fd = make();
	if (fd < 0)
		return -1;
	do
		rc = connect(fd, (struct sockaddr *)&addr, sizeof addr);
	while (rc < 0 && errno == EINTR);
	return rc < 0 ? -1 : TAKE_FD(fd);
}

int sock_listen(const char *path, int backlog, struct err *err)
{
	_close_ int fd = -1;
	struct sockaddr_un addr;
	struct stat st;
	mode_t old;
	int rc;

	if (fill(&addr, path) < 0)
		return err_errno(err, "listen on %s", path);
	if (lstat(path, &st) == 0 && S_ISSOCK(st.st_mode))
		unlink(path);
	fd = make();
	if (fd < 0)
		return err_errno(err, "make a socket");
	old = umask(0177);
	rc = bind(fd, (struct sockaddr *)&addr, sizeof addr);
	umask(old);
	if (rc < 0 || listen(fd, backlog) < 0)
		return err_errno(err, "listen on %s", path);
	return TAKE_FD(fd);
}

bool sock_peer_is_ours(int fd, struct ucred *who)
{
	struct ucred peer;
	socklen_t len = sizeof peer;

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &len) < 0)
		peer = (struct ucred){.uid = (uid_t)-1};
	if (who)
		*who = peer;
	return peer.uid == geteuid();
}
