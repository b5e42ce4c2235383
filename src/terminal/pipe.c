/* pipe.c - a harness between three pipes. */
#include "terminal/pipe.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/file.h"

/* Ours and the harness's end of its descriptor i. */
static int make(int i, int *ours, int *theirs)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -1;
	*ours = ends[i == 0];
	*theirs = ends[i != 0];
	return file_set_nonblock(*ours);
}

int pipe_start(struct pipe *p, const struct terminal_start *st, pid_t *pid,
	       struct err *err)
{
	int theirs[3] = {-1, -1, -1}, rc = 0;

	*p = (struct pipe){.guarded.fd = -1, .fd = {-1, -1, -1}};
	for (int i = 0; i < 3 && rc == 0; i++)
		rc = make(i, &p->fd[i], &theirs[i]);
	if (rc < 0)
		err_errno(err, "make a pipe");
	else
		rc = guarded_start(&p->guarded, st, theirs, false, pid, err);
	for (int i = 0; i < 3; i++) {
		file_close(theirs[i]);
		if (rc < 0)
			file_reset(&p->fd[i]);
	}
	return rc;
}

void pipe_finish(struct pipe *p)
{
	guarded_finish(&p->guarded);
	for (int i = 0; i < 3; i++)
		file_reset(&p->fd[i]);
}
