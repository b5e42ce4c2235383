/* dirs.c - where sessions live. */
#include "session/disk/dirs.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/mem.h"

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
	char *data = dirs_data(err), *path;

	if (!data)
		return NULL;
	path = file_join(data, name);
	free(data);
	return path;
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
		char *dir = dirs[i](err);

		rc = dir ? file_private_dir(dir, err) : -1;
		if (dir && rc < 0)
			err_hint(err, "%s names another place for afw's files",
				 i == 2 && is_runtime(getenv("XDG_RUNTIME_DIR"))
				     ? "XDG_RUNTIME_DIR"
				     : "AF_DATA_DIR");
		free(dir);
	}
	return rc;
}

char *dirs_new_socket(const char *id, struct err *err)
{
	char *dir = dirs_runtime(err), *path;
	struct sockaddr_un addr;

	if (!dir)
		return NULL;
	path = mem_printf("%s/%.32s.sock", dir, id);
	free(dir);
	if (strlen(path) < sizeof addr.sun_path)
		return path;
	err_set(err, ERR_FAILED,
		"the path of the session's socket is longer than the %zu "
		"bytes that the kernel takes: %s",
		sizeof addr.sun_path - 1, path);
	err_hint(err, "set XDG_RUNTIME_DIR or AF_DATA_DIR to a shorter path");
	free(path);
	return NULL;
}

int dirs_check_socket(struct err *err)
{
	char *path = dirs_new_socket("00000000000000000000000000000000", err);

	free(path);
	return path ? 0 : -1;
}

static char *noted_socket(const char *id)
{
	char *dir = dirs_session(id, NULL), *file, *end, *path = NULL;
	struct sockaddr_un addr;
	struct buf text = {0};
	size_t len;

	if (!dir)
		return NULL;
	file = file_join(dir, DIRS_SOCKET_FILE);
	/* In a directory that was copied it is another session's. */
	end = mem_printf("/%.32s.sock\n", id);
	len = strlen(end);
	if (file_read(AT_FDCWD, file, sizeof addr.sun_path, &text, NULL) == 0 &&
	    text.len >= len && text.data[0] == '/' &&
	    memcmp(text.data + text.len - len, end, len) == 0 &&
	    strlen(text.data) == text.len)
		path = mem_strndup(text.data, text.len - 1);
	buf_finish(&text);
	free(end);
	free(file);
	free(dir);
	return path;
}

char *dirs_socket(const char *id, struct err *err)
{
	char *path = noted_socket(id);

	return path ? path : dirs_new_socket(id, err);
}

int dirs_note_socket(const char *session_dir, const char *path, struct err *err)
{
	char *file = file_join(session_dir, DIRS_SOCKET_FILE);
	char *text = mem_printf("%s\n", path);
	int rc = file_replace(AT_FDCWD, file, text, strlen(text), false, err);

	/* What an earlier life wrote is worse than nothing. */
	if (rc < 0)
		unlink(file);
	free(text);
	free(file);
	return rc;
}

void dirs_remove_sockets(const char *id)
{
	static const char *const suffixes[] = DIRS_SOCKETS;
	char *at[] = {dirs_new_socket(id, NULL), dirs_socket(id, NULL)};

	for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
		size_t stem = at[i] ? strlen(at[i]) - strlen(".sock") : 0;

		for (size_t j = 0;
		     at[i] && j < sizeof suffixes / sizeof *suffixes; j++) {
			char *path =
			    mem_printf("%.*s%s", (int)stem, at[i], suffixes[j]);

			unlink(path);
			free(path);
		}
	}
	for (size_t i = 0; i < sizeof at / sizeof *at; i++)
		free(at[i]);
}
