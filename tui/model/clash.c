/*
 * clash.c - one child at a time, for one repository, and seldom: it merges all
 * its sessions in memory. The next one waits thirty times as long as the last
 * one took, so that it costs 3 % of one processor at most.
 */
#include "tui/model/clash.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/mem.h"
#include "tui/child/job.h"
#include "tui/tui.h"

#define CALM_MS	 5000 /* an agent goes on changing for a while */
#define SHARE	 30   /* times as long as one takes nothing is asked */
#define CHILD_MS 120000

struct repository {
	struct repository *next;
	char *path;
	uint64_t changes, asked; /* digests, now and when last asked */
	cJSON *with;		 /* by name, as text: "a, b"; or NULL */
};

struct clash {
	struct tui *t;
	struct repository *first, *at_work;
	struct loop_timer *timer;
	int64_t begun_ms, not_before_ms;
};

static void forget(struct repository *r)
{
	cJSON_Delete(r->with);
	r->with = NULL;
}

static struct repository *find(const struct clash *c, const char *path)
{
	struct repository *r = c->first;

	while (r && strcmp(r->path, path) != 0)
		r = r->next;
	return r;
}

static void add(cJSON *with, const char *name, const char *other)
{
	const char *had = json_str_or(with, name, "");
	char *all = mem_printf("%s%s%s", had, *had ? ", " : "", other);

	json_set_str(with, name, all);
	free(all);
}

/* Those of two sessions: with the base it is the merge that tells. */
static void take(struct repository *r, const cJSON *answer)
{
	const cJSON *o;

	forget(r);
	r->with = cJSON_CreateObject();
	cJSON_ArrayForEach (o,
			    cJSON_GetObjectItemCaseSensitive(answer, "pairs")) {
		const char *a = json_str(o, "a"), *b = json_str(o, "b");

		if (!a || !b || json_bool(o, "base", false) ||
		    !cJSON_GetArraySize(
			cJSON_GetObjectItemCaseSensitive(o, "conflicts")))
			continue;
		add(r->with, a, b);
		add(r->with, b, a);
	}
}

static bool is_changed(const struct session *s)
{
	const struct counts *c = &s->state.counts;

	return s->spec.repository && spec_has_worktree(&s->spec) &&
	       (c->files_changed > 0 || c->ahead > 0);
}

static void next(struct clash *c);

static void on_answer(void *ctx, void *arg, const struct job_result *r)
{
	struct tui *t = ctx;
	struct clash *c = arg;
	cJSON *answer =
	    r->exit_code ? NULL : json_parse_object(r->out, r->out_len, NULL);
	int64_t now = clock_mono_ms();

	/* One that fails is asked again when something has changed. */
	if (answer)
		take(c->at_work, answer);
	cJSON_Delete(answer);
	c->at_work = NULL;
	c->not_before_ms = now + (now - c->begun_ms) * SHARE;
	tui_redraw(t); /* to be drawn */
	next(c);
}

static void ask(struct clash *c, struct repository *r)
{
	struct job_request rq = {
	    .reads = true, .timeout_ms = CHILD_MS, .done = on_answer, .arg = c};
	const struct session_list *l = &c->t->roster.list;
	struct strv argv = {0};
	struct err err;

	strv_add(&argv, c->t->afw);
	strv_add(&argv, "conflicts");
	strv_add(&argv, "--json");
	for (size_t i = 0; i < l->n; i++)
		if (is_changed(&l->v[i]) &&
		    strcmp(l->v[i].spec.repository, r->path) == 0)
			strv_add(&argv, l->v[i].spec.id);
	rq.argv = argv.v;
	r->asked = r->changes;
	c->begun_ms = clock_mono_ms();
	if (argv.n < 5)
		forget(r); /* one alone clashes with none */
	else if (jobs_start(c->t->jobs, &rq, &err) == 0)
		c->at_work = r;
	strv_finish(&argv);
}

static void on_timer(void *ctx)
{
	struct clash *c = ctx;

	for (struct repository *r = c->first; r && !c->at_work; r = r->next)
		if (r->asked != r->changes)
			ask(c, r);
}

static void next(struct clash *c)
{
	int64_t wait = c->not_before_ms - clock_mono_ms();
	struct repository *r = c->first;

	while (r && r->asked == r->changes)
		r = r->next;
	if (r && !c->at_work && !loop_timer_active(c->timer))
		loop_timer_set(c->timer, wait > CALM_MS ? wait : CALM_MS);
}

/* Digests do not go by the list's order: that may change. */
static uint64_t digest(const struct session *s)
{
	const struct counts *c = &s->state.counts;
	uint64_t h = hash_add(HASH_NONE, s->spec.name, strlen(s->spec.name));

	return hash_add(h, c, sizeof *c);
}

void clash_look(struct clash *c)
{
	const struct session_list *l = &c->t->roster.list;
	struct repository *r;

	for (r = c->first; r; r = r->next)
		r->changes = 0;
	for (size_t i = 0; i < l->n; i++) {
		if (!is_changed(&l->v[i]))
			continue;
		r = find(c, l->v[i].spec.repository);
		if (!r) {
			r = mem_alloc(sizeof *r);
			r->path = mem_strdup(l->v[i].spec.repository);
			r->next = c->first;
			c->first = r;
		}
		r->changes += digest(&l->v[i]);
	}
	next(c);
}

bool clash_any(const struct clash *c)
{
	const struct repository *r = c->first;

	while (r && !(r->with && r->with->child))
		r = r->next;
	return r != NULL;
}

const char *clash_with(const struct clash *c, const struct session *s)
{
	struct repository *r =
	    s->spec.repository ? find(c, s->spec.repository) : NULL;

	return r && r->with ? json_str(r->with, s->spec.name) : NULL;
}

struct clash *clash_create(struct tui *t)
{
	struct clash *c = mem_alloc(sizeof *c);

	c->t = t;
	c->timer = loop_timer_add(t->loop, on_timer, c);
	return c;
}

void clash_destroy(struct clash *c)
{
	struct repository *r;

	if (!c)
		return;
	if (c->at_work)
		jobs_drop(c->t->jobs, c);
	loop_timer_remove(c->timer);
	while ((r = c->first)) {
		c->first = r->next;
		forget(r);
		free(r->path);
		free(r);
	}
	free(c);
}
