/*
 * land_plan.c - the plan of a landing: the sessions whose work is finished and
 * is not in the branch yet, in the order of `afw conflicts`, those last that
 * conflict with one before. A session that continues another comes after it.
 */
#include <stdlib.h>
#include <string.h>

#include "base/git_program.h"
#include "base/gitfile.h"
#include "base/json.h"
#include "commands/cli/output.h"
#include "commands/cli/targets.h"
#include "commands/conflicts.h"
#include "commands/land/land.h"
#include "commands/recount.h"
#include "wire/worktree_client.h"

#define COMMITS "--max-count=1000"

/* -- which sessions -------------------------------------------------------- */

/* What lands has been checked in one repository. */
static bool is_here(const struct session *s, const void *here)
{
	if (!session_is_here(s, here) || !conflicts_possible(s))
		return false;
	if (s->spec.with)
		output_warn("%s works in several repositories, and does not "
			    "land: `afw merge %s`",
			    s->spec.name, s->spec.name);
	return !s->spec.with;
}

static int refuse_repository(const struct session *s,
			     const struct session *first, struct err *err)
{
	err_set(err, ERR_USAGE, "'%s' is of another repository than '%s'",
		s->spec.name, first->spec.name);
	return err_hint(err, "land those of one repository at a time");
}

static int find_sessions(struct land *l, struct err *err)
{
	_free_ char *here = NULL;

	if (l->args->n) {
		if (targets_find(&l->all, l->args, l->args->n, err) < 0)
			return -1;
		for (size_t i = 0; i < l->all.n; i++) {
			const struct session *s = &l->all.v[i];

			if (spec_check_single(&s->spec, "land", err) < 0) {
				err_hint(err,
					 "`afw merge %s` merges it in all of "
					 "them",
					 s->spec.name);
				return err_prefix(err, "'%s'", s->spec.name);
			}
			if (!conflicts_possible(s))
				return err_set(err, ERR_USAGE,
					       "'%s' has no worktree of its "
					       "own",
					       s->spec.name);
			if (!session_is_here(s, l->all.v[0].spec.repository))
				return refuse_repository(s, &l->all.v[0], err);
		}
		return 0;
	}
	here = session_repository_here();
	if (!here) {
		err_set(err, ERR_FAILED, "this is not in a git repository");
		return err_hint(err, "go to one, or name the sessions");
	}
	if (session_list_load(&l->all, err) < 0)
		return -1;
	session_list_filter(&l->all, is_here, here);
	return l->all.n ? 0
			: err_set(err, ERR_NO_SESSION,
				  "this repository has no session with a "
				  "worktree");
}

/* Returns whether the branch is a session's of this repository. */
static bool is_of_session(const struct land *l, const char *branch)
{
	return strv_has(&l->branches, branch);
}

/* Also of sessions that were not named. */
static int find_branches(struct land *l, struct err *err)
{
	_session_list_ struct session_list every = {0};

	if (session_list_load(&every, err) < 0)
		return -1;
	for (size_t i = 0; i < every.n; i++)
		if (every.v[i].spec.branch &&
		    session_is_here(&every.v[i], l->all.v[0].spec.repository))
			strv_add(&l->branches, every.v[i].spec.branch);
	return 0;
}

/* A session that was started after another has that one's branch as its base.
 */
static int find_into(struct land *l, struct err *err)
{
	const char *into = args_value(l->args, "into");

	for (size_t i = 0; !into && i < l->all.n; i++)
		if (l->all.v[i].spec.base &&
		    !is_of_session(l, l->all.v[i].spec.base))
			into = l->all.v[i].spec.base;
	if (!into)
		return err_set(err, ERR_USAGE,
			       "into which branch? --into BRANCH");
	mem_set(&l->into, into); /* sessions are read again */
	l->how.into = l->into;
	return 0;
}

static int list_commits(struct landing *p, const char *into, struct err *err)
{
	_free_ char *git = gitfile_dir(p->s->spec.repository),
		    *branch = mem_printf("refs/heads/%s", p->s->spec.branch),
		    *not = mem_printf("^refs/heads/%s", into);
	const char *args[] = {"rev-list", "--topo-order", COMMITS, branch, not,
			      NULL};
	_buf_ struct buf text = {0};
	char *save = NULL;

	buf_adds(&text, "");
	if (git_program_read(git, args, &text, NULL) < 0) {
		err_set(err, ERR_USAGE,
			"it cannot be compared with '%s', which must be a "
			"branch",
			into);
		return err_hint(err, "`git branch` lists them");
	}
	for (char *id = strtok_r(text.data, "\n", &save); id;
	     id = strtok_r(NULL, "\n", &save))
		strv_add(&p->commits, id);
	return 0;
}

/* -- which are left out -----------------------------------------------------
 */

