/*
 * land_batch.c - afw land --batch: all candidates in one chain of commits are
 * checked once, by the last. Only if that fails, each half is tried, as in a
 * bisect, so that good sessions cost one check together.
 */
#include <string.h>

#include "base/json.h"
#include "commands/land/land.h"
#include "commands/land/halt.h"
#include "commands/merge_run.h"

struct set {
	struct landing **v;
	size_t n;
};

/* Makes the chain, and returns its last commit, to be freed; NULL: there is
 * none. What has no place in it is taken out, and lands alone, later. */
static char *make_chain(struct land *l, struct set *set, struct set *later)
{
	char *onto = mem_strdup(l->how.onto);
	size_t n = 0;

	for (size_t i = 0; i < set->n; i++) {
		struct landing *p = set->v[i];
		struct err err;
		cJSON *o = land_continues(l, p)
			       ? NULL
			       : candidate_make(p->s, &l->how, onto, &err);

		candidate_finish(&p->result);
		p->result.answer = o;
		if (!o || json_str(o, "refused") || !json_str(o, "to")) {
			later->v[later->n++] = p;
			continue;
		}
		mem_set(&onto, json_str(o, "to"));
		set->v[n++] = p;
	}
	set->n = n;
	return onto;
}

static bool is_same(const struct strv *a, const struct strv *b)
{
	bool same = a->n == b->n;

	for (size_t i = 0; same && i < a->n; i++)
		same = strcmp(a->v[i], b->v[i]) == 0;
	return same;
}

static bool is_same_check(const struct landing *p, const struct landing *q)
{
	const char *a = p->check.subdir, *b = q->check.subdir;

	return is_same(&p->check.command, &q->check.command) &&
	       strcmp(a ? a : "", b ? b : "") == 0;
}

/* True if one before it in the set has the same check, or it has none. */
static bool is_covered(const struct set *set, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (is_same_check(set->v[i], set->v[k]))
			return true;
	return set->v[i]->check.command.n == 0;
}

/* Runs each check of the set on the commit. The results are stored with all. */
static bool check(struct land *l, struct set *set, const char *commit)
{
	for (size_t i = 0; l->x && i < set->n; i++) {
		_scratch_result_ struct scratch_result r = {0};
		struct landing *p = set->v[i];
		struct err err;

		if (is_covered(set, i))
			continue;
		if (scratch_check(l->x, commit, &p->check, &r, &err) < 0 ||
		    !r.passed)
			return false;
		l->passed++;
		for (size_t k = 0; k < set->n; k++)
			if (is_same_check(p, set->v[k])) {
				set->v[k]->result.check.passed = true;
				set->v[k]->result.check.ms = r.ms;
			}
	}
	return true;
}

/* Moves the branch to the end of the chain. Returns false if it cannot move
 * there. */
static bool move(struct land *l, struct set *set, const char *to)
{
	const struct landing *last = set->v[set->n - 1];
	struct err err;
	_json_ cJSON *o =
	    l->how.dry_run
		? NULL
		: candidate_move(last->s, &l->how,
				 json_str(set->v[0]->result.answer, "from"), to,
				 &err);

	if (!l->how.dry_run && (!o || json_str(o, "refused")))
		return false;
	merge_warn_left(o);
	for (size_t i = 0; i < set->n; i++) {
		struct landing *p = set->v[i];

		p->landed = true;
		if (json_str(o, "worktree"))
			json_set_str(p->result.answer, "worktree",
				     json_str(o, "worktree"));
		land_end(l, p);
	}
	return true;
}

/* fails: all of them together are known to fail. */
static void land_set(struct land *l, struct set set, struct set *later,
		     bool fails)
{
	_free_ char *to =
	    set.n > 1 && !halt_is_set() ? make_chain(l, &set, later) : NULL;
	struct set half = {set.v, set.n / 2},
		   rest = {set.v + set.n / 2, set.n - set.n / 2};

	if (set.n == 1) {
		land_one(l, set.v[0]);
		land_end(l, set.v[0]);
	}
	if (set.n <= 1 ||
	    (to && !fails && check(l, &set, to) && move(l, &set, to)))
		return;
	land_set(l, half, later, false);
	fails = true;
	for (size_t i = 0; i < half.n; i++)
		fails &= half.v[i]->landed;
	land_set(l, rest, later, fails);
}

void land_batch(struct land *l)
{
	_free_ struct landing **v = mem_alloc((l->n + 1) * sizeof *v),
			      **w = mem_alloc((l->n + 1) * sizeof *w);
	struct set set = {.v = v}, later = {.v = w};

	for (size_t i = 0; i < l->n; i++)
		if (!l->v[i].why)
			v[set.n++] = &l->v[i];
		else if (l->json || l->v[i].uncommitted)
			land_end(l, &l->v[i]);
	land_set(l, set, &later, false);
	for (size_t i = 0; i < later.n; i++) {
		land_one(l, later.v[i]);
		land_end(l, later.v[i]);
	}
}
