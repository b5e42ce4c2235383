/* rename.c - afw rename: changes only a session's name. Its branch and its
 * worktree keep theirs: the agent runs in the one, and the other may be
 * pushed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/name.h"
#include "commands/cli/output.h"
#include "commands/cli/targets.h"
#include "commands/command.h"
#include "session/disk/lock.h"
#include "session/live/connection.h"
#include "session/live/limit.h"

static const struct command_option options[] = {
    {.name = "json", .help = "print the session as one object"},
    {.name = NULL},
};

/* Reads the file again, because the specification in a list is incomplete. */
static int save(const struct session *s, const char *name, struct err *err)
{
	struct spec spec;
	int rc = spec_load(&spec, s->dir, err);

	if (rc == 0) {
		free(spec.name);
		spec.name = mem_strdup(name);
		rc = spec_save(&spec, s->dir, true, err);
	}
	spec_finish(&spec);
	return rc;
}

/* Renames a running session. A session without a supervisor yet is still being
 * written by afw new. */
static int rename_running(const struct session *s, const char *name,
			  struct err *err)
{
	struct client *c = connect_session(s, err);
	cJSON *reply = NULL;
	int rc = -1;

	if (!c && err->kind == ERR_NOT_RUNNING)
		err->kind = ERR_CONFLICT;
	if (c && save(s, name, err) == 0) {
		reply = client_request(c, REQUEST_OF(RENAME), -1,
				       CONNECT_TIMEOUT_MS, err);
		/* A session that has just ended need not be informed. */
		rc = reply || err->kind == ERR_NOT_RUNNING ? 0 : -1;
		/* Its supervisor is of an older afw, or does not answer. */
		if (rc < 0)
			save(s, s->spec.name, NULL);
	}
	cJSON_Delete(reply);
	client_destroy(c);
	return rc;
}

static int rename_session(struct session *s, const char *name, struct err *err)
{
	int names = limit_lock(err), lock = -1, rc = -1;

	session_wait_settled(s);
	if (names < 0 ||
	    session_name_free(s->spec.repository, name, s->spec.id, err) < 0) {
		/* reported already */
	} else if (s->alive) {
		rc = rename_running(s, name, err);
	} else {
		lock = lock_acquire_soon(s->dir, err);
		rc = lock < 0 ? -1 : save(s, name, err);
	}
	file_close(lock);
	file_close(names);
	if (rc < 0)
		return err_prefix(err, "rename '%s' to '%s'", s->spec.name,
				  name);
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
	rc = rename_session(&s, name, err);
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
