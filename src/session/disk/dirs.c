/* dirs.c - the directories of sessions. */
#include "session/disk/dirs.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/mem.h"
#include "wire/sock.h"

char *dirs_data(struct err *err)
{
	const char *dir = getenv("AF_DATA_DIR");

	if (dir && dir[0] == '/')
		return mem_strdup(dir);
	if (dir && dir[0]) {
		err_set(err, ERR_FAILED,
			"AF_DATA_DIR is not an absolute path: %s", dir);
		return NULL;
	}
	dir = getenv("XDG_DATA_HOME");
	if (dir && dir[0] == '/')
		return mem_printf("%s/afw", dir);
	dir = getenv("HOME");
	if (dir && dir[0] == '/')
		return mem_printf("%s/.local/share/afw", dir);
	err_set(err, ERR_FAILED, "find the data directory: HOME is not set");
	err_hint(err, "set HOME or AF_DATA_DIR");
	return NULL;
}

static char *under_data(const char *name, struct err *err)
{
	_free_ char *data = dirs_data(err);

	return data ? file_join(data, name) : NULL;
}

char *dirs_sessions(struct err *err)
{
	return under_data("sessions", err);
}

char *dirs_trash(struct err *err)
{
	return under_data("trash", err);
}

char *dirs_session(const char *id, struct err *err)
{
	char name[80];

	snprintf(name, sizeof name, "sessions/%.64s", id);
	return under_data(name, err);
}

static bool is_runtime(const char *dir)
{
	struct stat st;

	return dir && dir[0] == '/' && lstat(dir, &st) == 0 &&
	       S_ISDIR(st.st_mode) && st.st_uid == geteuid();
}

char *dirs_runtime(struct err *err)
{
	const char *dir = getenv("XDG_RUNTIME_DIR");

	/* Two data directories may share one: ids are random. */
	if (is_runtime(dir))
		return mem_printf("%s/afw", dir);
	return under_data("run", err);
}

int dirs_prepare(struct err *err)
{
	char *(*const dirs[])(struct err *) = {dirs_data, dirs_sessions,
					       dirs_runtime};
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < sizeof dirs / sizeof *dirs; i++) {
		_free_ char *dir = dirs[i](err);

		rc = dir ? file_private_dir(dir, err) : -1;
		if (dir && rc < 0)
			err_hint(err, "%s names another place for afw's files",
				 i == 2 && is_runtime(getenv("XDG_RUNTIME_DIR"))
				     ? "XDG_RUNTIME_DIR"
				     : "AF_DATA_DIR");
	}
	return rc;
}

char *dirs_socket(const char *id, struct err *err)
{
	_free_ char *dir = dirs_session(id, err);

	return dir ? file_join(dir, "control") : NULL;
}

int dirs_listen(const char *session_dir, struct err *err)
{
	_free_ char *path = file_join(session_dir, "control");
	/* The caller holds the lock, so an existing socket belongs to a process
	 * that has ended. */
	int fd = sock_listen(path, 64, err);

	if (fd < 0)
		err_hint(err, "each session has a socket among its files: set "
			      "AF_DATA_DIR to a directory on a file system "
			      "that can have sockets");
	return fd;
}

char *dirs_runtime_of(const char *id, struct err *err)
{
	_free_ char *dir = dirs_runtime(err);

	return dir ? mem_printf("%s/%.32s", dir, id) : NULL;
}

void dirs_remove_sockets(const char *id)
{
	static const char *const suffixes[] = {".tmux", ".pane"};
	_free_ char *control = dirs_socket(id, NULL);
	_free_ char *stem = dirs_runtime_of(id, NULL);

	if (control)
		unlink(control);
	for (size_t i = 0; stem && i < 2; i++) {
		_free_ char *path = mem_printf("%s%s", stem, suffixes[i]);

		unlink(path);
	}
}
