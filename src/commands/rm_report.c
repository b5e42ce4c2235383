/* rm_report.c - prints what rm has removed, and where the rest of it is. */
#include "commands/rm_report.h"

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/words.h"
#include "commands/cli/output.h"
#include "commands/trash_list.h"

#define DAY_MS (24 * 3600 * 1000LL)

static void add_trash(const struct removed *r, struct buf *line)
{
	int64_t keep_ms = json_str(r->answer, "submodule") ? 0 : r->keep_ms;
	char called[80], age[32];

	if (keep_ms % DAY_MS == 0)
		snprintf(age, sizeof age, "%lld day%s", keep_ms / DAY_MS,
			 keep_ms == DAY_MS ? "" : "s");
	else
		clock_age(keep_ms, age, sizeof age);
	trash_list_called(r->trash, &r->s->spec, called);
	if (json_bool(r->answer, "missing", false))
		buf_addf(line,
			 "; git keeps its commits: `afw trash restore %s` when "
			 "it turns up, then `git worktree repair PATH` if it "
			 "is elsewhere",
			 called);
	else if (!r->holds)
		buf_adds(line, "; all of its work is in commits");
	else
		buf_addf(line,
			 "; kept in the trash %s%s, because %s; `afw trash "
			 "restore %s` restores it",
			 keep_ms > 0 ? "for " : "",
			 keep_ms > 0 ? age : "until you purge it", r->holds,
			 called);
}

/* The branch of one of the other repositories: git's hint is for that one. */
static void add_kept(const struct session *s, const cJSON *o, struct buf *line)
{
	static const char git[] = "`git ";
	const char *kept = json_str(o, "kept"), *hint = strstr(kept, git);

	buf_addf(line, "; branch %s of %s stays: ", s->spec.branch,
		 json_str_or(o, "repository_name", ""));
	if (hint) {
		buf_addf(line, "%.*s%s-C ", (int)(hint - kept), kept, git);
		words_quote_shown(json_str_or(o, "repository", "."), line);
		kept = hint + strlen(git) - 1;
	}
	buf_adds(line, kept);
}

static void add_others(const struct session *s, const cJSON *answer,
		       struct buf *line)
{
	const cJSON *o;

	cJSON_ArrayForEach (o, json_get(answer, "with"))
		if (json_str(o, "kept"))
			add_kept(s, o, line);
}

static void add_removed(const struct removed *r, struct buf *line)
{
	const struct spec *sp = &r->s->spec;
	const char *kept = json_str(r->answer, "kept");

	buf_addf(line, "%s: removed", sp->name);
	if (json_bool(r->answer, "branch_deleted", false))
		buf_addf(line, ", with its branch %s", sp->branch);
	else if (kept && sp->branch)
		buf_addf(line, "; branch %s stays: %s", sp->branch, kept);
	if (spec_has_checkout(sp) && sp->place)
		buf_addf(line, "; %.300s is left as it is", sp->worktree);
	else if (!spec_has_worktree(sp) && !spec_is_scratch(sp))
		buf_adds(line, "; it had no worktree");
	else if (!r->answer && !sp->place)
		buf_adds(line, "; its repository was not there");
	else if (json_bool(r->answer, "missing", false))
		buf_adds(line, "; its worktree was gone already");
	add_others(r->s, r->answer, line);
	if (r->queued)
		buf_addf(line, "; %zu queued message%s kept with it", r->queued,
			 r->queued == 1 ? " is" : "s are");
}

void rm_report(const struct removed *r)
{
	const char *elsewhere = json_str(r->answer, "elsewhere");
	_buf_ struct buf line = {0};

	add_removed(r, &line);
	if (r->trash)
		add_trash(r, &line);
	output_line(stdout, "%s", line.data);
	if (elsewhere)
		output_warn("%s: git has its worktree at %.300s now, which is "
			    "not changed",
			    r->s->spec.name, elsewhere);
}

void rm_report_json(const struct removed *r)
{
	cJSON *o =
	    r->answer ? cJSON_Duplicate(r->answer, 1) : cJSON_CreateObject();

	cJSON_DeleteItemFromObjectCaseSensitive(o, "ok");
	json_set_str(o, "id", r->s->spec.id);
	json_set_str(o, "name", r->s->spec.name);
	json_set_bool(o, "removed", true);
	json_set_int(o, "queued", (int64_t)r->queued);
	json_set_text(o, "holds", r->holds);
	output_json(o);
}
