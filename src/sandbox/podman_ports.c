/* podman_ports.c - chooses free ports on loopback. */
#include "sandbox/podman_ports.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "base/cleanup.h"
#include "base/json.h"

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
	for (size_t i = 0; i < spec->ports.n; i++) {
		_close_ int fd = -1;
		int at = find_free(&fd, err);
		cJSON *o = cJSON_CreateObject();

		cJSON_AddItemToArray(ports, o);
		if (at < 0)
			return -1;
		json_set_int(o, "port", atoi(spec->ports.v[i]));
		json_set_int(o, "at", at);
	}
	return 0;
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
