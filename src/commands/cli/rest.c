/* rest.c - checks whether a session's agent is in a turn. */
#include "commands/cli/rest.h"

#include <string.h>

static bool works(const struct session *s)
{
	switch (s->state.phase) {
	case PHASE_RUNNING:
		return s->alive &&
		       (s->state.activity == ACTIVITY_WORKING ||
			s->state.activity == ACTIVITY_THINKING ||
			s->state.activity == ACTIVITY_WAITING_FOR_INPUT);
	case PHASE_PROVISIONING:
	case PHASE_STARTING:
	case PHASE_STOPPING:
		return s->alive;
	default:
		return false;
	}
}

int rest_check(const struct session *s, const char *what, struct err *err)
{
	const char *name = s->spec.name;

	if (s->broken)
		return err_set(err, ERR_FAILED,
			       "%s '%s': its files cannot be read: %s", what,
			       name, s->state.error_reason);
	if (!spec_has_worktree(&s->spec) || !s->spec.branch)
		return err_set(err, ERR_FAILED, "%s '%s': it has no worktree",
			       what, name);
	if (!works(s))
		return 0;
	err_set(err, ERR_REFUSED, "%s '%s': it is not done (%s)", what, name,
		session_status_word(s));
	return s->state.activity == ACTIVITY_WAITING_FOR_INPUT
		   ? err_hint(err, "answer it: `afw attach %s`", name)
		   : err_hint(err, "`afw wait %s` waits for it", name);
}

static int check_one(const struct session *s, const char *branch,
		     struct err *err)
{
	if (!s->spec.private_git && !works(s))
		return 0;
	err_set(err, ERR_REFUSED, "%s is the branch of session '%s', which %s",
		branch, s->spec.name,
		works(s) ? "is not done"
			 : "would not see in its sandbox what is put there");
	return err_hint(err, "another branch: --into BRANCH");
}

int rest_check_branch(const struct session *s, const char *branch,
		      struct err *err)
{
	struct session_list l;
	int rc = session_list_load(&l, err);

	for (size_t i = 0; rc == 0 && i < l.n; i++)
		if (session_is_here(&l.v[i], s->spec.repository) &&
		    l.v[i].spec.branch &&
		    strcmp(l.v[i].spec.branch, branch) == 0)
			rc = check_one(&l.v[i], branch, err);
	session_list_finish(&l);
	return rc;
}
