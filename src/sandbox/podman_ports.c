/* podman_ports.c - chooses free ports on loopback. */
#include "sandbox/podman_ports.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/json.h"
#include "base/session_vars.h"
#include "session/live/ports.h"

/* fd: stays open, so that the next one is another. */
static int find_free(int *fd, struct err *err)
{
	struct sockaddr_in a = {.sin_family = AF_INET,
				.sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof a;

	*fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (*fd < 0 || bind(*fd, (struct sockaddr *)&a, size) < 0 ||
	    getsockname(*fd, (struct sockaddr *)&a, &size) < 0)
		return err_errno(err, "find a free port");
	return ntohs(a.sin_port);
}

int podman_ports_choose(const struct spec *spec, cJSON *ports, struct err *err)
{
	_free_ int *fds = mem_alloc((spec->ports.n + 1) * sizeof *fds);
	size_t n = 0;
	int at = 0;

	while (at >= 0 && n < spec->ports.n) {
		cJSON *o = cJSON_CreateObject();

		at = find_free(&fds[n], err);
		json_set_int(o, "port", atoi(spec->ports.v[n++]));
		json_set_int(o, "at", at);
		cJSON_AddItemToArray(ports, o);
	}
	while (n > 0)
		file_close(fds[--n]);
	return at < 0 ? -1 : 0;
}

void podman_ports_add(const cJSON *ports, struct strv *argv)
{
	const cJSON *o;

	cJSON_ArrayForEach (o, ports) {
		strv_addf(argv, "--publish=127.0.0.1:%d:%d",
			  (int)json_int(o, "at", 0),
			  (int)json_int(o, "port", 0));
	}
}

void podman_ports_add_own(const struct spec *spec, struct strv *argv,
			  struct strv *degraded)
{
	bool own = !spec->network || strcmp(spec->network, "own") == 0;
	int end = spec->first_port + SESSION_PORTS;

	for (int at = spec->first_port; at && own && at < end; at++)
		if (ports_is_free(at))
			strv_addf(argv, "--publish=127.0.0.1:%d:%d", at, at);
		else
			strv_addf(degraded,
				  "port %d is taken on this machine: the "
				  "container's cannot be reached",
				  at);
}
