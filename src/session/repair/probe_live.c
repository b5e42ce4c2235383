/* probe_live.c - checks sockets, and processes that are or were running. */
#include "session/repair/probes.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "session/disk/dirs.h"
#include "session/disk/lock.h"
#include "session/live/processes.h"
#include "wire/sock.h"

#define SERVER_MS 3000

/* -- tmux servers --------------------------------------------------------- */

/*
 * Holds the lock meanwhile: no supervisor is running, and none can start that
 * would use the server.
 */
bool repair_server(const struct survey *v, const struct finding *f)
{
	_close_ int lock = lock_acquire(survey_session(v, f->id)->dir, NULL);
	struct err why;

	if (lock < 0 ||
	    processes_end_server(f->id, f->path, SERVER_MS, &why) < 0)
		return false;
	unlink(f->path);
	return true;
}

int probe_servers(struct survey *v, struct err *err)
{
	_free_ char *dir = dirs_runtime(err);

	if (!dir)
		return -1;
	for (size_t i = 0; i < v->sessions.n; i++) {
		const struct session *s = &v->sessions.v[i];
		struct finding *f;
		char *path;
		pid_t pid;

		if (s->broken || !s->spec.backend ||
		    strcmp(s->spec.backend, "tmux") != 0 ||
		    lock_is_held(s->dir))
			continue;
		path = mem_printf("%s/%s.tmux", dir, s->spec.id);
		pid = processes_find_server(s->spec.id, path);
		if (pid > 0) {
			f = finding_add(v, "tmux_server_left", s, path,
					"its tmux server %d outlived its "
					"supervisor",
					(int)pid);
			f->safe = true;
			f->pid = pid;
		}
		free(path);
	}
	return 0;
}

/* -- supervisors ---------------------------------------------------------- */

static void on_left(void *ctx, pid_t pid, int pidfd, const char *dir)
{
	struct finding *f = finding_add(
	    ctx, "supervisor_left", NULL, dir,
	    "process %d runs a session whose files were deleted", (int)pid);

	(void)pidfd;
	snprintf(f->id, sizeof f->id, "%s", strrchr(dir, '/') + 1);
	f->pid = pid;
	f->hint = mem_strdup("`afw stop --all` stops it");
}

int probe_supervisors(struct survey *v, struct err *err)
{
	(void)err;
	processes_each_orphan(on_left, v);
	return 0;
}

static bool has_supervisor(const struct survey *v, const char *id)
{
	for (size_t i = 0; i < v->found.n; i++)
		if (strcmp(v->found.v[i].kind, "supervisor_left") == 0 &&
		    strcmp(v->found.v[i].id, id) == 0)
			return true;
	return false;
}

static bool is_found(const struct survey *v, pid_t pid, const char *path)
{
	for (size_t i = 0; i < v->found.n; i++) {
		const struct finding *f = &v->found.v[i];

		if (strcmp(f->kind, "tmux_server_left") == 0 &&
		    (path ? strcmp(f->path, path) == 0 : f->pid == pid))
			return true;
	}
	return false;
}

/* -- sockets -------------------------------------------------------------- */

/* Holds the lock meanwhile, so that no supervisor creates the socket again. */
bool repair_socket(const struct survey *v, const struct finding *f)
{
	const struct session *s = f->id[0] ? survey_session(v, f->id) : NULL;
	_close_ int lock = s ? lock_acquire(s->dir, NULL) : -1;

	return (!s || lock >= 0) && unlink(f->path) == 0;
}

static bool is_listened_on(const char *path)
{
	int fd = sock_connect(path);

	file_close(fd);
	/* Any other error may mean that a server is listening. */
	return fd >= 0 || errno != ECONNREFUSED;
}

int probe_sockets(struct survey *v, struct err *err)
{
	_free_ char *dir = dirs_runtime(err);
	const char *name;
	_dir_ DIR *d = NULL;

	if (!dir)
		return -1;
	d = file_list(AT_FDCWD, dir);
	while ((name = file_list_next(d))) {
		char id[SPEC_ID_LEN + 1], *path;
		const struct session *s;
		struct finding *f;
		struct stat st;

		if (strspn(name, "0123456789abcdef") != SPEC_ID_LEN)
			continue;
		snprintf(id, sizeof id, "%.32s", name);
		if (has_supervisor(v, id))
			continue;
		s = survey_session(v, id);
		path = file_join(dir, name);
		if ((!s || !lock_is_held(s->dir)) && !is_found(v, 0, path) &&
		    lstat(path, &st) == 0) {
			bool served =
			    S_ISSOCK(st.st_mode) && is_listened_on(path);

			f = finding_add(
			    v, "stale_runtime_file", s, path,
			    served ? "%s: a server outlived its supervisor"
				   : "%s exists, but no process listens",
			    path);
			f->safe = S_ISSOCK(st.st_mode) && !served;
		}
		free(path);
	}
	return 0;
}

/* -- processes ------------------------------------------------------------ */

static void on_process(void *ctx, pid_t pid, int pidfd, const char *id)
{
	struct survey *v = ctx;
	const struct session *s = survey_session(v, id);
	struct finding *f;
	char *dir;
	bool other;

	if ((s && lock_is_held(s->dir)) || is_found(v, pid, NULL))
		return;
	/* The session belongs to another data directory, or was created after
	 * the list was read. */
	dir = dirs_session(id, NULL);
	other =
	    !s && (!dir || access(dir, F_OK) < 0) && !survey_is_recorded(v, id);
	free(dir);
	if (other)
		return;
	f = finding_add(v, "process_left", s, NULL,
			"process %d is of a session whose supervisor is gone",
			(int)pid);
	f->pid = pid;
	if (s)
		f->hint = mem_printf("`afw stop %s` ends it", s->spec.name);
}

int probe_processes(struct survey *v, struct err *err)
{
	processes_each(on_process, v);
	return 0;
}
