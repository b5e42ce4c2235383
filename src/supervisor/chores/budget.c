/*
 * budget.c - compares the use of turns, time, tokens and money with the
 * budgets.
 *
 * Each grant of the user (state.budget_grants) adds as much again to the
 * budgets of a session: so `afw start --over-budget` works. The budgets of a
 * day are for all sessions together; another session may have used them up, so
 * the ledger is read again when it has changed.
 */
#include "supervisor/chores/budget.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "session/disk/ledger.h"
#include "supervisor/chores/at_limit.h"
#include "supervisor/part.h"
#include "supervisor/peer.h"

#define NEAR	 0.8
#define TEXT_MAX 96

struct budget {
	bool over;	     /* state.limited may be another limit's */
	bool expects;	     /* the use of the last turn is being read */
	int64_t works_since; /* mono ms; 0: the agent is not working */
	unsigned near; /* budgets of which 80 % was reported: a bit each */
	struct ledger_sum day;
	struct loop_timer *timer; /* the next day */
};

enum unit { TURNS, TIME, TOKENS, COST };

struct limit {
	const char *name;
	enum unit unit;
	int64_t used, most; /* most 0: no limit */
	bool of_day;
};

#define LIMITS 6

/* A budget of one million tokens becomes one of two million with the first
 * grant. */
static int64_t times(int64_t most, int64_t n)
{
	return most <= INT64_MAX / n ? most * n : INT64_MAX;
}

static bool has_day(const struct spec *s)
{
	return s->budget_day_tokens || s->budget_day_cost_milli;
}

static void read_limits(struct supervisor *sv, struct limit out[LIMITS])
{
	const struct spec *s = &sv->spec;
	const struct state *st = &sv->state;
	int64_t n = 1 + st->budget_grants, now = clock_wall_ms();
	bool free_day = st->budget_day_until == ledger_day(now, true);
	int64_t works = sv->budget->works_since
			    ? clock_mono_ms() - sv->budget->works_since
			    : 0;
	const struct tokens *day = &sv->budget->day.tokens;
	const struct limit all[LIMITS] = {
	    {"budget_turns", TURNS, st->turns, times(s->budget_turns, n),
	     false},
	    {"budget_time", TIME, st->worked_ms + works,
	     times(s->budget_time_ms, n), false},
	    {"budget_tokens", TOKENS, tokens_count(&st->tokens),
	     times(s->budget_tokens, n), false},
	    {"budget_cost", COST, st->tokens.cost_micro,
	     times(times(s->budget_cost_milli, 1000), n), false},
	    {"budget_day_tokens", TOKENS, tokens_count(day),
	     free_day ? 0 : s->budget_day_tokens, true},
	    {"budget_day_cost", COST, day->cost_micro,
	     free_day ? 0 : times(s->budget_day_cost_milli, 1000), true},
	};

	memcpy(out, all, sizeof all);
}

static void print_amount(enum unit unit, int64_t n, char out[TOKENS_TEXT])
{
	if (unit == COST)
		snprintf(out, TOKENS_TEXT, "$%.2f", (double)n / 1e6);
	else if (unit == TIME)
		clock_age(n, out, TOKENS_TEXT);
	else if (unit == TOKENS)
		tokens_text(n, out);
	else
		snprintf(out, TOKENS_TEXT, "%lld", (long long)n);
}

/* Writes "budget_tokens: 1.2M of 1.0M". */
static void describe(const struct limit *l, char out[TEXT_MAX])
{
	char used[TOKENS_TEXT], most[TOKENS_TEXT];

	print_amount(l->unit, l->used, used);
	print_amount(l->unit, l->most, most);
	snprintf(out, TEXT_MAX, "%s: %s of %s", l->name, used, most);
}

/* Reports once that most of a budget is used. */
static void report_near(struct supervisor *sv, const struct limit *l, int i)
{
	bool near = l->most > 0 && (double)l->used >= (double)l->most * NEAR;
	char text[TEXT_MAX];
	cJSON *o;

	if (!near)
		sv->budget->near &= ~(1u << i);
	if (!near || sv->budget->near & (1u << i))
		return;
	sv->budget->near |= 1u << i;
	describe(l, text);
	o = cJSON_CreateObject();
	json_set_str(o, "detail", text);
	publish_event(sv, "budget", o);
}

/* If the agent is at its own limit, that one stays shown. */
static void set_over(struct supervisor *sv, const struct limit *l)
{
	struct state *st = &sv->state;
	bool known = state_over_budget(st);
	int64_t now = clock_wall_ms();
	char text[TEXT_MAX];

	sv->budget->over = true;
	if (st->limited && !known)
		return;
	describe(l, text);
	if (known && st->limited_words && strcmp(st->limited_words, text) == 0)
		return;
	mem_set(&st->limited, STATE_BUDGET);
	mem_set(&st->limited_words, text);
	mem_set(&st->limited_by, l->of_day ? "afw" : "you");
	st->limited_since = known ? st->limited_since : now;
	st->limited_until = l->of_day ? ledger_day(now, true) : 0;
	if (l->of_day)
		loop_timer_set(sv->budget->timer, st->limited_until - now);
	at_limit_publish(sv, "limited", text);
}

