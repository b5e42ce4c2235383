/* reconcile_live.c - the looks at what runs, or did: sockets, processes. */
#include "session/repair/reconcile_internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "session/disk/dirs.h"
#include "session/disk/lock.h"
#include "session/live/left.h"
#include "session/live/orphans.h"
#include "session/live/recall.h"
#include "wire/sock.h"

#define SERVER_MS 3000

/* -- tmux servers --------------------------------------------------------- */

/*
 * The lock is held meanwhile: no supervisor is there, and none comes up whose
 * server it could be.
 */
static bool end_server(const struct session *s, const char *path,
		       struct err *err)
{
	int lock = lock_take(s->dir, err);
	bool done = lock >= 0 &&
		    orphans_end_server(s->spec.id, path, SERVER_MS, err) == 0;

	if (done)
		unlink(path);
	file_close(lock);
	return done;
}

int reconcile_probe_servers(struct reconcile_run *r, struct err *err)
{
	char *dir = dirs_runtime(err);

	if (!dir)
		return -1;
	for (size_t i = 0; i < r->sessions.n; i++) {
		const struct session *s = &r->sessions.v[i];
		struct finding *f;
		struct err why;
		char *path;
		pid_t pid;

		if (s->broken || !s->spec.backend ||
		    strcmp(s->spec.backend, "tmux") != 0 ||
		    lock_is_held(s->dir))
			continue;
		path = mem_printf("%s/%s.tmux", dir, s->spec.id);
		pid = orphans_server(s->spec.id, path);
		if (pid > 0) {
			f = reconcile_add(r, "tmux_server_left", s, path,
					  "its tmux server %d outlived its "
					  "supervisor",
					  (int)pid);
			f->pid = pid;
			f->safe = true;
			f->repaired =
			    r->how->apply && end_server(s, path, &why);
		}
		free(path);
	}
	free(dir);
	return 0;
}

/* -- supervisors -------------------------------------------------------------
 */

static void on_left(void *ctx, pid_t pid, int pidfd, const char *dir)
{
	struct finding *f =
	    reconcile_add(ctx, "supervisor_left", NULL, dir,
			  "supervisor %d is running, but the files of its "
			  "session were deleted",
			  (int)pid);

	(void)pidfd;
	snprintf(f->id, sizeof f->id, "%s", strrchr(dir, '/') + 1);
	f->pid = pid;
	f->hint = mem_strdup("`afw stop --all` stops it");
}

int reconcile_probe_left(struct reconcile_run *r, struct err *err)
{
	(void)err;
	left_each(on_left, r);
	return 0;
}

static bool has_supervisor(const struct reconcile_run *r, const char *id)
{
	for (size_t i = 0; i < r->out->n; i++)
		if (strcmp(r->out->v[i].kind, "supervisor_left") == 0 &&
		    strcmp(r->out->v[i].id, id) == 0)
			return true;
	return false;
}

static bool is_found(const struct reconcile_run *r, pid_t pid, const char *path)
{
	for (size_t i = 0; i < r->out->n; i++) {
		const struct finding *f = &r->out->v[i];

		if (strcmp(f->kind, "tmux_server_left") == 0 &&
		    (path ? strcmp(f->path, path) == 0 : f->pid == pid))
			return true;
	}
	return false;
}

/* -- sockets -----------------------------------------------------------------
 */

/* The lock is held while it goes, so that nobody makes it anew just then. */
static bool remove_socket(const struct session *s, const char *path)
{
	int lock = s ? lock_take(s->dir, NULL) : -1;
	bool done = (!s || lock >= 0) && unlink(path) == 0;

	file_close(lock);
	return done;
}

static bool is_listened_on(const char *path)
{
	int fd = sock_connect(path);

	file_close(fd);
	/* Anything but a plain refusal may be a server. */
	return fd >= 0 || errno != ECONNREFUSED;
}

static bool is_our_socket(const char *suffix)
{
	static const char *const ours[] = DIRS_SOCKETS;

	for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
		if (strcmp(suffix, ours[i]) == 0)
			return true;
	return false;
}

