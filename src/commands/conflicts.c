/*
 * conflicts.c - afw conflicts: reports which sessions of a repository change
 * the same lines, early enough to tell an agent, and in which order they can be
 * merged. afw-worktree merges them in memory; nothing is changed.
 */
#include "commands/conflicts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/json.h"
#include "commands/cli/output.h"
#include "commands/cli/targets.h"
#include "commands/command.h"
#include "commands/fetch.h"
#include "commands/launch/host_git.h"
#include "session/session.h"
#include "wire/worktree_client.h"

#define TIMEOUT_MS 120000
#define SHOWN	   5 /* number of common files that are named */

static const struct command_option options[] = {
    {.name = "into",
     .letter = 'i',
     .arg = "BRANCH",
     .help = "the branch to merge into; default: the first one's base branch"},
    {.name = "json", .help = "one object"},
    {.name = NULL},
};

bool conflicts_possible(const struct session *s)
{
	return !s->broken && spec_has_worktree(&s->spec) && s->spec.branch;
}

static bool is_whole_here(const struct session *s, const void *here)
{
	return session_is_here(s, here) && conflicts_possible(s);
}

/* Finds all sessions of a repository; NULL: this one. */
static int find_all(struct session_list *l, const char *repository,
		    struct err *err)
{
	char *here =
	    repository ? mem_strdup(repository) : session_repository_here();

	*l = (struct session_list){0};
	if (!here) {
		err_set(err, ERR_FAILED, "this is not in a git repository");
		return err_hint(err, "go to one, or name the sessions");
	}
	if (session_list_load(l, err) < 0) {
		free(here);
		return -1;
	}
	session_list_filter(l, is_whole_here, here);
	free(here);
	if (l->n > 0)
		return 0;
	return err_set(err, ERR_NO_SESSION,
		       "this repository has no session with a worktree");
}

static int check_named(const struct session_list *l, struct err *err)
{
	for (size_t i = 0; i < l->n; i++) {
		if (!conflicts_possible(&l->v[i]))
			return err_set(err, ERR_FAILED,
				       "'%s' has no worktree of its own that "
				       "can be read",
				       l->v[i].spec.name);
		if (!session_is_here(&l->v[i], l->v[0].spec.repository))
			return err_set(err, ERR_USAGE,
				       "'%s' and '%s' are of two repositories",
				       l->v[0].spec.name, l->v[i].spec.name);
	}
	return 0;
}

cJSON *conflicts_find_with(const struct session_list *l,
			   const char *const *works, const char *into,
			   struct err *err)
{
	_free_ struct conflicts_side *sides = mem_alloc(l->n * sizeof *sides);
	const struct spec *first = &l->v[0].spec;
	struct conflicts_request rq = {.repository = first->repository,
				       .into = into	     ? into
					       : first->base ? first->base
							     : "",
				       .sessions = {sides, l->n}};

	for (size_t i = 0; i < l->n; i++) {
		sides[i] =
		    (struct conflicts_side){.place = spec_place(&l->v[i].spec),
					    .name = l->v[i].spec.name,
					    .work = works ? works[i] : NULL};
		if (l->v[i].spec.with)
			output_warn("%s: conflicts in its other repositories "
				    "are not looked for",
				    l->v[i].spec.name);
		if (!sides[i].work)
			continue;
		sides[i].place.worktree = first->repository;
		sides[i].place.worktree_id = "-";
	}
	return worktree_client_run(conflicts_request(&rq), NULL, NULL,
				   TIMEOUT_MS, err);
}

cJSON *conflicts_find(const struct session_list *l, const char *into,
		      struct err *err)
{
	return conflicts_find_with(l, NULL, into, err);
}

static void add_names(struct buf *out, const cJSON *names, int most)
{
	const cJSON *n;
	int i = 0;

	cJSON_ArrayForEach (n, names) {
		if (i < most)
			buf_addf(out, "%s%s", i ? ", " : "", n->valuestring);
		i++;
	}
	if (i > most)
		buf_addf(out, " and %d more", i - most);
}