static void end_over(struct supervisor *sv)
{
	struct state *st = &sv->state;

	sv->budget->over = false;
	loop_timer_stop(sv->budget->timer);
	if (state_over_budget(st)) {
		at_limit_publish(sv, "limited:over", "");
		at_limit_forget(sv);
	}
	if (sv->sender)
		sender_wake(sv->sender);
}

void budget_update(struct supervisor *sv)
{
	const struct limit *over = NULL;
	struct limit all[LIMITS];

	if (has_day(&sv->spec))
		ledger_sum(&sv->budget->day,
			   ledger_day(clock_wall_ms(), false));
	read_limits(sv, all);
	for (int i = 0; i < LIMITS; i++) {
		report_near(sv, &all[i], i);
		if (!over && all[i].most > 0 && all[i].used >= all[i].most)
			over = &all[i];
	}
	if (over)
		set_over(sv, over);
	else if (sv->budget->over || state_over_budget(&sv->state))
		end_over(sv);
}

void budget_expect(struct supervisor *sv, bool expects)
{
	sv->budget->expects = expects;
	if (!expects && sv->sender)
		sender_wake(sv->sender);
}

/* Adds as many grants as the most exceeded budget needs: the use may be a
 * multiple of it. */
void budget_allow_more(struct supervisor *sv)
{
	int64_t most = 0, n = 1 + sv->state.budget_grants;
	struct limit all[LIMITS];

	read_limits(sv, all);
	for (int i = 0; i < LIMITS; i++) {
		const struct limit *l = &all[i];

		if (!l->of_day && l->most > 0 && l->used / (l->most / n) > most)
			most = l->used / (l->most / n);
	}
	if (most > sv->state.budget_grants)
		sv->state.budget_grants = most;
	sv->state.budget_day_until = ledger_day(clock_wall_ms(), true);
	budget_update(sv);
	publish_lasting(sv);
}

/* -- the part -------------------------------------------------------------- */

static bool depends_on_tokens(const struct spec *s)
{
	return s->budget_tokens || s->budget_cost_milli || has_day(s);
}

static enum withheld budget_withhold(struct supervisor *sv, const char **why)
{
	const struct spec *s = &sv->spec;

	if (sv->budget->expects && depends_on_tokens(s)) {
		*why = "what its last turn has used is being read";
		return WITHHELD_MOMENT;
	}
	if (has_day(s))
		budget_update(sv);
	if (!sv->budget->over)
		return WITHHELD_NOT;
	*why = "its budget is used up";
	return WITHHELD_BUDGET;
}

static void on_next_day(void *ctx)
{
	budget_update(ctx);
}

static int budget_init(struct supervisor *sv, struct err *err)
{
	sv->budget->timer = loop_timer_add(sv->loop, on_next_day, sv);
	return 0;
}

static void budget_running(struct supervisor *sv)
{
	budget_update(sv);
}

static void count_time(struct supervisor *sv, bool works)
{
	struct budget *b = sv->budget;
	int64_t now = clock_mono_ms();

	if (b->works_since)
		sv->state.worked_ms += now - b->works_since;
	b->works_since = works ? now : 0;
}

static void budget_verdict(struct supervisor *sv, const struct verdict *was)
{
	enum activity a = sv->verdict.activity;
	bool works = (a == ACTIVITY_WORKING || a == ACTIVITY_THINKING) &&
		     !sv->verdict.starting_up;

	if (works != (sv->budget->works_since != 0))
		count_time(sv, works);
}

static void budget_end(struct supervisor *sv, const char *reason)
{
	count_time(sv, false);
	loop_timer_stop(sv->budget->timer);
}

static void budget_finish(struct supervisor *sv)
{
	loop_timer_remove(sv->budget->timer);
}

static int on_over_budget(struct peer *p, struct request *rq, struct err *err)
{
	budget_allow_more(p->sv);
	publish_due(p->sv);
	peer_reply(p, rq->seq, NULL);
	return 0;
}

static const struct request_handler requests[] = {
    {REQUEST_OVER_BUDGET, on_over_budget},
    {0},
};

const struct part budget_part = {
    .own = PART_OWN(budget),
    .init = budget_init,
    .running = budget_running,
    .verdict = budget_verdict,
    .withhold = budget_withhold,
    .end = budget_end,
    .finish = budget_finish,
    .requests = requests,
};