/* Those that run, by what their files say a moment later too: one may have
 * come to its end since. */
int reconcile_probe_reach(struct reconcile_run *r, struct err *err)
{
	for (size_t i = 0; i < r->sessions.n; i++) {
		const struct session *s = &r->sessions.v[i];
		struct session now;
		struct finding *f;

		if (s->broken || !s->alive || s->state.phase != PHASE_RUNNING ||
		    recall_is_reachable(s->spec.id) ||
		    session_load(&now, s->spec.id, NULL) < 0)
			continue;
		if (now.alive && now.state.phase == PHASE_RUNNING) {
			char *path = dirs_socket(s->spec.id, NULL);

			f = reconcile_add(r, "unreachable_session", s, path,
					  "it runs, but its socket is gone");
			f->safe = true;
			f->repaired =
			    r->how->apply && recall_supervisor(&now, NULL) == 0;
			free(path);
		}
		session_finish(&now);
	}
	return 0;
}

int reconcile_probe_sockets(struct reconcile_run *r, struct err *err)
{
	char *dir = dirs_runtime(err);
	const char *name;
	DIR *d;

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
		if (has_supervisor(r, id))
			continue;
		s = reconcile_session(r, id);
		path = file_join(dir, name);
		if ((!s || !lock_is_held(s->dir)) && !is_found(r, 0, path) &&
		    lstat(path, &st) == 0) {
			bool served =
			    S_ISSOCK(st.st_mode) && is_listened_on(path);

			f = reconcile_add(
			    r, "stale_runtime_file", s, path,
			    served ? "%s: a server outlived its supervisor"
				   : "%s is there, but nobody listens",
			    path);
			f->safe = S_ISSOCK(st.st_mode) && !served &&
				  is_our_socket(name + SPEC_ID_LEN);
			f->repaired =
			    f->safe && r->how->apply && remove_socket(s, path);
		}
		free(path);
	}
	file_list_end(d);
	free(dir);
	return 0;
}

/* -- containers --------------------------------------------------------------
 */

/* Of this data directory, and with no files there: nothing of afw's ends it. */
static void on_container(void *ctx, const char *container, const char *was)
{
	const char *slash = strrchr(was, '/');
	char *dir = dirs_session(slash ? slash + 1 : was, NULL);
	struct finding *f;

	if (dir && strcmp(dir, was) == 0 && access(dir, F_OK) < 0 &&
	    errno == ENOENT) {
		f = reconcile_add(ctx, "container_left", NULL, was,
				  "container %s is of a session whose files "
				  "are gone",
				  container);
		f->hint =
		    mem_printf("`podman rm --force %s` removes it", container);
	}
	free(dir);
}

int reconcile_probe_containers(struct reconcile_run *r, struct err *err)
{
	if (r->how->containers)
		r->how->containers(on_container, r);
	return 0;
}

/* -- processes ----------------------------------------------------------------
 */

static void on_process(void *ctx, pid_t pid, int pidfd, const char *id)
{
	struct reconcile_run *r = ctx;
	const struct session *s = reconcile_session(r, id);
	struct finding *f;
	char *dir;
	bool other;

	if ((s && lock_is_held(s->dir)) || is_found(r, pid, NULL))
		return;
	/* Of another data directory, or made after we looked. */
	dir = dirs_session(id, NULL);
	other = !s && (!dir || access(dir, F_OK) < 0) &&
		!reconcile_is_trashed(r, id);
	free(dir);
	if (other)
		return;
	f = reconcile_add(r, "process_left", s, NULL,
			  "process %d is of a session whose supervisor is gone",
			  (int)pid);
	f->pid = pid;
	if (s)
		f->hint = mem_printf("`afw stop %s` ends it", s->spec.name);
}

int reconcile_probe_processes(struct reconcile_run *r, struct err *err)
{
	orphans_each(on_process, r);
	return 0;
}
