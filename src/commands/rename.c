/* rename.c - afw rename: changes only a session's name. Its branch and its
 * worktree keep theirs: the agent runs in the one, and the other may be
 * pushed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/name.h"
#include "commands/cli/output.h"
#include "commands/cli/targets.h"
#include "commands/command.h"
#include "session/live/respec.h"

static const struct command_option options[] = {
    {.name = "json", .help = "print the session as one object"},
    {.name = NULL},
};

static int set_name(struct spec *now, const struct session *s, const void *name,
		    struct err *err)
{
	if (session_name_free(s->spec.repository, name, now->id, err) < 0)
		return -1;
	mem_set(&now->name, name);
	return 0;
}

static int cmd_rename(const struct args *args, struct err *err)
{
	const char *name = args->positional[1];
	struct session s, now;
	int rc;

	if (name_check(name, err) < 0 ||
	    targets_find_one(&s, args->positional[0], err) < 0)
		return -1;
	rc = respec(&s, set_name, name, err);
	if (rc < 0)
		err_prefix(err, "rename '%s' to '%s'", s.spec.name, name);
	if (rc == 0 && args_has(args, "json")) {
		rc = session_load(&now, s.spec.id, err);
		if (rc == 0) {
			output_json(session_to_json(&now));
			session_finish(&now);
		}
	} else if (rc == 0) {
		printf("%s: is %s now\n", s.spec.name, name);
	}
	session_finish(&s);
	return rc;
}

const struct command command_rename = {
    .name = "rename",
    .usage = "NAME NEW",
    .summary = "give a session another name",
    .completes = "session",
    .min_args = 2,
    .max_args = 2,
    .options = options,
    .run = cmd_rename,
};
