/* inside.c - the environment comes by a pipe: nothing outside keeps it. */
#include "confine/inside.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/spawn.h"

#define ENV_FD	3
#define ENV_MAX ((size_t)1024 * 1024)

extern char **environ;

int inside_run(char *const *argv)
{
	struct buf text = {0};
	struct strv env = {0};

	if (file_read_fd(ENV_FD, ENV_MAX, &text) < 0) {
		fprintf(stderr,
			"afw: sandbox podman: no environment came: "
			"%s\n",
			strerror(errno));
		return 126;
	}
	close(ENV_FD);
	for (size_t at = 0; at < text.len; at += strlen(text.data + at) + 1)
		strv_add(&env, text.data + at);
	environ = env.v;
	spawn_exec(argv);
	fprintf(stderr, "afw: sandbox podman: run %s: %s\n", argv[0],
		strerror(errno));
	return errno == ENOENT ? 127 : 126;
}
