/*
 * trash.c - afw trash: what `afw rm --trash` has put aside.
 *
 * Restore and purge hold the lock in the session's directory, wherever that
 * is at the moment, so that two cannot do both. The worktree goes first: a
 * run that dies between is finished by the same command again.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/json.h"
#include "commands/command.h"
#include "commands/output.h"
#include "session/lock.h"
#include "session/trash.h"
#include "wire/worktree_client.h"

static const struct command_option options[] = {
    {.name = "older-than",
     .arg = "TIME",
     .help = "purge: what was removed so long ago (12h, 30d)"},
    {.name = "yes", .letter = 'y', .help = "purge: do not ask"},
    {.name = "json", .help = "ls: one array of objects"},
    {.name = NULL},
};

static int64_t number(const struct trashed *t, const char *key)
{
	return t->worktree ? json_int(t->worktree, key, 0) : 0;
}

/* -- ls -------------------------------------------------------------------- */

static void list_json(const struct trashed_list *l)
{
	cJSON *all = cJSON_CreateArray();

	for (size_t i = 0; i < l->n; i++) {
		const struct trashed *t = &l->v[i];
		cJSON *o = cJSON_CreateObject();
		struct strv missing = {0};
		char at[CLOCK_RFC3339_SIZE];

		json_set_str(o, "id", t->spec.id);
		json_set_str(o, "name", t->spec.name);
		json_set_str(o, "repository", t->spec.repository);
		json_set_str(o, "worktree", t->spec.worktree);
		json_set_str(o, "branch", t->spec.branch);
		json_set_str(o, "harness", t->spec.harness);
		clock_format(t->removed_at, at);
		json_set_str(o, "removed_at", at);
		if (t->worktree) {
			json_set_str(o, "commit",
				     json_str(t->worktree, "commit"));
			json_set_str(o, "ref", json_str(t->worktree, "ref"));
			json_set_str(o, "trash",
				     json_str(t->worktree, "trash"));
			json_strv(t->worktree, "unsaved", &missing);
			json_set_strv(o, "unsaved", &missing);
			strv_finish(&missing);
		}
		json_set_int(o, "files", number(t, "files"));
		json_set_int(o, "bytes", number(t, "bytes"));
		cJSON_AddItemToArray(all, o);
	}
	output_json(all);
}

static void list(const struct trashed_list *l)
{
	static const char *const titles[] = {"NAME", "REPOSITORY", "AGO",
					     "FILES", "COMMIT"};
	struct table *out = table_create(5);
	int64_t now = clock_wall_ms();
	char text[32];

	for (size_t i = 0; i < 5; i++)
		table_cell(out, titles[i], "");
	table_right(out, 2);
	table_right(out, 3);
	for (size_t i = 0; i < l->n; i++) {
		const struct trashed *t = &l->v[i];

		table_cell(out, t->spec.name, "");
		table_cell(out, t->spec.repository_name, "");
		clock_age(now - t->removed_at, text, sizeof text);
		table_cell(out, text, "");
		snprintf(text, sizeof text, "%lld",
			 (long long)number(t, "files"));
		table_cell(out, text, "");
		snprintf(text, sizeof text, "%.10s",
			 t->worktree ? json_str_or(t->worktree, "commit", "-")
				     : "-");
		table_cell(out, text, "");
	}
	if (l->n)
		table_print(out, output_colour(), output_width());
	else
		puts("the trash is empty");
	table_destroy(out);
}

/* -- finding --------------------------------------------------------------- */

static bool fits(const struct trashed *t, const char *what)
{
	const char *slash = strrchr(what, '/');
	size_t len = strlen(what);

	if (slash)
		return t->spec.repository_name &&
		       strlen(t->spec.repository_name) ==
			   (size_t)(slash - what) &&
		       strncmp(t->spec.repository_name, what,
			       (size_t)(slash - what)) == 0 &&
		       strcmp(t->spec.name, slash + 1) == 0;
	return strcmp(t->spec.name, what) == 0 ||
	       (len >= 6 && strncmp(t->spec.id, what, len) == 0);
}

static const struct trashed *find(const struct trashed_list *l,
				  const char *what, struct err *err)
{
	const struct trashed *found = NULL;

	for (size_t i = 0; i < l->n; i++) {
		if (!fits(&l->v[i], what))
			continue;
		if (found) {
			err_set(err, ERR_CONFLICT,
				"'%.80s' may be any of several in the trash",
				what);
			err_hint(err, "say it by its id (afw trash ls --json)");
			return NULL;
		}
		found = &l->v[i];
	}
	if (!found) {
		err_set(err, ERR_NO_SESSION, "no session '%.80s' in the trash",
			what);
		err_hint(err, "`afw trash ls` lists what there is");
	}
	return found;
}

static cJSON *ask_worktree(const struct trashed *t, const char *op,
			   struct err *err)
{
	cJSON *request = spec_worktree_request(&t->spec, op), *answer;

	json_set_str(request, "id", t->spec.id);
	/* Another may be in its place by now: purge does not touch that. */
	if (strcmp(op, "purge") == 0) {
		cJSON_DeleteItemFromObjectCaseSensitive(request, "dev");
		cJSON_DeleteItemFromObjectCaseSensitive(request, "ino");
	}
	answer = worktree_client_run(request, NULL, NULL, 0, err);
	cJSON_Delete(request);
	return answer;
}

/* -- restore --------------------------------------------------------------- */

