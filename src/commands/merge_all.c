/*
 * merge_all.c - merges a session with several repositories in all of them, or
 * in none: first a dry run in each, then the moves, one after the other. If one
 * fails then, those before it are moved back, each only if its branch is still
 * where it was moved to.
 */
#include <string.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "commands/cli/output.h"
#include "commands/command.h"
#include "commands/merge_run.h"
#include "commands/recount.h"
#include "wire/worktree_client.h"

struct merges {
	const struct session *s;
	const struct args *args;
	cJSON *answers; /* of the moves, in their order */
};

static struct session repository(const struct merges *m, size_t i)
{
	struct session one = *m->s;

	one.spec = spec_of(&m->s->spec, i);
	return one;
}

static int report_one(const struct merges *m, size_t i, struct err *err)
{
	size_t last = spec_count(&m->s->spec) - 1;
	struct session one = repository(m, i);

	if (!args_has(m->args, "json"))
		output_line(stdout, "%s:", one.spec.repository_name);
	return merge_report(&one, cJSON_GetArrayItem(m->answers, (int)i),
			    i == last, m->args, err);
}

/* Returns 0 if it was merged, or would be; -1 with err, and what was refused is
 * printed. */
static int merge_one(struct merges *m, size_t i, bool dry_run, struct err *err)
{
	struct session one = repository(m, i);
	const char *into = merge_into(m->s, i, m->args, err);
	cJSON *answer =
	    into ? merge_run(&one, m->args, into, false, dry_run, err) : NULL;

	if (!answer)
		return err_prefix(err, "%s: merge '%s'",
				  one.spec.repository_name, one.spec.name);
	cJSON_AddItemToArray(m->answers, answer);
	if (!json_str(answer, "refused"))
		return 0;
	report_one(m, i, err);
	if (i > 0 && strcmp(json_str(answer, "refused"), "conflicts") == 0)
		err_hint(err,
			 "let the agent resolve them: `afw send %s \"In ../%s, "
			 "please merge commit %.10s into your branch and "
			 "resolve the conflicts\"`",
			 one.spec.name, one.spec.repository_name,
			 json_str_or(answer, "from", ""));
	return err_prefix(err, "%s", one.spec.repository_name);
}

/* "checked" moves the branch to that commit, if it is at "onto", and the files
 * of its worktree. */
static void move_back(const struct merges *m, size_t i, struct err *err)
{
	struct session one = repository(m, i);
	const cJSON *was = cJSON_GetArrayItem(m->answers, (int)i);
	struct merge_request rq = {.place = spec_place(&one.spec),
				   .into = json_str(was, "into"),
				   .how = "merge",
				   .checked = json_str(was, "from"),
				   .onto = json_str(was, "to")};
	_json_ cJSON *o = rq.onto ? worktree_client_run(merge_request(&rq),
							NULL, NULL, 0, NULL)
				  : NULL;

	if (rq.onto && (!o || json_str(o, "refused")))
		err_hint(
		    err,
		    "%s of %s is merged, and was changed meanwhile: it was "
		    "at %s, and moved to %s",
		    rq.into, one.spec.repository_name, rq.checked, rq.onto);
}

static int move_all(struct merges *m, struct err *err)
{
	size_t n = spec_count(&m->s->spec), i = 0;

	while (i < n && merge_one(m, i, false, err) == 0)
		i++;
	if (i == n)
		return 0;
	while (i-- > 0)
		move_back(m, i, err);
	return -1;
}

int merge_all(const struct session *s, const struct args *args, struct err *err)
{
	struct merges m = {
	    .s = s, .args = args, .answers = cJSON_CreateArray()};
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < spec_count(&s->spec); i++)
		rc = merge_one(&m, i, true, err);
	if (rc == 0 && !args_has(args, "dry-run")) {
		cJSON_Delete(m.answers);
		m.answers = cJSON_CreateArray();
		rc = move_all(&m, err);
		recount(s, NULL);
	}
	for (size_t i = 0; rc == 0 && i < spec_count(&s->spec); i++)
		rc = report_one(&m, i, err);
	cJSON_Delete(m.answers);
	return rc;
}
