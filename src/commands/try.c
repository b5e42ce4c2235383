/*
 * try.c - afw try: puts a session's state into the main worktree, and what was
 * there before back again.
 *
 * afw-worktree does both, and records it in the main worktree's git directory
 * (tried.h): no session has to be running, or even exist, for the way back.
 */
#include "commands/try.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "commands/cli/output.h"
#include "commands/cli/targets.h"
#include "commands/command.h"
#include "wire/tried.h"
#include "wire/worktree_client.h"

#define SHORT 10 /* digits of a commit's abbreviated id */

static const struct command_option options[] = {
    {.name = "end",
     .letter = 'e',
     .help = "put back what was in the main worktree before"},
    {.name = "json", .help = "print what was done, as an object"},
    {.name = NULL},
};

/* It ends what is in the repository that it runs in. */
static const char *where_to_end(const struct spec *s)
{
	_free_ char *here = session_repository_here();

	return here && strcmp(here, s->repository) == 0 ? "" : ", there,";
}

int try_check_removable(const struct session *s, struct err *err)
{
	_tried_ struct tried t = {0};

	if (!s->spec.repository ||
	    tried_load_of(&t, s->spec.repository, NULL) || !t.session ||
	    strcmp(t.session, s->spec.id) != 0)
		return 0;
	err_set(err, ERR_CONFLICT, "remove '%s': its state is in %s",
		s->spec.name, s->spec.repository);
	return err_hint(err,
			"`afw try --end`%s puts back what was there before",
			where_to_end(&s->spec));
}

void try_hint_all(const struct session_list *l)
{
	_strv_ struct strv seen = {0};

	for (size_t i = 0; i < l->n; i++) {
		const struct spec *s = &l->v[i].spec;
		_tried_ struct tried t = {0};

		if (l->v[i].host || !s->repository ||
		    strv_has(&seen, s->repository))
			continue;
		strv_add(&seen, s->repository);
		if (tried_load_of(&t, s->repository, NULL) == 0 && t.session)
			output_hint("%s has the state of %s: `afw try --end`, "
				    "there, puts back what was there before",
				    s->repository, t.name);
	}
}

/* -- in ---------------------------------------------------------------------
 */

/* An agent that works there would have its files replaced. */
static int check_alone(const struct session *s, struct err *err)
{
	_session_list_ struct session_list l = {0};
	const struct session *other;

	if (session_list_load(&l, err) < 0)
		return -1;
	other = session_list_at(&l, s->spec.repository, "");
	if (!other)
		return 0;
	err_set(err, ERR_CONFLICT, "session '%s' works in %s", other->spec.name,
		s->spec.repository);
	return err_hint(err, "`afw rm %s` leaves its files as they are",
			other->spec.name);
}

static void print_left_alone(const cJSON *answer)
{
	const cJSON *p;

	cJSON_ArrayForEach (p, json_get(answer, "left_alone"))
		output_line(stdout, "  left alone %s", p->valuestring);
}

static void print_json(cJSON *answer)
{
	cJSON_DeleteItemFromObjectCaseSensitive(answer, "ok");
	output_json(answer);
}

static int begin_try(const struct args *args, const struct session *s,
		     struct err *err)
{
	struct try_request rq = {.place = spec_place(&s->spec),
				 .id = s->spec.id,
				 .name = s->spec.name};
	_json_ cJSON *answer = NULL;
	const cJSON *f;

	if (spec_check_single(&s->spec, "try", err) < 0 ||
	    spec_check_own(&s->spec, err) < 0 || check_alone(s, err) < 0)
		return -1;
	answer = worktree_client_run(try_request(&rq), NULL, NULL, 0, err);
	if (!answer)
		return -1;
	if (json_str(answer, "harvest"))
		output_warn("%s", json_str(answer, "harvest"));
	cJSON_ArrayForEach (f, json_get(answer, "left_out"))
		output_warn("%s: left out: %s", s->spec.name, f->valuestring);
	if (args_has(args, "json")) {
		json_set_str(answer, "name", s->spec.name);
		json_set_str(answer, "repository", s->spec.repository);
		print_json(TAKE_PTR(answer));
		return 0;
	}
	output_line(stdout, "%s: its state is in %s now, as the commit %.*s%s",
		    s->spec.name, s->spec.repository, SHORT,
		    json_str_or(answer, "commit", ""),
		    json_bool(answer, "uncommitted", false)
			? ", which has its uncommitted changes"
			: "");
	print_left_alone(answer);
	output_hint("`afw try --end`%s puts back what was there, and brings "
		    "what you edit there into %s",
		    where_to_end(&s->spec), s->spec.name);
	return 0;
}

