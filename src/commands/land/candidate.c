/*
 * candidate.c - moves a branch only to a commit that has passed the check in
 * exactly that state: the commit is made in memory first, and the branch moves
 * last, if it is still where it was when the commit was made.
 */
#include "commands/land/candidate.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "commands/cli/output.h"
#include "commands/launch/plan.h"
#include "commands/launch/settings.h"
#include "wire/worktree_client.h"

#define TRIES	     10 /* if the branch moves each time */
#define OUTPUT_LINES 20

void candidate_finish(struct candidate *c)
{
	cJSON_Delete(c->answer);
	scratch_result_finish(&c->check);
	*c = (struct candidate){0};
}

void candidate_check_finish(struct candidate_check *k)
{
	strv_finish(&k->command);
	free(k->subdir);
}

int candidate_check_load(struct candidate_check *k, const struct session *s,
			 struct err *err)
{
	_plan_ struct plan p = {0};

	if (settings_load(&p.config, spec_checkout(&s->spec), err) < 0 ||
	    plan_lay(&p, &s->spec, err) < 0)
		return -1;
	/* Without it there would be no check. */
	if (config_untrusted(p.config)) {
		err_set(err, ERR_REFUSED,
			"%s is not trusted, or was changed since: its check "
			"would not run",
			config_untrusted(p.config));
		return err_hint(err, "`afw trust` shows and trusts it");
	}
	k->subdir = mem_strdup(s->spec.subdir);
	strv_copy(&k->command, config_list(p.config, OPTION_CHECK));
	k->timeout_ms = config_int(p.config, OPTION_CHECK_TIMEOUT);
	return 0;
}

static cJSON *request(const struct session *s, const struct candidate_how *how,
		      const char *onto, const char *checked, struct err *err)
{
	struct merge_request rq = {.place = spec_place(&s->spec),
				   .sign = how->sign,
				   .into = how->into,
				   .how = how->how,
				   .message = how->message,
				   .candidate = !checked,
				   .fetched = how->only_branch,
				   .onto = onto,
				   .checked = checked};

	if (how->only_branch) {
		rq.place.worktree = rq.place.repository;
		rq.place.worktree_id = "-";
	}
	return worktree_client_run(merge_request(&rq), NULL, NULL, 0, err);
}

cJSON *candidate_make(const struct session *s, const struct candidate_how *how,
		      const char *onto, struct err *err)
{
	return request(s, how, onto, NULL, err);
}

cJSON *candidate_move(const struct session *s, const struct candidate_how *how,
		      const char *from, const char *to, struct err *err)
{
	return request(s, how, from, to, err);
}

static void add_check(struct candidate *c)
{
	cJSON *o = cJSON_CreateObject();

	json_set_bool(o, "passed", c->check.passed);
	json_set_str(o, "why", c->check.why);
	json_set_int(o, "ms", c->check.ms);
	json_set_strv(o, "changed", &c->check.changed);
	if (!c->check.passed)
		json_set_str(o, "output", candidate_output(c, OUTPUT_LINES));
	cJSON_AddItemToObject(c->answer, "check", o);
}

/* Returns 1 if the branch is to be moved. */
static int try(struct scratch *x, const struct session *s,
	       const struct candidate_how *how,
	       const struct candidate_check *check, struct candidate *c,
	       struct err *err)
{
	candidate_finish(c);
	c->answer = candidate_make(s, how, how->onto, err);
	if (!c->answer)
		return -1;
	c->end = json_str(c->answer, "refused") ? CANDIDATE_REFUSED
		 : !json_str(c->answer, "to")	? CANDIDATE_NOTHING
						: CANDIDATE_LANDED;
	if (c->end != CANDIDATE_LANDED)
		return 0;
	if (x) {
		if (scratch_check(x, json_str(c->answer, "to"), check,
				  &c->check, err) < 0)
			return -1;
		add_check(c);
		if (!c->check.passed)
			c->end = CANDIDATE_FAILED;
	}
	return c->end == CANDIDATE_LANDED && !how->dry_run;
}

static void copy_count(cJSON *to, const cJSON *from, const char *name)
{
	if (json_int(from, name, 0))
		json_set_int(to, name, json_int(from, name, 0));
}

int candidate_land(struct scratch *x, const struct session *s,
		   const struct candidate_how *how,
		   const struct candidate_check *check, struct candidate *c,
		   struct err *err)
{
	_free_ char *was = NULL;

	for (int i = 0; i < TRIES; i++) {
		_json_ cJSON *moved = NULL;
		struct err why = {0};
		const char *from;
		int rc = try(x, s, how, check, c, &why);

		if (rc <= 0) {
			if (rc < 0 && err)
				*err = why;
			return rc;
		}
		from = json_str_or(c->answer, "from", "");
		/* It has not moved: something else is in the way. */
		if (was && strcmp(was, from) == 0)
			return -1;
		moved = candidate_move(s, how, from, json_str(c->answer, "to"),
				       err);
		if (!moved && err->kind != ERR_CONFLICT)
			return -1;
		if (moved && json_str(moved, "refused")) {
			cJSON_Delete(c->answer);
			c->answer = TAKE_PTR(moved);
			c->end = CANDIDATE_REFUSED;
			return 0;
		}
		if (moved) {
			copy_count(c->answer, moved, "lfs_pointers");
			copy_count(c->answer, moved, "submodules");
			return 0;
		}
		mem_set(&was, from);
	}
	return -1;
}

const char *candidate_output(const struct candidate *c, int lines)
{
	const char *text = c->check.tail.data ? c->check.tail.data : "",
		   *at = text + strlen(text);

	while (at > text && lines >= 0)
		if (*--at == '\n' && at[1])
			lines--;
	return *at == '\n' ? at + 1 : at;
}

void candidate_print_output(const struct candidate *c, int lines)
{
	output_lines(stderr, candidate_output(c, lines));
}