static void print_conflict(const cJSON *o, const char *indent)
{
	const cJSON *r;
	struct buf text = {0};

	cJSON_ArrayForEach (r, json_get(o, "lines")) {
		long long from = json_int(r, "from", 0);
		long long to = json_int(r, "to", 0);

		buf_adds(&text, text.len	       ? ", "
				: to > from || r->next ? ", lines "
						       : ", line ");
		if (to > from)
			buf_addf(&text, "%lld-%lld", from, to);
		else
			buf_addf(&text, "%lld", from);
	}
	output_line(stdout, "%s%s: %s%s", indent, json_str_or(o, "path", ""),
		    json_str_or(o, "what", ""), text.len ? text.data : "");
	buf_finish(&text);
}

void conflicts_print(const cJSON *conflicts, const char *indent)
{
	const cJSON *o;

	cJSON_ArrayForEach (o, conflicts)
		print_conflict(o, indent);
}

static void print_pair(const cJSON *o)
{
	const cJSON *found = json_get(o, "conflicts");
	int n = cJSON_GetArraySize(found);
	struct buf files = {0};

	if (n > 0) {
		output_line(stdout, "%s conflicts with %s%s",
			    json_str_or(o, "a", ""),
			    json_bool(o, "base", false) ? "the branch " : "",
			    json_str_or(o, "b", ""));
		conflicts_print(found, "  ");
	} else if (!json_bool(o, "base", false)) {
		add_names(&files, json_get(o, "files"), SHOWN);
		output_line(
		    stdout,
		    "%s and %s change the same files, in other places: %s",
		    json_str_or(o, "a", ""), json_str_or(o, "b", ""),
		    files.data);
	}
	buf_finish(&files);
}

/* Fails if one, the session that was named (NULL: none), was left out. */
static int check_left_out(const cJSON *answer, const char *one, struct err *err)
{
	const cJSON *o;

	cJSON_ArrayForEach (o, json_get(answer, "left_out"))
		if (one && strcmp(json_str_or(o, "name", ""), one) == 0)
			return err_set(err, ERR_FAILED, "'%s': %s", one,
				       json_str_or(o, "why", ""));
	return 0;
}

static void print_left_out(const cJSON *answer)
{
	const cJSON *o;

	cJSON_ArrayForEach (o, json_get(answer, "left_out"))
		output_warn("%s is left out: %s", json_str_or(o, "name", ""),
			    json_str_or(o, "why", ""));
}

static void print(const cJSON *answer)
{
	const cJSON *o, *rest = json_get(answer, "in_the_way"),
			*order = json_get(answer, "order");
	struct buf text = {0};

	cJSON_ArrayForEach (o, json_get(answer, "pairs"))
		print_pair(o);
	if (cJSON_GetArraySize(order)) {
		add_names(&text, order, cJSON_GetArraySize(order));
		output_line(stdout, "can be merged into %s in this order: %s",
			    json_str_or(answer, "into", ""), text.data);
	}
	buf_clear(&text);
	if (cJSON_GetArraySize(rest)) {
		add_names(&text, rest, cJSON_GetArraySize(rest));
		output_line(stdout, "conflict %s%s: %s",
			    cJSON_GetArraySize(order) ? "after that" : "with ",
			    cJSON_GetArraySize(order)
				? ""
				: json_str_or(answer, "into", ""),
			    text.data);
	}
	if (!cJSON_GetArraySize(order) && !cJSON_GetArraySize(rest))
		output_line(stdout, "nothing is changed in any of them");
	buf_finish(&text);
}

/* Removes the pairs without name, and the order, which is for all sessions. */
static void filter_pairs(cJSON *answer, const char *name)
{
	cJSON *pairs = json_get(answer, "pairs");
	int i = 0;

	while (i < cJSON_GetArraySize(pairs)) {
		const cJSON *o = cJSON_GetArrayItem(pairs, i);

		if (strcmp(json_str_or(o, "a", ""), name) == 0 ||
		    (strcmp(json_str_or(o, "b", ""), name) == 0 &&
		     !json_bool(o, "base", false)))
			i++;
		else
			cJSON_DeleteItemFromArray(pairs, i);
	}
	cJSON_DeleteItemFromObjectCaseSensitive(answer, "order");
	cJSON_DeleteItemFromObjectCaseSensitive(answer, "in_the_way");
}

static void print_one(const cJSON *answer, const char *name)
{
	const cJSON *o;
	bool clean = true;

	cJSON_ArrayForEach (o, json_get(answer, "pairs")) {
		print_pair(o);
		clean &= cJSON_GetArraySize(json_get(o, "conflicts")) == 0;
	}
	if (clean)
		output_line(stdout,
			    "%s conflicts with no other session and can be "
			    "merged into %s",
			    name, json_str_or(answer, "into", ""));
}

