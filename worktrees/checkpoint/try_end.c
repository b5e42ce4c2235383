/*
 * try_end.c - the operation try_end: brings what was edited in the main
 * worktree into the session's, and puts back what was there before the try.
 *
 * If it is killed or fails, the main worktree has the session's state as
 * before, and the next one finishes: a file that the session has already is not
 * brought again.
 */
#include <string.h>

#include "worktrees/checkpoint/try.h"
#include "worktrees/git/cleanup.h"
#include "worktrees/operations.h"

/* The commit that is checked out without a branch; else zero. */
static git_oid detached(git_repository *git)
{
	git_oid id = {0};

	if (git_repository_head_detached(git) == 1)
		git_reference_name_to_id(&id, git, "HEAD");
	return id;
}

/* Returns 1 if it has the session's state still; 0: git, or a run that was
 * killed, has checked out something else; -1: that cannot be told. */
static int is_there(const struct try_main *m, struct err *err)
{
	git_oid head = detached(m->w.git), tried, from;

	if (git_oid_fromstr(&tried, m->tried.commit) < 0 ||
	    git_oid_fromstr(&from, m->tried.from) < 0) {
		err_set(err, ERR_FAILED, "read %s/" TRIED_FILE ": no commit",
			m->w.git_dir);
		return err_hint(err, TRIED_DAMAGED);
	}
	if (git_oid_equal(&head, &tried))
		return 1;
	if (git_oid_is_zero(&head) || git_oid_equal(&head, &from))
		return 0;
	err_set(err, ERR_CONFLICT,
		"HEAD of %s is at %.10s, which was committed on top of the "
		"state of '%.64s'",
		m->w.path, git_oid_tostr_s(&head), m->tried.name);
	return err_hint(err,
			"`git -C %s reset --soft %.10s` makes it uncommitted, "
			"then `afw try --end`; or check out a branch there",
			m->w.path, m->tried.commit);
}

static void describe(const struct try_main *m, bool restored, cJSON *answer)
{
	_free_ char *branch = repo_branch(m->w.git);
	git_oid head = detached(m->w.git);

	json_set_bool(answer, "restored", restored);
	json_set_str(answer, "name", m->tried.name);
	json_set_str(answer, "session", m->tried.session);
	json_set_str(answer, "branch", branch);
	if (!branch)
		json_set_str(answer, "head", git_oid_tostr_s(&head));
	if (!branch && restored && m->tried.head)
		json_set_str(answer, "moved",
			     m->tried.head + strlen("refs/heads/"));
}

/* Puts back what was there. */
static int restore(struct try_main *m, const struct try_end_request *req,
		   cJSON *answer, struct err *err)
{
	_checkpoint_ struct checkpoint before = {0}, there = {0}, now = {0};
	_strv_ struct strv edited = {0}, left_alone = {0};
	git_repository *git = m->w.git;

	if (checkpoint_find(&before, &m->log, git, m->tried.before, err) < 0 ||
	    checkpoint_find(&there, &m->log, git, TRY_THERE(m), err) < 0 ||
	    try_take(m, &now, &before.files, err) < 0)
		return -1;
	for (size_t i = 0; i < now.left_out.n; i++)
		if (!strv_has(&there.left_out, now.left_out.v[i]))
			strv_add(&left_alone, now.left_out.v[i]);
	strv_copy(&now.left_out, &there.left_out);
	if (now.unfinished)
		return err_set(
		    err, ERR_CONFLICT,
		    "a merge, rebase or the like is unfinished in %s",
		    m->w.path);
	if (try_give_back(m, req->session, &there, &now, &edited, err) < 0 ||
	    try_add(m, &now, err) < 0 ||
	    try_replace(m, &now, &before, &left_alone, err) < 0)
		return -1;
	json_set_strv(answer, "edited", &edited);
	json_set_strv(answer, "left_alone", &left_alone);
	return 0;
}

int worktree_try_end(struct output *out, const struct try_end_request *req,
		     cJSON *answer, struct err *err)
{
	_try_ struct try_main m = TRY_MAIN_NONE;
	int is;

	if (try_open(&m, req->repository, out, err) < 0)
		return -1;
	if (!m.tried.session)
		return err_set(err, ERR_FAILED,
			       "%s has the state of no session", m.w.path);
	is = is_there(&m, err);
	if (is < 0 || (is && restore(&m, req, answer, err) < 0))
		return -1;
	describe(&m, is, answer);
	return try_drop(&m, err);
}
