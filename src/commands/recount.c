/*
 * recount.c - the counts of a worktree that a command has changed, if no
 * supervisor is there to count them. The state of a lost session stays as its
 * supervisor left it.
 */
#include "commands/recount.h"

#include <string.h>

#include "base/cleanup.h"
#include "commands/cli/output.h"
#include "session/disk/lock.h"
#include "wire/worktree_client.h"

#define COUNT_MS 10000

static int save(const struct session *s, const cJSON *answer, struct err *err)
{
	_close_ int lock = lock_take_soon(s->dir, err);
	struct state now;
	struct counts old;
	int rc;

	/* A supervisor that has started since counts by itself. */
	if (lock < 0)
		return err->kind == ERR_CONFLICT ? 0 : -1;
	rc = state_load(&now, s->dir, err);
	if (rc == 0) {
		old = now.counts;
		counts_read(&now.counts, answer);
		if (!phase_is_live(now.phase) &&
		    memcmp(&now.counts, &old, sizeof old) != 0)
			rc = state_save(&now, s->dir, false, err);
		state_finish(&now);
	}
	return rc;
}

static cJSON *count(const struct session *s, struct err *err)
{
	cJSON *request = spec_worktree_request(&s->spec, "status");
	cJSON *answer = worktree_client_run(request, NULL, NULL, COUNT_MS, err);

	cJSON_Delete(request);
	return answer;
}

void recount(const struct session *s)
{
	struct err err = {0};
	_json_ cJSON *answer = NULL;

	if (!spec_has_worktree(&s->spec) || lock_is_held(s->dir))
		return;
	answer = count(s, &err);
	if (!answer || save(s, answer, &err) < 0)
		output_warn("%s: count its changes: %s", s->spec.name,
			    err.what);
}

int64_t recount_uncommitted(const struct session *s)
{
	cJSON *answer = count(s, NULL);
	struct counts n = {.uncommitted = -1};

	if (answer)
		counts_read(&n, answer);
	cJSON_Delete(answer);
	return n.uncommitted;
}
