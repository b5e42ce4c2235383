/* land_run.c - lands the sessions of a plan, one after another. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "commands/cli/output.h"
#include "commands/commit.h"
#include "commands/conflicts.h"
#include "commands/land/land.h"
#include "commands/land/halt.h"
#include "commands/merge_run.h"
#include "commands/recount.h"
#include "session/disk/event_log.h"
#include "session/disk/lock.h"
#include "session/live/connection.h"

#define SHORT	    7
#define LINES_SHOWN 20

static void print_json(const struct land *l, const struct landing *p)
{
	static const char *const members[] = {"from", "to", "how", "check",
					      "conflicts"};
	cJSON *o = cJSON_CreateObject();

	json_set_str(o, "id", p->s->spec.id);
	json_set_str(o, "name", p->s->spec.name);
	json_set_str(o, "into", l->how.into);
	json_set_bool(o, "landed", p->landed);
	json_set_text(o, "why", p->why);
	json_set_int(o, "turns", p->turns);
	for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
		const cJSON *m = cJSON_GetObjectItemCaseSensitive(
		    p->result.answer, members[i]);

		if (m)
			cJSON_AddItemToObject(o, members[i],
					      cJSON_Duplicate(m, true));
	}
	output_json(o);
	fflush(stdout);
}

static void print_end(const struct land *l, const struct landing *p)
{
	const struct candidate *c = &p->result;
	_buf_ struct buf text = {0};
	char age[16];

	for (size_t i = 0; i < c->check.changed.n; i++)
		output_warn("the check of %s changes %s, which is not merged",
			    p->s->spec.name, c->check.changed.v[i]);
	if (p->landed)
		buf_addf(&text, "%smerged into %s (%s)",
			 l->how.dry_run ? "can be " : "", l->how.into,
			 json_str_or(c->answer, "how", ""));
	else
		buf_addf(&text, "left out: %s", p->why);
	clock_age(c->check.ms, age, sizeof age);
	if (p->landed && c->check.passed)
		buf_addf(&text, ", check passed in %s", age);
	if (p->landed && p->turns)
		buf_addf(&text, ", after %d turn%s of its agent", p->turns,
			 p->turns == 1 ? "" : "s");
	output_line(stdout, "%s: %s", p->s->spec.name, text.data);
	if (c->end == CANDIDATE_REFUSED && p->why)
		conflicts_print(json_get(c->answer, "conflicts"), "  ");
	fflush(stdout);
	if (c->end == CANDIDATE_FAILED && p->why)
		candidate_print_output(c, LINES_SHOWN);
	merge_warn_left(c->answer);
}

/* All is as it was counted for the plan, but merged. */
static cJSON *counts(const struct session *s)
{
	const struct counts *c = &s->state.counts;
	cJSON *o = cJSON_CreateObject();

	json_set_int(o, "files_changed", c->files_changed);
	json_set_int(o, "untracked", 0);
	json_set_int(o, "uncommitted", 0);
	json_set_int(o, "ahead", c->ahead);
	json_set_int(o, "lines_added", c->lines_added);
	json_set_int(o, "lines_removed", c->lines_removed);
	json_set_bool(o, "merged", true);
	return o;
}

/* Adds it to the session's history. */
static void record(const struct land *l, struct landing *p)
{
	bool checked = p->result.check.passed;
	const char *to = json_str_or(p->result.answer, "to", "");
	struct session *s = p->s;
	struct err err = {0};
	_json_ cJSON *reply = NULL, *counted = counts(s);
	cJSON *o;
	_close_ int lock = s->alive ? -1 : lock_acquire_soon(s->dir, &err);

	if (s->alive)
		reply = connect_request(
		    s,
		    REQUEST_OF(LANDED, .landed = {.into = l->into,
						  .commit = to,
						  .checked = checked}),
		    CONNECT_TIMEOUT_MS, &err);
	if (lock >= 0) {
		o = cJSON_CreateObject();
		json_set_str(o, "into", l->into);
		json_set_str(o, "commit", to);
		json_set_bool(o, "checked", checked);
		events_append(s->dir, "landed", o, &err);
	}
	if (err.kind)
		output_warn("%s: %s", s->spec.name, err.what);
	file_reset(&lock);
	recount(s, counted);
}

