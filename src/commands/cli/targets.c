/* targets.c - finds the sessions that a command applies to, and checks whether
 * an agent is in a turn. */
#include "commands/cli/targets.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "base/words.h"
#include "commands/cli/output.h"
#include "commands/command.h"
#include "sandbox/sandbox.h"
#include "session/disk/lock.h"

/*
 * Removes the ended container that a killed supervisor left, and records that
 * the session was lost, so that this happens once. A container that is still
 * running is left to stop, start and rm.
 */
static void clear_lost(const struct session *s)
{
	const struct sandbox *tier =
	    s->alive || s->broken ? NULL : sandbox_find(s->spec.sandbox);
	_state_ struct state state = {0};
	_close_ int lock = -1;

	if (!tier || !tier->stop || s->state.phase != PHASE_ERROR)
		return;
	lock = lock_acquire(s->dir, NULL);
	if (lock >= 0 && state_load(&state, s->dir, NULL) == 0 &&
	    phase_is_live(state.phase) && tier->stop(&s->spec, -1) == 0)
		session_record_lost(s, s->lost, NULL);
}

int targets_find_named(const struct session_names *names, struct session *s,
		       const char *what, struct err *err)
{
	if (session_names_find(names, s, what, err) < 0)
		return -1;
	clear_lost(s);
	return 0;
}

int targets_find_one(struct session *s, const char *what, struct err *err)
{
	_session_names_ struct session_names names = {0};

	if (session_names_load(&names, err) < 0)
		return -1;
	return targets_find_named(&names, s, what, err);
}

static int check_new(const struct session_list *l, const struct session *s,
		     struct err *err)
{
	for (size_t i = 0; i < l->n; i++)
		if (strcmp(l->v[i].spec.id, s->spec.id) == 0)
			return err_set(err, ERR_USAGE,
				       "session '%s' is named twice",
				       s->spec.name);
	return 0;
}

static int find_by_name(struct session_list *l, const struct args *args,
			size_t n, struct err *err)
{
	_session_names_ struct session_names names = {0};
	size_t wanted = n ? n : 1;

	if (session_names_load(&names, err) < 0)
		return -1;
	*l = (struct session_list){.v = mem_alloc(wanted * sizeof *l->v)};
	for (; l->n < wanted; l->n++) {
		struct session *s = &l->v[l->n];

		if (targets_find_named(&names, s,
				       n ? args->positional[l->n] : NULL,
				       err) == 0) {
			if (check_new(l, s, err) == 0)
				continue;
			session_finish(s);
		}
		session_list_finish(l);
		return -1;
	}
	return 0;
}

int targets_each(const struct args *args, targets_fn *fn, struct err *err)
{
	_session_names_ struct session_names names = {0};
	bool failed = false;
	int rc = 0;

	if (session_names_load(&names, err) < 0)
		return -1;
	for (size_t i = 0; i < args_sessions(args); i++) {
		struct err why = {0};
		struct session s;

		rc = targets_find_named(&names, &s, args->positional[i], &why);
		if (rc == 0) {
			rc = fn(&s, args, &why);
			session_finish(&s);
		}
		if (rc < 0) {
			output_one_failed(failed ? -1 : 0, &why, err);
			failed = true;
		}
	}
	return failed ? -1 : rc;
}

/* Returns whether the caller runs in this session. */
static bool is_own(const struct session *s)
{
	const char *self = getenv("AF_SESSION_ID");

	return self && strcmp(self, s->spec.id) == 0;
}

/* group NULL: all running sessions. */
struct meant {
	const char *here, *group;
};

static bool is_meant(const struct session *s, const void *ctx)
{
	const struct meant *m = ctx;

	if (!session_is_here(s, m->here) || is_own(s))
		return false;
	if (!m->group)
		return s->alive && s->state.phase == PHASE_RUNNING;
	return strv_has(&s->groups, m->group);
}

static int err_no_target(const char *group, struct err *err)
{
	if (!group)
		return err_set(err, ERR_NO_SESSION,
			       "--all: no session of this repository runs");
	err_set(err, ERR_NO_SESSION,
		"--group: no other session of this repository is in group "
		"'%s'",
		group);
	return err_hint(err, "`afw group` lists the groups");
}

/* group NULL: by --all. */
static int find_by_option(struct session_list *l, const char *group,
			  struct err *err)
{
	char *here = session_repository_here();

	if (!here) {
		err_set(err, ERR_FAILED,
			"--%s: this is not in a git repository",
			group ? "group" : "all");
		return err_hint(err, "go to one, or name the sessions");
	}
	if (session_list_load(l, err) < 0) {
		free(here);
		return -1;
	}
	session_list_filter(l, is_meant,
			    &(struct meant){.here = here, .group = group});
	free(here);
	if (l->n > 0)
		return 0;
	session_list_finish(l);
	return err_no_target(group, err);
}

int targets_find_group(struct session_list *l, const char *group,
		       struct err *err)
{
	*l = (struct session_list){0};
	return find_by_option(l, group, err);
}

int targets_find(struct session_list *l, const struct args *args, size_t n,
		 struct err *err)
{
	const char *group = args_value(args, "group");

