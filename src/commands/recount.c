/*
 * recount.c - updates the counts of a worktree that a command has changed, if
 * no supervisor is running that does so. The state of a lost session stays as
 * its supervisor left it.
 */
#include "commands/recount.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/gitfile.h"
#include "base/json.h"
#include "commands/cli/output.h"
#include "session/base_refs.h"
#include "session/disk/lock.h"
#include "wire/worktree_client.h"

#define COUNT_MS   10000
#define MOVED_MS   1000
#define STATE_FILE "state.json"

static int save(const struct session *s, const cJSON *answer, struct err *err)
{
	_close_ int lock = lock_acquire_soon(s->dir, err);
	struct state now;
	struct counts old;
	int rc;

	/* A supervisor that has started meanwhile does it itself. */
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

static cJSON *request_status(const struct session *s, struct err *err)
{
	struct repo_place others[SPEC_WITH_MAX];
	struct status_request rq = {.place = spec_place(&s->spec),
				    .others = spec_others(&s->spec, others)};

	return worktree_client_run(status_request(&rq), NULL, NULL, COUNT_MS,
				   err);
}

static int count_changes(const struct session *s, const cJSON *counted,
			 struct err *err)
{
	_json_ cJSON *answer = NULL;

	/* A supervisor that ends has the lock for a moment after it stopped. */
	if (!spec_has_checkout(&s->spec) ||
	    (phase_is_live(s->state.phase) && lock_is_held(s->dir)))
		return 0;
	if (json_get(counted, "files_changed"))
		return save(s, counted, err);
	answer = request_status(s, err);
	return answer ? save(s, answer, err) : -1;
}

void recount(const struct session *s, const cJSON *counted)
{
	struct err err = {0};

	if (count_changes(s, counted, &err) < 0)
		output_warn("%s: count its changes: %s", s->spec.name,
			    err.what);
}

void recount_read(struct session *s)
{
	_json_ cJSON *answer =
	    spec_has_checkout(&s->spec) ? request_status(s, NULL) : NULL;

	if (answer)
		counts_read(&s->state.counts, answer);
}

int64_t recount_uncommitted(const struct session *s)
{
	_json_ cJSON *answer = request_status(s, NULL);
	struct counts n = {.uncommitted = -1};

	if (answer)
		counts_read(&n, answer);
	return n.uncommitted;
}

static int64_t changed_at(const char *path)
{
	struct stat st;

	return stat(path, &st) < 0 ? -1
				   : st.st_mtim.tv_sec * INT64_C(1000000000) +
					 st.st_mtim.tv_nsec;
}

/* Returns whether the base may have moved since state.json was written, or
 * since the last call. */
static bool base_has_moved(const struct session *s)
{
	_free_ char *git = gitfile_dir(s->spec.repository);
	_free_ char *file = file_join(s->dir, STATE_FILE);
	_strv_ struct strv refs = {0};
	int64_t counted = changed_at(file);
	bool moved = false;

	base_refs(&s->spec, &refs);
	strv_addf(&refs, "%s/packed-refs", git ? git : "");
	for (size_t i = 0; !moved && i < refs.n; i++)
		moved = changed_at(refs.v[i]) >= counted;
	return moved;
}

static void recount_one(struct session *s)
{
	_free_ char *file = file_join(s->dir, STATE_FILE);
	struct err err = {0};

	count_changes(s, NULL, &err);
	/* do not ask again until it moves */
	utimensat(AT_FDCWD, file, NULL, 0);
	session_reload(s, &err);
}

void recount_moved(struct session_list *l)
{
	int64_t end = clock_mono_ms() + MOVED_MS;

	for (size_t i = 0; i < l->n && clock_mono_ms() < end; i++) {
		struct session *s = &l->v[i];
		const struct counts *c = &s->state.counts;

		if (s->alive || s->lost || s->broken || c->ahead <= 0 ||
		    c->merged > 0 || c->uncommitted > 0 || !s->spec.base ||
		    !base_has_moved(s))
			continue;
		recount_one(s);
	}
}
