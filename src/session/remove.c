/*
 * remove.c - takes a session's own files away.
 *
 * Its directory is first renamed into the trash, so that no reader ever sees
 * half a session, then deleted without following anything: home/ was the
 * harness's to write.
 */
#include "session/remove.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/delete_tree.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/random.h"
#include "session/dirs.h"

#define DIR_FLAGS (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

static void remove_socket(const struct session *s)
{
	char *path = dirs_socket(s->spec.id, NULL);

	if (path)
		unlink(path);
	free(path);
}

static int move_away(const struct session *s, const char *sessions, int trash,
		     const char *name, struct err *err)
{
	int fd = open(sessions, DIR_FLAGS), rc = 0;

	if (fd < 0)
		return err_errno(err, "open %s", sessions);
	if (renameat(fd, s->spec.id, trash, name) < 0)
		rc = err_errno(err, "move %s away", s->dir);
	close(fd);
	return rc;
}

int session_remove(const struct session *s, struct err *err)
{
	char name[SPEC_ID_LEN + 16], hex[9], *data, *sessions, *path;
	int trash, rc;

	data = dirs_data(err);
	if (!data)
		return -1;
	sessions = file_join(data, "sessions");
	path = file_join(data, "trash");
	rc = file_private_dir(path, err);
	trash = rc == 0 ? open(path, DIR_FLAGS) : -1;
	if (rc == 0 && trash < 0)
		rc = err_errno(err, "open %s", path);
	random_hex(hex, 8);
	snprintf(name, sizeof name, "%s-%s", s->spec.id, hex);
	if (rc == 0)
		rc = move_away(s, sessions, trash, name, err);
	if (rc == 0) {
		remove_socket(s);
		rc = delete_tree(trash, name, err);
		if (rc < 0)
			err_prefix(err, "clean up %s", path);
	}
	if (trash >= 0)
		close(trash);
	free(data);
	free(sessions);
	free(path);
	return rc;
}