	*l = (struct session_list){0};
	if (args_has(args, "all"))
		return find_by_option(l, NULL, err);
	if (!group)
		return find_by_name(l, args, n, err);
	return find_by_option(l, group, err);
}

/* Appends the command, with "--" after n names. */
static void add_command(struct buf *line, const struct args *args, size_t n)
{
	buf_adds(line, "`afw send");
	for (size_t i = 0; i < args->n_given; i++) {
		buf_addf(line, " --%s", args->given[i].option->name);
		if (args->given[i].value) {
			buf_addc(line, ' ');
			words_quote_shown(args->given[i].value, line);
		}
	}
	for (size_t i = 0; i < args->n; i++) {
		buf_adds(line, i == n ? " -- " : " ");
		words_quote_shown(args->positional[i], line);
	}
	buf_addc(line, '`');
}

int targets_check_text(const struct args *args, struct err *err)
{
	char *here = session_repository_here();
	struct session_list l = {0};
	struct buf line = {0};
	size_t n = 1;
	int rc = session_list_load_board(&l, err);

	while (rc == 0 && here && n + 1 < args->n &&
	       strcmp(args->positional[n], args->positional[n - 1]) != 0 &&
	       session_list_named(&l, here, args->positional[n]))
		n++;
	if (n > 1) {
		add_command(&line, args, n);
		buf_adds(&line, " sends to all of them; ");
		add_command(&line, args, 1);
		buf_adds(&line, " sends to the first alone");
		rc = err_set(err, ERR_USAGE,
			     "send: '%.64s' is a session, too: is it part of "
			     "the text?",
			     args->positional[1]);
		err_hint(err, "%s",
			 line.len < sizeof err->hint
			     ? line.data
			     : "put -- between the names and the text");
	}
	buf_finish(&line);
	session_list_finish(&l);
	free(here);
	return rc;
}

/* -- checks that the agent is idle ----------------------------------------- */

static bool is_busy(const struct session *s)
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

int targets_check_idle(const struct session *s, const char *what,
		       struct err *err)
{
	const char *name = s->spec.name;

	if (s->broken)
		return err_set(err, ERR_FAILED,
			       "%s '%s': its files cannot be read: %s", what,
			       name, s->state.error_reason);
	if (spec_check_checkout(&s->spec, err) < 0)
		return err_prefix(err, "%s '%s'", what, name);
	if (!is_busy(s))
		return 0;
	err_set(err, ERR_REFUSED, "%s '%s': it is not done (%s)", what, name,
		session_status_word(s));
	return s->state.activity == ACTIVITY_WAITING_FOR_INPUT
		   ? session_hint_answer(&s->spec, err)
		   : err_hint(err, "`afw wait %s` waits for it", name);
}

int targets_check_own(const struct session *s, const char *what,
		      struct err *err)
{
	if (!s->broken && spec_check_own(&s->spec, err) < 0)
		return err_prefix(err, "%s '%s'", what, s->spec.name);
	return targets_check_idle(s, what, err);
}

static int check_one(const struct session *s, const char *branch,
		     struct err *err)
{
	if (!s->spec.private_git && !is_busy(s))
		return 0;
	err_set(err, ERR_REFUSED, "%s is the branch of session '%s', which %s",
		branch, s->spec.name,
		is_busy(s) ? "is not done"
			   : "would not see in its sandbox what is put there");
	return err_hint(err, "another branch: --into BRANCH");
}

int targets_check_branch(const struct session *s, const char *branch,
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

int targets_hint_check(const struct session *s, struct err *err)
{
	return err_hint(err,
			"`afw logs --service check %s` shows what it printed",
			s->spec.name);
}

int targets_err_failed(const struct session *s, const char *what,
		       struct err *err)
{
	const char *name = s->spec.name;
	_buf_ struct buf why = {0};

	session_message(s, &why);
	err_set(err, ERR_REFUSED, "%s '%s': %s failed%s%s", what, name,
		s->state.phase == PHASE_RUNNING ? "its turn" : "it has",
		why.len ? ": " : "", why.len ? why.data : "");
	return s->state.phase == PHASE_RUNNING
		   ? err_hint(err, "`afw attach %s` shows it", name)
		   : err_hint(err, "`afw retry %s` starts it again", name);
}

int targets_check_passed(const struct session *s, const char *what,
			 struct err *err)
{
	const char *name = s->spec.name, *check = s->state.check;

	if (check && strcmp(check, "passed") == 0)
		return 0;
	if (s->spec.check.n == 0) {
		err_set(err, ERR_REFUSED, "%s '%s': it has no check", what,
			name);
		return err_hint(err, "check in afw.ini(5) is the command that "
				     "shows whether the work is good");
	}
	if (check && strcmp(check, "failed") == 0) {
		err_set(err, ERR_REFUSED, "%s '%s': its check failed", what,
			name);
		return targets_hint_check(s, err);
	}
	if (s->state.activity == ACTIVITY_FAILED)
		return targets_err_failed(s, what, err);
	return err_set(err, ERR_REFUSED, "%s '%s': its check %s", what, name,
		       check ? "is still running"
			     : "has not run since its last turn");
}
