/* session_json.c - the object that every --json prints. */
#include "session/session.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/json.h"
#include "session/disk/pr.h"

static void set_time(cJSON *o, const char *key, int64_t at)
{
	char text[CLOCK_RFC3339_SIZE];

	if (at <= 0) {
		cJSON_AddNullToObject(o, key);
		return;
	}
	clock_format(at, text);
	json_set_str(o, key, text);
}

static void set_number(cJSON *o, const char *key, int64_t value, int64_t none)
{
	if (value != none)
		json_set_int(o, key, value);
	else
		cJSON_AddNullToObject(o, key);
}

cJSON *session_to_json(const struct session *s)
{
	const struct spec *spec = &s->spec;
	const struct state *st = &s->state;
	const struct counts *c = &st->counts;
	bool asks = st->phase == PHASE_RUNNING;
	char *pr = s->dir ? pr_load(s->dir) : NULL;
	cJSON *o = cJSON_CreateObject();

	json_set_str(o, "id", spec->id);
	json_set_text(o, "name", spec->name);
	json_set_text(o, "repository", spec->repository);
	json_set_text(o, "worktree", spec->worktree);
	json_set_text(o, "branch", spec->branch);
	json_set_text(o, "base", spec->base);
	json_set_text(o, "base_commit", spec->base_commit);
	json_set_text(o, "pr", pr);
	free(pr);
	json_set_text(o, "harness", spec->harness);
	json_set_strv(o, "groups", &s->groups);
	json_set_text(o, "profile", spec->profile);
	json_set_text(o, "template", spec->template_name);
	json_set_text(o, "after", spec->after);
	json_set_text(o, "backend", spec->backend);
	json_set_text(o, "sandbox", spec->sandbox);
	json_set_str(o, "phase", phase_name(st->phase));
	json_set_text(o, "activity",
		 st->activity == ACTIVITY_NONE ? NULL
					       : activity_name(st->activity));
	json_set_text(o, "activity_source", st->activity_source);
	set_time(o, "activity_since", st->activity_since);
	json_set_text(o, "detail", st->detail);
	json_set_text(o, "question", asks ? st->question : NULL);
	json_set_text(o, "question_id", asks ? st->question_id : NULL);
	json_set_text(o, "check", st->check);
	json_set_text(o, "check_line", st->check_line);
	set_number(o, "check_round", st->check_rounds ? st->check_round : -1,
		   -1);
	set_number(o, "check_rounds", st->check_rounds, 0);
	json_set_text(o, "subtask", st->subtask);
	json_set_text(o, "subtask_detail", st->subtask_detail);
	json_set_text(o, "error_reason", st->error_reason);
	json_set_strv(o, "degraded", &st->degraded);
	cJSON_AddItemToObject(o, "services",
			      st->services ? cJSON_Duplicate(st->services, 1)
					   : cJSON_CreateArray());
	json_set_text(o, "conversation",
		 st->conversation ? st->conversation : spec->conversation);
	json_set_text(o, "run", st->run);
	json_set_text(o, "title", st->title);
	json_set_text(o, "last_line", st->last_line);
	json_set_text(o, "said", st->said);
	set_number(o, "files_changed", c->files_changed, -1);
	set_number(o, "untracked", c->untracked, -1);
	set_number(o, "uncommitted", c->uncommitted, -1);
	set_number(o, "ahead", c->ahead, -1);
	set_number(o, "lines_added", c->lines_added, -1);
	set_number(o, "lines_removed", c->lines_removed, -1);
	if (c->merged < 0)
		cJSON_AddNullToObject(o, "merged");
	else
		json_set_bool(o, "merged", c->merged > 0);
	if (st->cost_micro > 0)
		cJSON_AddNumberToObject(o, "cost_usd",
					(double)st->cost_micro / 1e6);
	else
		json_set_text(o, "cost_usd", NULL);
	json_set_int(o, "queued", st->queued);
	set_number(o, "pid", st->pid, 0);
	set_number(o, "supervisor_pid", st->supervisor_pid, 0);
	set_number(o, "exit_code", st->exit_code, -1);
	set_number(o, "signal", st->signal, 0);
	json_set_int(o, "rev", st->rev);
	set_time(o, "turn_at", st->turn_at);
	set_time(o, "created_at", spec->created_at);
	set_time(o, "started_at", st->started_at);
	set_time(o, "ended_at", st->ended_at);
	set_time(o, "updated_at", st->updated_at);
	return o;
}
