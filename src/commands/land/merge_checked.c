/* merge_checked.c - afw merge --check: the candidate of one session. */
#include "commands/land/merge_checked.h"

#include <stdio.h>

#include "base/clock.h"
#include "base/json.h"
#include "commands/cli/output.h"
#include "commands/land/candidate.h"
#include "commands/merge_run.h"
#include "commands/sign_options.h"

#define LINES_SHOWN 20

struct checked {
	const struct session *s;
	const struct candidate_how *how;
	struct candidate_check check;
	struct candidate c;
};

static int land(struct scratch *x, void *ctx, struct err *err)
{
	struct checked *k = ctx;

	return candidate_land(x, k->s, k->how, &k->check, &k->c, err);
}

static void print_check(const struct checked *k, bool json)
{
	const struct strv *changed = &k->c.check.changed;
	char age[16];

	clock_age(k->c.check.ms, age, sizeof age);
	if (k->c.check.passed && !json)
		output_line(stdout, "%s: the check passed in %s",
			    k->s->spec.name, age);
	for (size_t i = 0; i < changed->n; i++)
		output_warn("the check changes %s, which is not merged",
			    changed->v[i]);
}

static cJSON *end(struct checked *k, bool json, struct err *err)
{
	if (k->c.check.why[0])
		print_check(k, json);
	if (k->c.end != CANDIDATE_FAILED)
		return TAKE_PTR(k->c.answer);
	candidate_print_output(&k->c, LINES_SHOWN);
	err_set(err, ERR_REFUSED,
		"the check of the result %s; nothing is changed",
		k->c.check.why);
	return NULL;
}

cJSON *merge_checked(const struct session *s, const struct args *args,
		     const char *into, struct err *err)
{
	struct candidate_how how = {.into = into,
				    .how = merge_how(args),
				    .message = args_value(args, "message"),
				    .sign = sign_options(args),
				    .dry_run = args_has(args, "dry-run")};
	struct checked k = {.s = s, .how = &how};
	struct scratch x = {.fn = land, .ctx = &k};
	cJSON *answer = NULL;

	if (candidate_check_load(&k.check, s, err) == 0) {
		if (k.check.command.n > 0 &&
		    scratch_with(&x, s, into, err) == 0)
			answer = end(&k, args_has(args, "json"), err);
		else if (k.check.command.n == 0)
			err_set(err, ERR_REFUSED,
				"it has no check (check in afw.ini)");
	}
	candidate_finish(&k.c);
	candidate_check_finish(&k.check);
	return answer;
}