static void check_counts(const struct land *l, struct landing *p)
{
	int64_t n = p->s->state.counts.uncommitted;

	if (n <= 0)
		return;
	p->uncommitted = args_has(l->args, "commit");
	if (!p->uncommitted)
		land_leave_out(p, "%lld file%s not committed (--commit)",
			       (long long)n, n == 1 ? " is" : "s are");
}

/* Without a name only work that is known to be good is taken. */
static void check_state(const struct land *l, struct landing *p)
{
	const struct state *st = &p->s->state;
	struct err why;

	if (targets_check_idle(p->s, "land", &why) < 0)
		land_leave_out(p, "it is not done (%s)",
			       session_status_word(p->s));
	else if (l->args->n == 0 && st->check &&
		 strcmp(st->check, "failed") == 0)
		land_leave_out(p, "its check failed");
	else if (l->args->n == 0 && session_urgency(p->s) == WORD_FAILED)
		land_leave_out(p, "it failed");
	else
		check_counts(l, p);
}

static bool has_base(const struct land *l, const struct session *s)
{
	return args_has(l->args, "into") ||
	       (s->spec.base && (strcmp(s->spec.base, l->how.into) == 0 ||
				 is_of_session(l, s->spec.base)));
}

/* Adds the session if it has work, or was named. */
static int add(struct land *l, struct session *s, struct err *err)
{
	struct landing *p = &l->v[l->n];

	*p = (struct landing){.s = s};
	if (strcmp(s->spec.branch, l->how.into) == 0)
		return 0;
	if (args_has(l->args, "wait"))
		land_wait(s, args_duration_ms(l->args, "timeout", LAND_TURN_MS),
			  0);
	if (s->broken) /* removed meanwhile */
		return l->args->n
			   ? err_set(err, ERR_NO_SESSION,
				     "'%s' was removed meanwhile", s->spec.name)
			   : 0;
	recount_read(s);
	if (list_commits(p, l->how.into, err) < 0 ||
	    (l->n == 0 && targets_check_branch(s, l->how.into, err) < 0) ||
	    candidate_check_load(&p->check, s, err) < 0) {
		landing_finish(p);
		return err_prefix(err, "'%s'", s->spec.name);
	}
	l->n++;
	if (s->state.counts.merged > 0)
		strv_finish(&p->commits); /* copies of them, or all as one */
	if (p->commits.n == 0 && s->state.counts.uncommitted <= 0)
		land_leave_out(p, "it has nothing that %s lacks", l->how.into);
	else if (!has_base(l, s))
		land_leave_out(p, "it was made from %s",
			       s->spec.base ? s->spec.base : "a commit");
	else
		check_state(l, p);
	if (!l->args->n && p->commits.n == 0 &&
	    s->state.counts.uncommitted <= 0) {
		l->n--;
		strv_finish(&p->commits);
		candidate_check_finish(&p->check);
		free(p->why);
	}
	return 0;
}

/* -- the order ---------------------------------------------------------------
 */

static struct landing *find(const struct land *l, const char *name)
{
	for (size_t i = 0; i < l->n; i++)
		if (strcmp(l->v[i].s->spec.name, name) == 0)
			return &l->v[i];
	return NULL;
}

static void add_against(struct landing *p, const char *other, bool base,
			const cJSON *conflicts)
{
	strv_addf(&p->against, "%s%s in %s", base ? "the branch " : "", other,
		  json_str_or(cJSON_GetArrayItem(conflicts, 0), "path", "?"));
}

static void store_pairs(struct land *l, const cJSON *answer)
{
	const cJSON *o;

	cJSON_ArrayForEach (o,
			    cJSON_GetObjectItemCaseSensitive(answer, "pairs")) {
		const char *a = json_str_or(o, "a", ""),
			   *b = json_str_or(o, "b", "");
		bool base = json_bool(o, "base", false);
		const cJSON *all =
		    cJSON_GetObjectItemCaseSensitive(o, "conflicts");
		struct landing *p = find(l, a), *q = base ? NULL : find(l, b);

		if (cJSON_GetArraySize(all) == 0)
			continue;
		if (p)
			add_against(p, b, base, all);
		if (q)
			add_against(q, a, false, all);
	}
}

/* Returns the place in the order of conflicts; n: not in it. */
static size_t place(const cJSON *order, const char *name, size_t n)
{
	const cJSON *o;
	size_t i = 0;

	cJSON_ArrayForEach (o, order) {
		if (strcmp(o->valuestring, name) == 0)
			return i;
		i++;
	}
	return n;
}

/* True if a is to land before b. A session that continues another has all of
 * that one's commits, and more. */