void land_end(struct land *l, struct landing *p)
{
	const cJSON *o = p->result.answer;

	if (p->landed) {
		if (!l->from)
			mem_set(&l->from, json_str(o, "from"));
		mem_set(&l->to, json_str(o, "to"));
		mem_set(&l->worktree, json_str(o, "worktree"));
		l->landed++;
		land_end_review(p);
		if (l->how.dry_run)
			l->how.onto = l->to;
		else
			record(l, p);
	}
	if (l->json)
		print_json(l, p);
	else
		print_end(l, p);
}

static void leave_out_refused(struct landing *p, const cJSON *answer)
{
	const char *why = json_str_or(answer, "refused", "");
	const cJSON *file = cJSON_GetArrayItem(
	    cJSON_GetObjectItemCaseSensitive(answer, "files"), 0);

	if (strcmp(why, "conflicts") == 0)
		land_leave_out(p, "it conflicts with %s",
			       json_str_or(answer, "into", ""));
	else if (strcmp(why, "uncommitted") == 0)
		land_leave_out(p, "it has uncommitted work");
	else if (strcmp(why, "modified") == 0)
		land_leave_out(p, "%s has changes of its own in %s",
			       json_str_or(answer, "worktree", ""),
			       file ? file->valuestring : "?");
	else
		land_leave_out(p, "git's configuration allows only "
				  "fast-forwards");
}

/* Stores the result of the candidate. */
static void take_result(struct land *l, struct landing *p)
{
	const struct candidate *c = &p->result;

	switch (c->end) {
	case CANDIDATE_LANDED:
		p->landed = true;
		l->passed += c->check.passed;
		break;
	case CANDIDATE_NOTHING:
		land_leave_out(p, "%s has all of it already", l->how.into);
		break;
	case CANDIDATE_REFUSED:
		leave_out_refused(p, c->answer);
		break;
	case CANDIDATE_FAILED:
		land_leave_out(p, "the check of the result %s%s", c->check.why,
			       c->check.tail.len ? "" : " and printed nothing");
		break;
	}
}

void land_commit(struct land *l)
{
	for (size_t i = 0; i < l->n; i++) {
		struct landing *p = &l->v[i];
		const char *said = p->s->state.said;
		struct err err;

		if (p->uncommitted && !p->why &&
		    commit_quietly(p->s, said && *said ? said : p->s->spec.name,
				   &l->how.sign, &err) < 0)
			land_leave_out(p, "%s", err.what);
	}
}

void land_one(struct land *l, struct landing *p)
{
	const struct landing *before = land_continues(l, p);
	struct err err;

	if (before) {
		land_leave_out(p, "it continues %s, which is left out",
			       before->s->spec.name);
		return;
	}
	do {
		mem_set(&p->why, NULL);
		if (halt_is_set() ||
		    candidate_land(p->check.command.n ? l->x : NULL, p->s,
				   &l->how, &p->check, &p->result, &err) < 0) {
			land_leave_out(
			    p, "%s", halt_is_set() ? "interrupted" : err.what);
			return;
		}
		take_result(l, p);
	} while (!p->landed && land_resolve(l, p));
	if (!p->landed && halt_is_set())
		land_leave_out(p, "interrupted");
}

void land_run(struct land *l)
{
	for (size_t i = 0; i < l->n; i++) {
		struct landing *p = &l->v[i];
		bool planned = !p->why;

		if (planned)
			land_one(l, p);
		if (planned || l->json || p->uncommitted)
			land_end(l, p);
	}
}
