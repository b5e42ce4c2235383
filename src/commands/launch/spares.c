/*
 * spares.c - makes worktrees ahead, in a process of its own.
 *
 * It runs when nothing else wants to: at the lowest priority, and its reads and
 * writes when the disk is idle. afw-worktree, which inherits that, ends after
 * an hour, and of several processes only one makes spares.
 */
#include "commands/launch/spares.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/spawn.h"
#include "commands/launch/new_worktree.h"
#include "commands/launch/services.h"
#include "commands/launch/settings.h"
#include "session/disk/store.h"
#include "wire/worktree_client.h"

#define DAY_MS	   (24 * 3600 * INT64_C(1000))
#define LONGEST_S  3700 /* a little more than afw-worktree's own limit */
#define LEAST_NICE 19
/* linux/ioprio.h, which glibc has not: this process, class idle. */
#define IOPRIO_WHO_PROCESS 1
#define IOPRIO_IDLE	   (3 << 13)

static bool is_recent(const struct spec *s, const struct spec *of)
{
	return s->repository && strcmp(s->repository, of->repository) == 0 &&
	       strcmp(s->id, of->id) != 0 &&
	       s->created_at > clock_wall_ms() - DAY_MS;
}

/* Returns whether another session was made within the day. */
static bool has_recent(const struct spec *of)
{
	_session_list_ struct session_list l = {0};
	CLEANUP(trash_list_finish) struct trashed_list trash = {0};
	bool has = false;

	session_list_load(&l, NULL);
	for (size_t i = 0; !has && i < l.n; i++)
		has = is_recent(&l.v[i].spec, of);
	trash_list(&trash, NULL);
	for (size_t i = 0; !has && i < trash.n; i++)
		has = is_recent(&trash.v[i].spec, of);
	return has;
}

static int64_t wanted(const struct spec *of, const struct config *c)
{
	const char *text = config_str(c, OPTION_SPARES);

	if (strcmp(text, "auto") != 0)
		return strtol(text, NULL, 10);
	return of->created_at > clock_wall_ms() - DAY_MS && has_recent(of);
}

/* Returns whether the directory of the session's worktree has spares. */
static bool has_some(const struct spec *of)
{
	_free_ char *dir = mem_strdup(of->worktree);
	_dir_ DIR *d = NULL;
	const char *name;

	*strrchr(dir, '/') = '\0';
	d = file_list(AT_FDCWD, dir);
	while ((name = file_list_next(d)))
		if (strncmp(name, ".spare-", 7) == 0)
			return true;
	return false;
}

/* Makes one at a time, until there are enough. */
static void make(const struct spec *of, const struct config *c, int64_t count)
{
	_free_ char *location = settings_location(c);
	_strv_ struct strv foreign = {0};
	const char *base = config_str(c, OPTION_BASE);
	struct spare_request rq = {
	    .path = spec_checkout(of),
	    .repository = of->repository,
	    .location = location,
	    .base = *base ? base : NULL,
	    .copy = config_list(c, OPTION_COPY),
	    .link = config_list(c, OPTION_LINK),
	    .setup_spare = config_list(c, OPTION_SETUP_SPARE),
	    .setup_timeout_ms = SETUP_MOST_MS,
	    .foreign = &foreign,
	    .count = count,
	    .free_percent = config_int(c, OPTION_SPARE_FREE)};
	bool made = count > 0 || has_some(of);

	if (rq.setup_spare->n)
		new_worktree_foreign(of->repository, of, &foreign);
	for (int64_t i = 0; made && i <= count; i++) {
		_json_ cJSON *o = worktree_client_run(spare_request(&rq), NULL,
						      NULL, 0, NULL);

		made = json_bool(o, "made", false);
	}
}

void spares_make(const struct spec *of, const char *asked)
{
	struct config *c = NULL;

	if (!spec_has_worktree(of) || !of->worktree ||
	    (asked && strcmp(asked, "0") == 0 && !has_some(of)) ||
	    !spawn_background())
		return;
	alarm(LONGEST_S);
	setpriority(PRIO_PROCESS, 0, LEAST_NICE);
	syscall(SYS_ioprio_set, IOPRIO_WHO_PROCESS, 0, IOPRIO_IDLE);
	/* Without what only that session has. */
	if (settings_load_usable(&c, spec_checkout(of), NULL) == 0)
		make(of, c, wanted(of, c));
	_exit(0);
}