static int name_is_free(const struct trashed *t, struct err *err)
{
	struct session_list l;
	int rc = 0;

	if (session_list_glance(&l, err) < 0)
		return -1;
	for (size_t i = 0; rc == 0 && i < l.n; i++)
		if (l.v[i].spec.repository && t->spec.repository &&
		    strcmp(l.v[i].spec.repository, t->spec.repository) == 0 &&
		    strcmp(l.v[i].spec.name, t->spec.name) == 0)
			rc = err_set(err, ERR_CONFLICT,
				     "restore '%s': there is a session of "
				     "that name again",
				     t->spec.name);
	session_list_finish(&l);
	return rc;
}

static int restore(const struct trashed *t, struct err *err)
{
	cJSON *answer = NULL;
	int lock, rc;

	if (name_is_free(t, err) < 0)
		return -1;
	lock = lock_take(t->dir, err);
	if (lock < 0)
		return err_prefix(err, "restore '%s'", t->spec.name);
	rc = 0;
	if (t->worktree) {
		answer = ask_worktree(t, "untrash", err);
		rc = answer ? 0 : -1;
	}
	if (rc == 0)
		rc = trash_take_back(t, err);
	close(lock);
	if (rc < 0)
		return err_prefix(err, "restore '%s'", t->spec.name);
	cJSON_Delete(answer);
	printf("%s: restored", t->spec.name);
	if (t->worktree)
		printf(" in %s", t->spec.worktree);
	putchar('\n');
	return 0;
}

/* -- purge ----------------------------------------------------------------- */

static int purge(const struct trashed *t, struct err *err)
{
	cJSON *answer = NULL;
	int lock = lock_take(t->dir, err), rc = 0;

	if (lock < 0)
		return err_prefix(err, "purge '%s'", t->spec.name);
	/* With the repository its commits are gone; what else there is stays
	 * where it is. */
	if (t->worktree) {
		answer = ask_worktree(t, "purge", err);
		rc = answer ? 0 : -1;
	}
	if (rc == 0)
		rc = trash_delete(t, err);
	close(lock);
	cJSON_Delete(answer);
	if (rc < 0)
		return err_prefix(err, "purge '%s'", t->spec.name);
	printf("%s: purged\n", t->spec.name);
	return 0;
}

static bool is_chosen(const struct trashed *t, const struct args *args,
		      int64_t older_ms)
{
	if (older_ms >= 0)
		return clock_wall_ms() - t->removed_at >= older_ms;
	for (size_t i = 1; i < args->n; i++)
		if (fits(t, args->positional[i]))
			return true;
	return args->n == 1;
}

/* 1: yes, 0: no */
static int confirmed(size_t n, struct err *err)
{
	char answer[16] = "";

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
		err_set(err, ERR_USAGE,
			"trash purge: it deletes for good, and there is no "
			"terminal to ask on");
		return err_hint(err, "--yes if that is what you want");
	}
	printf("Delete %zu session%s with all work in %s for good? [y/N] ", n,
	       n == 1 ? "" : "s", n == 1 ? "it" : "them");
	fflush(stdout);
	return fgets(answer, sizeof answer, stdin) &&
	       (answer[0] == 'y' || answer[0] == 'Y');
}

static int run_purge(const struct trashed_list *l, const struct args *args,
		     struct err *err)
{
	long long older;
	size_t n = 0;
	int rc = 0;

	if (args_duration_ms(args, "older-than", -1, &older, err) < 0)
		return -1;
	if (older >= 0 && args->n > 1)
		return err_set(err, ERR_USAGE,
			       "trash purge: names or --older-than, not both");
	for (size_t i = 1; i < args->n; i++)
		if (!find(l, args->positional[i], err))
			return -1;
	for (size_t i = 0; i < l->n; i++)
		n += is_chosen(&l->v[i], args, older);
	if (n == 0) {
		puts("nothing to purge");
		return 0;
	}
	if (!args_has(args, "yes")) {
		rc = confirmed(n, err);
		if (rc <= 0)
			return rc;
	}
	rc = 0;
	for (size_t i = 0; i < l->n; i++) {
		struct err why = {0};

		if (!is_chosen(&l->v[i], args, older) ||
		    purge(&l->v[i], &why) == 0)
			continue;
		if (rc < 0)
			output_warn("%s", err->what);
		*err = why;
		rc = -1;
	}
	return rc;
}

static int run_restore(const struct trashed_list *l, const struct args *args,
		       struct err *err)
{
	const struct trashed *t;

	if (args->n != 2)
		return err_set(err, ERR_USAGE,
			       "trash restore: which one? (one name)");
	t = find(l, args->positional[1], err);
	return t ? restore(t, err) : -1;
}

static int run(const struct args *args, struct err *err)
{
	const char *what = args->n ? args->positional[0] : "ls";
	struct trashed_list l;
	int rc = 0;

	if (trash_list(&l, err) < 0)
		return -1;
	if (strcmp(what, "restore") == 0) {
		rc = run_restore(&l, args, err);
	} else if (strcmp(what, "purge") == 0) {
		rc = run_purge(&l, args, err);
	} else if (strcmp(what, "ls") != 0 || args->n > 1) {
		err_set(err, ERR_USAGE,
			"trash: '%.40s' is none of ls, "
			"restore, purge",
			what);
		rc = -1;
	} else if (args_has(args, "json")) {
		list_json(&l);
	} else {
		list(&l);
	}
	trash_list_finish(&l);
	return rc;
}

const struct command command_trash = {
    .name = "trash",
    .usage = "[ls | restore NAME | purge [NAME...]]",
    .summary = "list, bring back or delete what rm put aside",
    .completes = "",
    .min_args = 0,
    .max_args = -1,
    .options = options,
    .run = run,
};
