/* doctor_containers.c - finds containers that have outlived their supervisors.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "commands/doctor.h"
#include "sandbox/podman.h"
#include "session/disk/dirs.h"
#include "session/disk/lock.h"

/* Returns whether podman was ever used: running it for the first time would
 * leave a process and files. */
static bool has_podman(void)
{
	const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
	char *dir = data && data[0] ? file_join(data, "containers")
				    : file_join(home ? home : "",
						".local/share/containers");
	bool there = geteuid() != 0 && access(dir, F_OK) == 0;

	free(dir);
	return there;
}

/* Removes a container, which has nothing but its image. The lock is held
 * meanwhile, so that no supervisor starts that could use it. */
bool doctor_remove_container(const struct survey *v, const struct finding *f)
{
	const struct session *s = survey_session(v, f->id);
	_close_ int lock = s ? lock_acquire(s->dir, NULL) : -1;

	return (!s || lock >= 0) && podman_remove(f->engine, f->id, NULL) == 0;
}

/* Returns whether a supervisor is running whose files were deleted: the
 * container is in use. */
static bool is_supervised(const struct survey *v, const char *dir)
{
	for (size_t i = 0; i < v->found.n; i++)
		if (strcmp(v->found.v[i].kind, "supervisor_left") == 0 &&
		    strcmp(v->found.v[i].path, dir) == 0)
			return true;
	return false;
}

/* Adds a container of this data directory without a supervisor. */
static void on_container(void *ctx, const char *engine, const char *container,
			 const char *was)
{
	const char *slash = strrchr(was, '/'), *id = slash ? slash + 1 : was;
	const struct session *s = survey_session(ctx, id);
	_free_ char *dir = dirs_session(id, NULL);
	struct finding *f;

	if (!dir || strcmp(dir, was) != 0 || is_supervised(ctx, was))
		return;
	if (s ? lock_is_held(s->dir)
	      : access(dir, F_OK) == 0 || errno != ENOENT)
		return;
	f = finding_add(ctx, "container_left", s, was,
			s ? "its container %s outlived its supervisor"
			  : "container %s is of a session whose files are gone",
			container);
	snprintf(f->id, sizeof f->id, "%s", id);
	f->engine = engine;
	f->hint =
	    mem_printf("`%s rm --force %s` removes it", engine, container);
	f->safe = true;
}

int doctor_containers(struct survey *s, struct err *err)
{
	if (has_podman() &&
	    podman_containers("podman", on_container, s, err) < 0)
		return -1;
	return s->docker ? podman_containers("docker", on_container, s, err)
			 : 0;
}
