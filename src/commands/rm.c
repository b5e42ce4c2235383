/*
 * rm.c - afw rm: removes a session and moves its worktree into the trash. If
 * branches contain all of its work, a background process deletes it there
 * (trash_sweep.c).
 *
 * The session's lock is taken first, so that it cannot be started meanwhile.
 * The worktree is removed before the session's files: if that is refused or
 * fails, the session still exists.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "base/mem.h"
#include "commands/beside.h"
#include "commands/cli/ask.h"
#include "commands/cli/output.h"
#include "commands/command.h"
#include "commands/launch/settings.h"
#include "commands/launch/spares.h"
#include "commands/recount.h"
#include "commands/rm.h"
#include "commands/rm_before.h"
#include "commands/rm_merged.h"
#include "commands/rm_report.h"
#include "commands/rm_worktrees.h"
#include "commands/stop.h"
#include "commands/trash_sweep.h"
#include "commands/try.h"
#include "sandbox/sandbox.h"
#include "session/disk/lock.h"
#include "session/disk/queue.h"
#include "session/disk/store.h"
#include "session/live/connection.h"
#include "wire/worktree_client.h"

#define STOP_MS 15000 /* for the work after the grace period */

static const struct command_option rm_options[] = {
    {.name = "stop", .letter = 's', .help = "stop it without a question"},
    {.name = "trash",
     .letter = 't',
     .help = "keep it in the trash, even if all of it is merged"},
    {.name = "branch",
     .letter = 'b',
     .arg = "WHEN",
     .help = "delete its branch: merged (default), always, never",
     .not_with = "delete-branch keep-branch"},
    {.name = "delete-branch",
     .letter = 'D',
     .help = "delete its branch in any case: --branch always",
     .not_with = "keep-branch"},
    {.name = "keep-branch", .help = "keep its branch: --branch never"},
    {.name = "delete-ignored",
     .help = "do not keep files that git ignores in the trash"},
    {.name = "force", .help = "remove it even if before_rm fails"},
    {.name = "merged", .help = "remove all merged sessions of this repository"},
    {.name = "yes", .letter = 'y', .help = "do not ask (with --merged)"},
    {.name = "json", .help = "print what was removed, one object per line"},
    {.name = NULL},
};

struct rm {
	const struct rm_how *how;
	int64_t keep_ms; /* trash_keep; 0: for ever */
	/* ids of sessions that may have nothing to keep */
	struct strv to_sweep;
};

/* Returns "merged", "always" or "never"; NULL: the options contradict each
 * other. */
static const char *branch_when(const struct args *args, struct err *err)
{
	const char *when = args_value(args, "branch");

	if (args_has(args, "delete-branch"))
		return "always";
	if (args_has(args, "keep-branch"))
		return "never";
	if (!when)
		return "merged";
	if (strcmp(when, "merged") == 0 || strcmp(when, "always") == 0 ||
	    strcmp(when, "never") == 0)
		return when;
	err_set(err, ERR_USAGE,
		"rm: --branch '%.40s' is not one of merged, always, never",
		when);
	return NULL;
}

/* Refuses to remove a session whose files cannot be read. */
static int check_readable(const struct session *s, struct err *err)
{
	if (!s->broken)
		return 0;
	if (s->spec.harness && !s->newer)
		return 0; /* a valid specification is enough */
	err_set(err, ERR_FAILED, "remove '%s': its files cannot be read: %s",
		s->spec.name, s->state.error_reason);
	if (s->newer)
		return err_hint(err, "the newer afw can; its files are in %s",
				s->dir);
	if (!s->damaged)
		return err_hint(err, "that may pass: try again");
	return err_hint(err,
			"to forget it, delete %s; its worktree, if it has "
			"one, stays (`git worktree list`)",
			s->dir);
}

/* Asks before a session is stopped, unless its agent is idle, everything is
 * committed and no message is queued. */