static int try_session(const struct args *args, struct err *err)
{
	const char *name = args->n ? args->positional[0] : NULL;
	struct session s;
	int rc;

	if (targets_find_one(&s, name, err) < 0)
		return -1;
	rc = begin_try(args, &s, err);
	if (rc < 0)
		err_prefix(err, "try '%s'", s.spec.name);
	session_finish(&s);
	return rc;
}

/* -- and back ----------------------------------------------------------------
 */

static void print_edited(const cJSON *answer)
{
	const char *name = json_str_or(answer, "name", "");
	const cJSON *p, *all = json_get(answer, "edited");
	int n = cJSON_GetArraySize(all);

	if (n)
		output_line(stdout, "%s: %d file%s edited there %s now in it",
			    name, n, n == 1 ? "" : "s", n == 1 ? "is" : "are");
	cJSON_ArrayForEach (p, all)
		output_line(stdout, "  %s", p->valuestring);
}

static void print_end(const char *repository, const cJSON *answer)
{
	const char *branch = json_str(answer, "branch"),
		   *moved = json_str(answer, "moved");
	_free_ char *now = branch ? mem_printf("on %s", branch)
				  : mem_printf("at %.*s", SHORT,
					       json_str_or(answer, "head", ""));

	print_edited(answer);
	if (json_bool(answer, "restored", false))
		output_line(stdout, "%s: as before, %s", repository, now);
	else
		output_line(stdout, "%s: is %s already, and is left as it is",
			    repository, now);
	print_left_alone(answer);
	if (moved)
		output_hint("%s was moved meanwhile: `git -C %s switch %s` "
			    "checks it out",
			    moved, repository, moved);
}

/* Finds the session whose state is in the main worktree; -1: there is none. */
static int find_tried(struct session *s, const char *repository,
		      struct err *err)
{
	_session_list_ struct session_list l = {0};
	_tried_ struct tried t = {0};
	int rc;

	if (tried_load_of(&t, repository, err) < 0)
		return -1;
	if (!t.session) {
		err_set(err, ERR_FAILED, "%s has the state of no session",
			repository);
		return err_hint(err, "`afw try NAME` puts one there");
	}
	rc = session_list_load(&l, err);
	for (size_t i = 0; rc == 0 && i < l.n; i++)
		if (strcmp(l.v[i].spec.id, t.session) == 0) {
			*s = l.v[i];
			l.v[i] = (struct session){0};
			return 0;
		}
	return rc;
}

static int end_try(const struct args *args, const char *repository,
		   struct err *err)
{
	struct session s = {0};
	struct try_end_request rq = {.repository = repository};
	struct repo_place place;
	cJSON *answer;

	if (find_tried(&s, repository, err) < 0)
		return -1;
	if (s.spec.name) {
		place = spec_place(&s.spec);
		rq.session = &place;
	}
	answer = worktree_client_run(try_end_request(&rq), NULL, NULL, 0, err);
	session_finish(&s);
	if (!answer)
		return -1;
	if (args_has(args, "json")) {
		json_set_str(answer, "repository", repository);
		print_json(answer);
		return 0;
	}
	print_end(repository, answer);
	cJSON_Delete(answer);
	return 0;
}

static int cmd_try(const struct args *args, struct err *err)
{
	_free_ char *repository = NULL;

	if (!args_has(args, "end"))
		return try_session(args, err);
	if (args->n)
		return err_set(err, ERR_USAGE,
			       "try: either a session or --end, not both");
	repository = session_repository_here();
	if (!repository) {
		err_set(err, ERR_FAILED,
			"try --end: this is not in a repository");
		return err_hint(err, "`afw ls` names the main worktrees "
				     "that have the state of a session");
	}
	return end_try(args, repository, err) < 0 ? err_prefix(err, "try --end")
						  : 0;
}

/* The main worktree of here can have only what is here. */
static int over_host(const struct args *args, const char *url, int *code,
		     struct err *err)
{
	(void)url, (void)code;
	if (args_has(args, "end"))
		return 0;
	err_set(err, ERR_REFUSED, "try: the session is on another machine");
	return err_hint(err, "`afw fetch HOST:NAME` makes a branch of its "
			     "work here");
}

const struct command command_try = {
    .name = "try",
    .usage = "[NAME] | --end",
    .summary = "put a session's state into the main worktree",
    .completes = "session",
    .max_args = 1,
    .options = options,
    .run = cmd_try,
    .over_host = over_host,
};
