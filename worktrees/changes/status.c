/* status.c - counts the changes of a session, in all of its worktrees. */
#include "base/cleanup.h"
#include "worktrees/changes/changes.h"
#include "worktrees/operations.h"
#include "worktrees/private/harvest.h"

/* Without commits there is nothing to merge. */
static bool has_merged(const cJSON *o)
{
	return json_int(o, "ahead", 0) == 0 || json_bool(o, "merged", false);
}

static void add_up(cJSON *answer, const cJSON *o)
{
	static const char *const keys[] = {"files_changed", "untracked",
					   "uncommitted",   "ahead",
					   "lines_added",   "lines_removed"};
	bool merged = has_merged(answer) && has_merged(o);

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		int64_t sum =
		    json_int(answer, keys[i], 0) + json_int(o, keys[i], 0);

		cJSON_DeleteItemFromObjectCaseSensitive(answer, keys[i]);
		json_set_int(answer, keys[i], sum);
	}
	cJSON_DeleteItemFromObjectCaseSensitive(answer, "merged");
	json_set_bool(answer, "merged",
		      merged && json_int(answer, "ahead", 0) > 0 &&
			  json_int(answer, "uncommitted", 0) +
				  json_int(answer, "untracked", 0) ==
			      0);
	if (!json_str(answer, "harvest"))
		json_set_str(answer, "harvest", json_str(o, "harvest"));
}

int worktree_status(struct output *out, const struct status_request *req,
		    cJSON *answer, struct err *err)
{
	const struct repo_place *others = req->others.v;

	if (changes_status(&req->place, req->only, req->list, out, answer,
			   err) < 0)
		return -1;
	for (size_t i = 0; i < req->others.n; i++) {
		_json_ cJSON *o = cJSON_CreateObject();

		if (harvest(&others[i], o, err) < 0 ||
		    changes_status(&others[i], NULL, false, out, o, err) < 0)
			return -1;
		add_up(answer, o);
	}
	return 0;
}