static int confirm_stop(const struct session *s, struct err *err)
{
	const struct state *st = &s->state;
	const char *name = s->spec.name, *with = "",
		   *keeps = "keep unsaved work in the trash";
	bool idle = activity_is_idle(st->activity);
	_free_ char *question = NULL;
	int64_t files = 0;

	/* Nothing runs in it yet, or it is about to end. */
	if (st->phase != PHASE_RUNNING && st->phase != PHASE_STARTING)
		return 0;
	/* The supervisor's counts may be a moment old. */
	if (s->spec.place && !spec_is_scratch(&s->spec))
		keeps = "leave its files as they are";
	else if (idle && spec_has_worktree(&s->spec) &&
		 access(s->spec.worktree, F_OK) == 0)
		files = recount_uncommitted(s);
	if (files != 0)
		with = files > 0 ? ", with uncommitted files"
				 : ", with changes that cannot be counted";
	else if (st->queued)
		with = ", with queued messages";
	else if (idle)
		return 0;
	question = mem_printf("%s is %s%s. Stop and remove it, and %s?", name,
			      session_status_word(s), with, keeps);
	if (ask_possible())
		return ask_yes(question)
			   ? 0
			   : err_set(err, ERR_FAILED,
				     "remove '%s': not confirmed", name);
	err_set(err, ERR_CONFLICT, "remove '%s': it is %s%s", name,
		session_status_word(s), with);
	return err_hint(err, "`afw rm --stop %s` stops and removes it", name);
}

static int make_free(const struct session *s, bool stop, struct err *err)
{
	int fd;

	if (s->alive && ((!stop && confirm_stop(s, err) < 0) ||
			 stop_session(s, REQUEST_STOP, -1, err) < 0))
		return -1;
	beside_end(s);
	fd = lock_acquire(s->dir, err);
	if (fd >= 0 && sandbox_stop(&s->spec, s->state.sandbox,
				    s->spec.stop_timeout_ms, err) < 0) {
		close(fd);
		fd = -1;
	}
	if (fd < 0)
		err_prefix(err, "remove '%s'", s->spec.name);
	return fd;
}

/* Removes a member of o, which may be NULL, and returns its text, or NULL. */
static char *take_text(cJSON *o, const char *key)
{
	cJSON *item = cJSON_DetachItemFromObjectCaseSensitive(o, key);
	char *text =
	    cJSON_IsString(item) ? mem_strdup(item->valuestring) : NULL;

	cJSON_Delete(item);
	return text;
}

/* Returns the work that is only in the trash, for the caller to free; NULL:
 * none. holds, which is taken over: what is so in the worktree. */
static char *find_kept_work(const struct rm *rm, const struct spec *s,
			    const struct trashed_list *l, char *holds,
			    size_t queued)
{
	struct err err;

	for (size_t i = 0; i < l->n && !holds; i++)
		if (strcmp(l->v[i].spec.id, s->id) == 0 && !l->v[i].worktree)
			trash_sweep_check(&l->v[i], rm->how->ignored, &holds,
					  &err);
	if (!holds && queued)
		holds = mem_printf("%zu message%s queued", queued,
				   queued == 1 ? " is" : "s are");
	if (!holds && rm->how->trash)
		holds = mem_strdup(rm->how->trash);
	return holds;
}

/* Before rm returns, so that a restore after it knows. */
static void mark_deleting(const struct trashed_list *l, const char *id)
{
	for (size_t i = 0; i < l->n; i++)
		if (strcmp(l->v[i].spec.id, id) == 0)
			trash_set_deleting(&l->v[i], true);
}

static int rm_session(struct rm *rm, const struct session *s, struct err *err)
{
	CLEANUP(trash_list_finish) struct trashed_list l = {0};
	_json_ cJSON *answer = NULL;
	_free_ char *holds = NULL;
	_close_ int lock = -1;
	bool trash;
	size_t queued;

	if (check_readable(s, err) < 0 || try_check_removable(s, err) < 0)
		return -1;
	lock = make_free(s, rm->how->stop, err);
	if (lock < 0 || rm_run_before(s, rm->how->force, err) < 0)
		return -1;
	queued = queue_count(s->dir);
	answer = rm_worktrees(s, rm->how, err);
	if (!answer && err->kind != ERR_NONE)
		return -1;
	holds = take_text(answer, "holds");
	trash = queued || rm->how->trash ||
		spec_has_scratch_files(&s->spec, s->dir) ||
		(answer ? json_str(answer, "trash") ||
			      json_bool(answer, "entry", false)
			: spec_has_worktree(&s->spec) && s->spec.private_git);
	if ((trash ? trash_add(s, answer, err) : session_remove(s, err)) < 0)
		return err_prefix(err,
				  "remove '%s': its worktree is removed, its "
				  "own files are not",
				  s->spec.name);
	if (trash) {
		trash_list(&l, NULL);
		holds =
		    find_kept_work(rm, &s->spec, &l, TAKE_PTR(holds), queued);
	}
	if (trash && !holds) {
		strv_add(&rm->to_sweep, s->spec.id);
		mark_deleting(&l, s->spec.id);
	}
	(rm->how->json ? rm_report_json : rm_report)(
	    &(struct removed){.s = s,
			      .answer = answer,
			      .queued = queued,
			      .trash = trash ? &l : NULL,
			      .holds = holds,
			      .keep_ms = rm->keep_ms});
	return 0;
}