/* Adds all other sessions of the repository after the named one. */
static int add_others(struct session_list *l, struct err *err)
{
	struct session_list all;
	int rc = find_all(&all, l->v[0].spec.repository, err);

	for (size_t i = 1; rc == 0 && i < all.n; i++)
		if (strcmp(all.v[i].spec.id, l->v[0].spec.id) == 0) {
			struct session first = all.v[0];

			all.v[0] = all.v[i];
			all.v[i] = first;
		}
	session_list_finish(l);
	*l = all;
	return rc;
}

/* Prints the answer, and frees it. one: the session that was named, or NULL. */
static int report(cJSON *answer, const char *one, const struct args *args,
		  struct err *err)
{
	if (answer && one)
		filter_pairs(answer, one);
	if (!answer || check_left_out(answer, one, err) < 0) {
		cJSON_Delete(answer);
		return err_prefix(err, "conflicts");
	}
	if (args_has(args, "json")) {
		cJSON_DeleteItemFromObjectCaseSensitive(answer, "ok");
		output_json(answer);
		return 0;
	}
	print_left_out(answer);
	if (one)
		print_one(answer, one);
	else
		print(answer);
	cJSON_Delete(answer);
	return 0;
}

static int cmd_conflicts(const struct args *args, struct err *err)
{
	_session_list_ struct session_list l = {0};
	_free_ char *one = NULL;
	cJSON *answer = NULL;
	int rc;

	rc = args->n ? targets_find(&l, args, args->n, err)
		     : find_all(&l, NULL, err);
	if (rc == 0 && args->n)
		rc = check_named(&l, err);
	if (rc == 0 && args->n == 1) {
		one = mem_strdup(l.v[0].spec.name);
		rc = add_others(&l, err);
	}
	if (rc == 0)
		answer = conflicts_find(&l, args_value(args, "into"), err);
	return report(answer, one, args, err);
}

/* -- a session of another machine ------------------------------------------ */

/* Puts it before all sessions of its repository here, under the name that lists
 * give it. */
static int list_with(struct session_list *l, struct session *s, struct err *err)
{
	const char *host = getenv("AFW_HOST");
	_free_ char *name = mem_printf(
	    "%s:%s", host && !strchr(host, '/') ? host : "there", s->spec.name);

	if (find_all(l, s->spec.repository, err) < 0) {
		if (err->kind != ERR_NO_SESSION)
			return -1;
		err_clear(err);
	}
	mem_set(&s->spec.name, name);
	l->v = mem_grow(l->v, l->n, sizeof *l->v);
	if (l->n)
		l->v[l->n] = l->v[0];
	l->v[0] = *s;
	l->n++;
	*s = (struct session){0};
	return 0;
}

/* One session there is compared with those of here, and the branch of here. */
static int conflicts_over_host(const struct args *args, const char *url,
			       int *code, struct err *err)
{
	_session_list_ struct session_list l = {0};
	_session_ struct session s = {0};
	_free_ char *work = NULL;
	_free_ const char **works = NULL;
	const char *into;

	if (args->n != 1) {
		host_git_refresh(url);
		return 0;
	}
	*code = fetch_look(&s, args, url, err);
	if (*code == 0 && !fetch_is_ours(&s))
		return 0;
	if (*code == 0)
		*code = fetch_import(&s, url, true, err);
	if (*code != 0)
		return *code < 0 ? -1 : 1;
	into = fetch_into(&s, args, url, err);
	work = into ? host_git_fetch_work(url, s.spec.branch, err) : NULL;
	if (!work || list_with(&l, &s, err) < 0)
		return err_prefix(err, "conflicts");
	works = mem_alloc(l.n * sizeof *works);
	works[0] = work;
	return report(conflicts_find_with(&l, works, into, err),
		      l.v[0].spec.name, args, err) < 0
		   ? -1
		   : 1;
}

const struct command command_conflicts = {
    .name = "conflicts",
    .usage = "[NAME...]",
    .summary = "show which sessions change the same files and lines",
    .completes = "session",
    .max_args = -1,
    .options = options,
    .run = cmd_conflicts,
    .over_host = conflicts_over_host,
};
