/* tier.c - shared by the tiers: the session's /tmp, and passing the
 * environment. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "sandbox/sandbox.h"

#define ENV_MAX (128 * 1024) /* fits into a pipe or a socket */

/* Not in the home: the harness could replace it by a link, whose target would
 * be mounted over /tmp, writable. */
char *sandbox_tmp(const struct sandbox_start *st, struct err *err)
{
	char *tmp = file_join(st->dir, "tmp");

	if (file_private_dir(tmp, err) == 0)
		return tmp;
	free(tmp);
	return NULL;
}

int sandbox_write_env(const struct sandbox_start *st, int fd, struct err *err)
{
	_buf_ struct buf text = {0};
	int rc = 0;

	for (size_t i = 0; i < st->env->n; i++)
		buf_add(&text, st->env->v[i], strlen(st->env->v[i]) + 1);
	buf_add(&text, "", 1);
	fcntl(fd, F_SETPIPE_SZ, ENV_MAX); /* a socket has room */
	file_set_nonblock(fd);
	if (text.len > ENV_MAX || file_write_all(fd, text.data, text.len) < 0)
		rc = err_set(err, ERR_LIMIT,
			     "sandbox %s: the environment is larger than "
			     "%d KiB",
			     st->spec->sandbox, ENV_MAX / 1024);
	if (text.data)
		explicit_bzero(text.data, text.len);
	if (rc == 0)
		strv_finish(st->env);
	return rc;
}

int sandbox_send_env(const struct sandbox_start *st, struct err *err)
{
	int ends[2], rc;

	if (st->hold)
		rc = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends);
	else
		rc = pipe2(ends, O_CLOEXEC);
	if (rc < 0)
		return err_errno(err, "make a pipe");
	rc = sandbox_write_env(st, ends[1], err);
	if (st->hold && rc == 0)
		*st->hold = ends[1];
	else
		close(ends[1]);
	if (rc == 0)
		*st->fd = ends[0];
	else
		close(ends[0]);
	return rc;
}