/* Sends stop to all running sessions at once, so that they end in parallel;
 * each is stopped again, and waited for, when its turn comes. */
static void stop_together(const struct session_list *all)
{
	int64_t grace = 0;

	for (size_t i = 0; i < all->n; i++)
		if (grace < all->v[i].spec.stop_timeout_ms)
			grace = all->v[i].spec.stop_timeout_ms;
	broadcast(all, REQUEST_OF(STOP), grace + STOP_MS, NULL, NULL);
}

/* Finds the sessions; on -1, l has those that were found. */
static int find_sessions(struct session_list *l, const struct args *args,
			 struct err *err)
{
	_session_names_ struct session_names names = {0};
	int rc = 0;

	if (args_has(args, "merged")) {
		rc = rm_merged(l, args, err);
		if (rc < 0)
			session_list_finish(l);
		return rc;
	}
	if (!args->n) {
		err_set(err, ERR_USAGE, "rm: NAME is missing");
		return err_hint(err, "usage: afw rm %s", args->command->usage);
	}
	if (session_names_load(&names, err) < 0)
		return -1;
	l->v = mem_alloc(args->n * sizeof *l->v);
	for (size_t i = 0; i < args->n; i++) {
		struct err why = {0};

		if (session_names_find(&names, &l->v[l->n], args->positional[i],
				       &why) == 0)
			session_wait_settled(&l->v[l->n++]);
		else
			rc = output_one_failed(rc, &why, err);
	}
	return rc;
}

static bool is_beside(const struct session *a, const struct session *b)
{
	return a->spec.repository && b->spec.repository &&
	       strcmp(a->spec.repository, b->spec.repository) == 0;
}

int rm_sessions(const struct session_list *l, const struct rm_how *how,
		struct err *err)
{
	struct rm rm = {.how = how, .keep_ms = settings_trash_keep()};
	int rc = 0;

	if (how->stop && l->n > 1)
		stop_together(l);
	for (size_t i = 0; i < l->n; i++) {
		struct err why = {0};

		if (rm_session(&rm, &l->v[i], &why) < 0)
			rc = output_one_failed(rc, &why, err);
	}
	trash_sweep(&rm.to_sweep, how->ignored, rm.keep_ms);
	strv_finish(&rm.to_sweep);
	for (size_t i = 0; i < l->n; i++)
		if (i + 1 == l->n || !is_beside(&l->v[i], &l->v[i + 1]))
			spares_make(&l->v[i].spec, NULL);
	return rc;
}

static int cmd_rm(const struct args *args, struct err *err)
{
	struct rm_how how = {
	    .when = branch_when(args, err),
	    .stop = args_has(args, "stop"),
	    .trash = args_has(args, "trash") ? "--trash was given" : NULL,
	    .ignored = args_has(args, "delete-ignored"),
	    .force = args_has(args, "force"),
	    .json = args_has(args, "json")};
	_session_list_ struct session_list l = {0};
	struct err why = {0};
	int rc = how.when ? find_sessions(&l, args, err) : -1;

	if (rm_sessions(&l, &how, &why) < 0)
		rc = output_one_failed(rc, &why, err);
	return rc;
}

const struct command command_rm = {
    .name = "rm",
    .usage = "NAME... | --merged",
    .summary = "remove sessions with their worktrees",
    .completes = "session",
    .max_args = -1,
    .options = rm_options,
    .run = cmd_rm,
    .over_host = rm_over_host,
};
