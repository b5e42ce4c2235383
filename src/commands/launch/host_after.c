/* host_after.c - gives back the place that one session had, and starts what
 * fetches its work. */
#include "commands/launch/host_after.h"

#include <fcntl.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/spawn.h"
#include "commands/cli/output.h"
#include "commands/launch/host_choice.h"
#include "commands/launch/host_place.h"
#include "wire/program.h"

#define SSH_FAILED 255

/* Returns the name of the place in a url, to be freed. */
static char *name_of(const char *url)
{
	const char *name = url + strlen("ssh://");

	return mem_strndup(name, strcspn(name, "/"));
}

bool host_is_of_session(const char *url)
{
	_free_ char *name = name_of(url);

	return host_of_place(host_configured(), name) != NULL;
}

/* Starts what fetches the session's work, unless it is running: it holds the
 * lock. */
static int start_keeper(const struct engine *e, const char *session,
			struct err *err)
{
	_free_ char *script = program_share("hosts/keep");
	_free_ char *lock = file_join(e->dir, "keep"), *afw = program_afw();
	_close_ int fd =
	    file_open(AT_FDCWD, lock, O_RDWR | O_CREAT | O_CLOEXEC, err);
	const char *const argv[] = {script,  afw,    e->name,
				    session, e->dir, NULL};
	const struct spawn sp = {.argv = (char *const *)(size_t)argv,
				 .fd = {-1, -1, -1},
				 .keep = {fd},
				 .new_session = true};

	if (fd < 0)
		return -1;
	if (file_lock(fd, 0) < 0)
		return 0;
	return spawn_start(&sp, err) < 0 ? -1 : 0;
}

static bool is_over(const char *command, int code)
{
	if (strcmp(command, "rm") == 0)
		return code == 0;
	return strcmp(command, "new") == 0 && code != 0 && code != SSH_FAILED &&
	       host_place_made() == PLACE_MADE;
}

int host_after(const char *command, const char *url, int code, struct err *err)
{
	_free_ char *name = name_of(url);
	const struct host *h = host_of_place(host_configured(), name);
	_engine_ struct engine e = {0};
	bool over = is_over(command, code), keeps = h && h->keep && code == 0;

	if (h && code == ERR_NO_SESSION && host_place_made())
		output_hint("its place is new, and empty; `afw -H %s new %s "
			    "--base BRANCH` begins with a branch that was "
			    "fetched",
			    h->name, strchr(name, '.') + 1);
	if (!h || (!over && !keeps))
		return 0;
	if (engine_load(&e, h, name, err) < 0)
		return -1;
	if (!over)
		return start_keeper(&e, strchr(name, '.') + 1, err);
	if (!host_place_is_empty(url)) {
		output_warn("%s stays: it has another session, or does not "
			    "answer; `afw host down --yes %s` discards it",
			    name, name);
		return 0;
	}
	if (host_place_down(&e, err) < 0)
		return -1;
	output_line(stderr, "%s is given back", name);
	return 0;
}
