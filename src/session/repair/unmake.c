/* unmake.c - removes a session that was just made, with its worktree. */
#include "session/repair/unmake.h"

#include "base/cleanup.h"
#include "base/json.h"
#include "session/disk/store.h"
#include "wire/worktree_client.h"

#define DEADLINE_MS 60000

static int remove_worktree(const struct spec *spec, struct err *err)
{
	struct sweep_request rq = {.place = spec_place(spec),
				   .id = spec->id,
				   .in_place = true,
				   .delete_ignored = true};
	_json_ cJSON *o = worktree_client_run(sweep_request(&rq), NULL, NULL,
					      DEADLINE_MS, err);

	if (o && json_str(o, "why"))
		err_set(err, ERR_FAILED, "%s", json_str(o, "why"));
	if (!o || json_str(o, "why"))
		return err_prefix(err, "its worktree %s is still there",
				  spec->worktree);
	if (json_str(o, "branch_left"))
		err_hint(
		    err,
		    "its branch is still there: `git branch -d %s` deletes it",
		    spec->branch);
	return 0;
}

int session_unmake(const struct spec *spec, const char *dir, bool has_worktree,
		   struct err *err)
{
	for (size_t i = spec_count(spec); has_worktree && i-- > 0;) {
		struct spec one = spec_of(spec, i);

		if (spec_has_worktree(&one) && remove_worktree(&one, err) < 0)
			return -1;
	}
	return session_remove_dir(dir, spec->id, err);
}
