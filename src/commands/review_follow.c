/* review_follow.c - updates the states of sent comments from the session's
 * history. */
#include "commands/review_follow.h"

#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "session/disk/event_log.h"
#include "session/disk/follow.h"
#include "session/disk/totals.h"
#include "wire/worktree_client.h"

#define CHECKPOINTS_MS 20000
#define TURN_MS	       2000 /* its checkpoint is stored before Enter */

/* While the history is read: of each comment. */
struct fate {
	int64_t accepted_at, ended_at; /* wall ms; 0: not yet */
	bool lost; /* its message is not delivered any more */
};

struct fates {
	const struct comments *c;
	struct fate *v;
};

static bool is_open(const struct comment *c)
{
	return c->message > 0 && !c->answered && !c->resolved;
}

static void read_receipt(struct fates *f, const cJSON *o, int64_t at)
{
	const char *receipt = json_str_or(o, "receipt", "");
	int64_t message = json_int(o, "message", 0);
	bool arrived = strcmp(receipt, "accepted") == 0 ||
		       strcmp(receipt, "submitted") == 0;

	for (size_t i = 0; i < f->c->n; i++) {
		if (f->c->v[i].message != message)
			continue;
		if (arrived && !f->v[i].accepted_at)
			f->v[i].accepted_at = at;
		f->v[i].lost = json_bool(o, "last", false) && !arrived &&
			       strcmp(receipt, "unconfirmed") != 0 &&
			       strcmp(receipt, "pasted") != 0;
	}
}

static int read_event(void *ctx, const char *line, size_t len)
{
	struct fates *f = ctx;
	_json_ cJSON *o = json_parse_object(line, len, NULL);
	const char *event = json_str_or(o, "event", "");
	int64_t at = clock_parse(json_str_or(o, "at", ""));

	if (strcmp(event, "receipt") == 0)
		read_receipt(f, o, at);
	if (strcmp(event, "activity") != 0 ||
	    !totals_is_end(json_str_or(o, "activity", "")))
		return 0;
	for (size_t i = 0; i < f->c->n; i++)
		if (f->v[i].accepted_at && !f->v[i].ended_at)
			f->v[i].ended_at = at;
	return 0;
}

/* Sets the turns of those that have been answered: each began with the last
 * checkpoint of that kind before the message was accepted. */
static void set_turns(const struct session *s, struct comments *c,
		      const struct fate *fates)
{
	struct checkpoints_request rq = {.place = spec_place(&s->spec)};
	_json_ cJSON *answer = worktree_client_run(
	    checkpoints_request(&rq), NULL, NULL, CHECKPOINTS_MS, NULL);
	const cJSON *list = json_get(answer, "checkpoints");
	const cJSON *p;

	cJSON_ArrayForEach (p, list)
		for (size_t i = 0; i < c->n; i++)
			if (fates[i].ended_at &&
			    strcmp(json_str_or(p, "kind", ""), "turn-begin") ==
				0 &&
			    json_int(p, "at", 0) <=
				fates[i].accepted_at + TURN_MS &&
			    json_int(p, "at", 0) >= c->v[i].sent_at)
				c->v[i].turn = json_int(p, "number", 0);
}

bool review_follow(const struct session *s, struct comments *c)
{
	_free_ struct fate *fates = mem_alloc((c->n + 1) * sizeof *fates);
	struct fates f = {c, fates};
	struct follow history;
	bool open = false, changed = false, ended = false;

	for (size_t i = 0; i < c->n; i++)
		open |= is_open(&c->v[i]);
	if (!open)
		return false;
	follow_open(&history, s->dir, EVENTS_FILE);
	follow_next(&history, read_event, &f);
	follow_close(&history);
	for (size_t i = 0; i < c->n; i++) {
		struct comment *one = &c->v[i];

		if (!is_open(one) || !(fates[i].lost || fates[i].ended_at)) {
			fates[i].ended_at = 0;
			continue;
		}
		changed = true;
		one->answered = !fates[i].lost;
		ended |= one->answered;
		if (fates[i].lost)
			one->message = one->sent_at = 0;
	}
	if (ended && spec_has_checkout(&s->spec))
		set_turns(s, c, fates);
	return changed;
}
