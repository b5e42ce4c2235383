/*
 * rm.c - afw rm: takes a session away with its worktree, but never work:
 * what nothing else has goes to the trash.
 *
 * The session's lock is taken first, so that nobody starts it meanwhile. The
 * worktree goes before the session's files: where it is refused or fails,
 * the session is still there to say so.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "base/mem.h"
#include "commands/command.h"
#include "commands/output.h"
#include "commands/stop.h"
#include "session/lock.h"
#include "session/orphans.h"
#include "session/queue.h"
#include "session/remove.h"
#include "session/trash.h"
#include "wire/worktree_client.h"

static const struct command_option options[] = {
    {.name = "stop", .letter = 's', .help = "stop it first if it runs"},
    {.name = "trash",
     .letter = 't',
     .help = "put it in the trash, even if all of it is merged"},
    {.name = "branch",
     .letter = 'b',
     .arg = "WHEN",
     .help = "delete its branch: merged (default), always, never"},
    {.name = "delete-branch",
     .letter = 'D',
     .help = "delete its branch in any case: --branch always"},
    {.name = "keep-branch", .help = "keep its branch: --branch never"},
    {.name = "delete-ignored",
     .help = "files that git ignores are not worth the trash"},
    {.name = "json", .help = "what was removed, one object a line"},
    {.name = NULL},
};

/* "merged", "always" or "never"; NULL: what was given makes no sense. */
static const char *branch_when(const struct args *args, struct err *err)
{
	const char *when = args_value(args, "branch");
	int given = (when != NULL) + args_has(args, "delete-branch") +
		    args_has(args, "keep-branch");

	if (given > 1) {
		err_set(err, ERR_USAGE,
			"rm: --branch, --delete-branch and "
			"--keep-branch exclude each other");
		return NULL;
	}
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
		"rm: --branch '%.40s' is none of merged, "
		"always, never",
		when);
	return NULL;
}

/* What must not be removed, because nobody can tell what it is. */
static int check_readable(const struct session *s, struct err *err)
{
	if (!s->broken)
		return 0;
	if (s->spec.harness && !s->newer)
		return 0; /* the specification is whole: that is enough */
	err_set(err, ERR_FAILED, "remove '%s': its files cannot be read: %s",
		s->spec.name, s->state.error_reason);
	if (s->newer)
		return err_hint(err, "the newer afw can; its files are in %s",
				s->dir);
	return err_hint(err,
			"to forget it, delete %s; its worktree, if it has "
			"one, stays (`git worktree list`)",
			s->dir);
}

static int make_free(const struct session *s, bool stop, struct err *err)
{
	int fd;

	if (s->alive && !stop) {
		err_set(err, ERR_CONFLICT, "remove '%s': it runs (%s)",
			s->spec.name, session_word(s));
		err_hint(err, "`afw stop %s` first, or `afw rm --stop %s`",
			 s->spec.name, s->spec.name);
		return -1;
	}
	if (s->alive && stop_session(s, "stop", -1, err) < 0)
		return -1;
	fd = lock_take(s->dir, err);
	if (fd >= 0 &&
	    orphans_end(s->spec.id, s->spec.stop_timeout_ms, err) < 0) {
		close(fd);
		fd = -1;
	}
	if (fd < 0)
		err_prefix(err, "remove '%s'", s->spec.name);
	return fd;
}

static bool is_gone(const char *path)
{
	return access(path, F_OK) < 0 && (errno == ENOENT || errno == ENOTDIR);
}

/* Of afw-worktree's words only that it failed is of use then. */
static int without_repository(const struct session *s, struct err *err)
{
	err_set(err, ERR_FAILED, "remove '%s': its repository %.200s is gone",
		s->spec.name, s->spec.repository);
	return err_hint(err,
			"put it back; or, to forget the session, move its "
			"worktree %.200s away and `afw rm %s` again",
			s->spec.worktree, s->spec.name);
}

/* NULL and err->kind ERR_NONE: there was nothing to remove. */
static cJSON *remove_worktree(const struct session *s, const struct args *args,
			      const char *when, bool trash, struct err *err)
{
	cJSON *request, *answer;

	err_clear(err);
	if (!spec_has_worktree(&s->spec))
		return NULL;
	/* The whole repository may have been deleted with its worktrees. */
	if (is_gone(s->spec.repository) && is_gone(s->spec.worktree))
		return NULL;
	request = spec_worktree_request(&s->spec, "remove");
	json_set_bool(request, "trash", trash);
	json_set_str(request, "id", s->spec.id);
	json_set_str(request, "delete_branch", when);
	json_set_bool(request, "keep_ignored",
		      !args_has(args, "delete-ignored"));
	answer = worktree_client_run(request, NULL, NULL, 0, err);
	cJSON_Delete(request);
	if (!answer && is_gone(s->spec.repository))
		without_repository(s, err);
	else if (!answer)
		err_prefix(err, "remove '%s'", s->spec.name);
	return answer;
}