static bool is_before(const struct landing *a, const struct landing *b,
		      const cJSON *order, size_t n)
{
	if (!a->why != !b->why)
		return !a->why;
	if (a->commits.n && strv_has(&b->commits, a->commits.v[0]) &&
	    a->commits.n < b->commits.n)
		return true;
	if (b->commits.n && strv_has(&a->commits, b->commits.v[0]) &&
	    b->commits.n < a->commits.n)
		return false;
	return place(order, a->s->spec.name, n) <
	       place(order, b->s->spec.name, n);
}

/* Takes the first that no other one is before, again and again. */
static void sort(struct land *l, const cJSON *order)
{
	for (size_t i = 0; i < l->n; i++) {
		size_t best = i;
		struct landing p;

		for (size_t k = i + 1; k < l->n; k++)
			if (is_before(&l->v[k], &l->v[best], order, l->n))
				best = k;
		p = l->v[best];
		memmove(&l->v[i + 1], &l->v[i], (best - i) * sizeof p);
		l->v[i] = p;
	}
}

/* Leaves out what continues a session that is left out. */
static void leave_out_rest(struct land *l)
{
	for (size_t i = 0; i < l->n; i++) {
		const struct landing *q = land_continues(l, &l->v[i]);

		if (!q || l->v[i].why)
			continue;
		land_leave_out(&l->v[i], "it continues %s, which is left out",
			       q->s->spec.name);
		i = (size_t)-1; /* others may continue that one */
	}
}

/* All of its work is in its branch, as it was counted just now. */
static const char *committed(const struct landing *p)
{
	return p->commits.n && p->s->state.counts.uncommitted == 0
		   ? p->commits.v[0]
		   : NULL;
}

static int find_order(struct land *l, struct err *err)
{
	struct session_list some = {.v = mem_alloc(l->n * sizeof *some.v)};
	_free_ const char **works = mem_alloc(l->n * sizeof *works);
	_json_ cJSON *answer = NULL;

	leave_out_rest(l);
	for (size_t i = 0; i < l->n; i++)
		if (!l->v[i].why) {
			works[some.n] = committed(&l->v[i]);
			some.v[some.n++] = *l->v[i].s; /* borrowed */
		}
	if (some.n)
		answer = conflicts_find_with(&some, works, l->how.into, err);
	free(some.v);
	if (some.n && !answer)
		return -1;
	store_pairs(l, answer);
	sort(l, cJSON_GetObjectItemCaseSensitive(answer, "order"));
	return 0;
}

/* True if the branch is checked out in the main worktree, which has no changes:
 * then nothing there is in the way. from: its commit. */
static bool is_clean(const struct spec *s, const char *worktree,
		     const char *from)
{
	struct status_request rq = {.place = {.repository = s->repository,
					      .worktree = s->repository,
					      .worktree_id = ".",
					      .branch = s->branch,
					      .base_commit = from,
					      .adopted = true}};
	_json_ cJSON *o = NULL;

	if (strcmp(worktree, s->repository) == 0)
		o = worktree_client_run(status_request(&rq), NULL, NULL, 0,
					NULL);
	return o && json_int(o, "uncommitted", 1) == 0;
}

/* Refuses before anything runs if files of the user are in the way. */
static int check_worktree(struct land *l, struct err *err)
{
	struct candidate_how how = l->how;

	how.only_branch = true;
	for (size_t i = 0; i < l->n; i++) {
		struct landing *p = &l->v[i];
		_json_ cJSON *o = NULL;

		if (p->why || p->uncommitted)
			continue;
		o = candidate_make(p->s, &how, NULL, err);
		if (!o)
			return err_prefix(err, "'%s'", p->s->spec.name);
		mem_set(&l->worktree, json_str(o, "worktree"));
		if (strcmp(json_str_or(o, "refused", ""), "modified") == 0)
			return err_set(
			    err, ERR_CONFLICT,
			    "%s has changes of its own in %s, which '%s' "
			    "changes",
			    json_str_or(o, "worktree", ""),
			    cJSON_GetStringValue(cJSON_GetArrayItem(
				cJSON_GetObjectItemCaseSensitive(o, "files"),
				0)),
			    p->s->spec.name);
		if (is_clean(&p->s->spec, json_str_or(o, "worktree", ""),
			     json_str_or(o, "from", "")))
			break;
	}
	return 0;
}

int land_plan(struct land *l, struct err *err)
{
	if (find_sessions(l, err) < 0 || find_branches(l, err) < 0 ||
	    find_into(l, err) < 0)
		return -1;
	l->v = mem_alloc((l->all.n + 1) * sizeof *l->v);
	for (size_t i = 0; i < l->all.n; i++)
		if (add(l, &l->all.v[i], err) < 0)
			return -1;
	if (find_order(l, err) < 0 || check_worktree(l, err) < 0)
		return -1;
	for (size_t i = 0; i < l->n; i++)
		l->checks |= !l->v[i].why && l->v[i].check.command.n > 0;
	return 0;
}
