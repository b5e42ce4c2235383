/* gitwork.c - requests to afw-worktree about one session's worktree. */
#include "commands/gitwork.h"

#include "base/json.h"

#define EXACT_MAX (1ULL << 53) /* above, JSON's numbers are not exact */

bool gitwork_has_worktree(const struct session *s)
{
	return s->spec.repository && s->spec.worktree && s->spec.worktree_id &&
	       s->spec.worktree_ino != 0;
}

cJSON *gitwork_request(const struct session *s, const char *op)
{
	const struct spec *sp = &s->spec;
	cJSON *o = cJSON_CreateObject();

	json_set_str(o, "op", op);
	json_set_str(o, "repository", sp->repository);
	json_set_str(o, "worktree", sp->worktree);
	json_set_str(o, "worktree_id", sp->worktree_id);
	json_set_str(o, "base_commit", sp->base_commit);
	json_set_str(o, "branch", sp->branch);
	if (sp->worktree_ino && sp->worktree_ino <= EXACT_MAX &&
	    sp->worktree_dev <= EXACT_MAX) {
		json_set_int(o, "dev", (int64_t)sp->worktree_dev);
		json_set_int(o, "ino", (int64_t)sp->worktree_ino);
	}
	return o;
}