static void say_kept(const cJSON *answer)
{
	const char *what = json_str(answer, "saved");

	printf("; kept in the trash: %s%s%lld file%s in commit %.10s%s",
	       what ? what : "", what ? " (" : "",
	       (long long)json_int(answer, "files", 0),
	       json_int(answer, "files", 0) == 1 ? "" : "s",
	       json_str_or(answer, "commit", "?"), what ? ")" : "");
}

/* The last line: the dashboard shows that one. */
static void say_way_back(const struct session *s)
{
	struct trashed_list l;
	struct err err;
	size_t same = 0;

	trash_list(&l, &err);
	for (size_t i = 0; i < l.n; i++)
		same += strcmp(l.v[i].spec.name, s->spec.name) == 0;
	trash_list_finish(&l);
	printf("%s is in the trash: `afw trash restore %.*s` brings it back\n",
	       s->spec.name, same > 1 ? 8 : (int)SPEC_NAME_MAX,
	       same > 1 ? s->spec.id : s->spec.name);
}

static void warn(const struct session *s, const cJSON *answer)
{
	struct strv missing = {0};
	const cJSON *w;

	json_strv(answer, "unsaved", &missing);
	for (size_t i = 0; i < missing.n && i < 5; i++)
		output_warn("%s: %.300s is in no commit, only in the "
			    "directory %s",
			    s->spec.name, missing.v[i],
			    json_str_or(answer, "trash", ""));
	strv_finish(&missing);
	cJSON_ArrayForEach (
	    w, cJSON_GetObjectItemCaseSensitive(answer, "warnings"))
		if (cJSON_IsString(w))
			output_warn("%s", w->valuestring);
}

static void say(const struct session *s, const cJSON *answer, bool trash,
		size_t queued)
{
	const char *kept = answer ? json_str(answer, "kept") : NULL;

	printf("%s: removed", s->spec.name);
	if (answer && json_bool(answer, "branch_deleted", false))
		printf(", with its branch %s", s->spec.branch);
	else if (kept && s->spec.branch)
		printf("; branch %s stays: %s", s->spec.branch, kept);
	if (!spec_has_worktree(&s->spec))
		printf("; it had no worktree");
	else if (!answer)
		printf("; its repository was gone already");
	else if (json_bool(answer, "missing", false))
		printf("; its worktree was gone already");
	if (answer && json_str(answer, "trash"))
		say_kept(answer);
	if (queued)
		printf("; %zu message%s that waited %s kept with it", queued,
		       queued == 1 ? "" : "s", queued == 1 ? "is" : "are");
	putchar('\n');
	if (trash)
		say_way_back(s);
	if (answer)
		warn(s, answer);
}

static void say_json(const struct session *s, cJSON *answer, size_t queued)
{
	cJSON *o = answer ? answer : cJSON_CreateObject();

	cJSON_DeleteItemFromObjectCaseSensitive(o, "ok");
	json_set_str(o, "id", s->spec.id);
	json_set_str(o, "name", s->spec.name);
	json_set_bool(o, "removed", true);
	json_set_int(o, "queued", (int64_t)queued);
	output_json(o);
}

static int rm_session(const struct session *s, const struct args *args,
		      const char *when, struct err *err)
{
	bool trash = args_has(args, "trash"), saved;
	cJSON *answer = NULL;
	int lock, rc = -1;
	size_t queued;

	if (check_readable(s, err) < 0)
		return -1;
	lock = make_free(s, args_has(args, "stop"), err);
	if (lock < 0)
		return -1;
	/* A message is no less somebody's work than a file. */
	queued = queue_count(s->dir);
	trash = trash || queued > 0;
	answer = remove_worktree(s, args, when, trash, err);
	if (!answer && err->kind != ERR_NONE)
		goto out;
	saved = answer && json_str(answer, "trash");
	trash = trash || saved;
	if ((trash ? trash_put(s, saved ? answer : NULL, err)
		   : session_remove(s, err)) < 0) {
		err_prefix(err,
			   "remove '%s': its worktree is removed, its "
			   "own files are not",
			   s->spec.name);
		goto out;
	}
	rc = 0;
	if (!args_has(args, "json")) {
		say(s, answer, trash, queued);
	} else {
		say_json(s, answer, queued);
		answer = NULL;
	}
out:
	cJSON_Delete(answer);
	close(lock);
	return rc;
}

static int run(const struct args *args, struct err *err)
{
	const char *when = branch_when(args, err);
	int rc = 0;

	if (!when)
		return -1;
	for (size_t i = 0; i < args->n; i++) {
		struct err why = {0};
		struct session s;
		int r = session_find(&s, args->positional[i], &why);

		if (r == 0) {
			session_settle(&s);
			r = rm_session(&s, args, when, &why);
			session_finish(&s);
		}
		if (r == 0)
			continue;
		rc = output_one_failed(rc, &why, err);
	}
	return rc;
}

const struct command command_rm = {
    .name = "rm",
    .usage = "NAME...",
    .summary = "remove stopped sessions with their worktrees",
    .completes = "session",
    .min_args = 1,
    .max_args = -1,
    .options = options,
    .run = run,
};
