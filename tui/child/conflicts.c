/*
 * conflicts.c - finds sessions that change the same lines, with one child at a
 * time, for one repository, as it merges all its sessions in memory. The next
 * child starts after thirty times the duration of the last one, so that this
 * costs at most 3 % of one processor.
 */
#include "tui/child/conflicts.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/mem.h"
#include "tui/child/refresh.h"
#include "tui/tui.h"

struct repository {
	struct repository *next;
	char *path;
	uint64_t changes, asked; /* digests, now and at the last request */
	cJSON *with;		 /* by name, as text: "a, b"; or NULL */
};

struct conflicts {
	struct tui *t;
	/* asked: of the current request */
	struct repository *first, *asked;
	struct refresh conflicts;
};

static void forget_pairs(struct repository *r)
{
	cJSON_Delete(r->with);
	r->with = NULL;
}

static struct repository *find_repository(const struct conflicts *c,
					  const char *path)
{
	struct repository *r = c->first;

	while (r && strcmp(r->path, path) != 0)
		r = r->next;
	return r;
}

static void add_name(cJSON *with, const char *name, const char *other)
{
	const char *had = json_str_or(with, name, "");
	_free_ char *all = mem_printf("%s%s%s", had, *had ? ", " : "", other);

	json_set_str(with, name, all);
}

/* Stores conflicts between two sessions; those with the base are for
 * merging. */
static void store_pairs(struct repository *r, const cJSON *answer)
{
	const cJSON *o;

	forget_pairs(r);
	r->with = cJSON_CreateObject();
	cJSON_ArrayForEach (o, json_get(answer, "pairs")) {
		const char *a = json_str(o, "a"), *b = json_str(o, "b");

		if (!a || !b || json_bool(o, "base", false) ||
		    !cJSON_GetArraySize(json_get(o, "conflicts")))
			continue;
		add_name(r->with, a, b);
		add_name(r->with, b, a);
	}
}

static bool is_changed(const struct session *s)
{
	const struct counts *c = &s->state.counts;

	return !s->host && s->spec.repository && spec_has_worktree(&s->spec) &&
	       (c->files_changed > 0 || c->ahead > 0);
}

/* Returns a repository whose conflicts must be read, or NULL. */
static struct repository *find_stale(const struct conflicts *c)
{
	struct repository *r = c->first;

	while (r && r->asked == r->changes)
		r = r->next;
	return r;
}

static void conflicts_store(void *owner, const struct job_result *result)
{
	struct conflicts *c = owner;
	_json_ cJSON *answer =
	    result->exit_code
		? NULL
		: json_parse_object(result->out, result->out_len, NULL);

	/* A request that failed is repeated when something has changed. */
	if (answer)
		store_pairs(c->asked, answer);
	if (find_stale(c))
		refresh_soon(&c->conflicts);
}

/* Adds the sessions of r that have changed something. */
static size_t add_sessions(const struct conflicts *c,
			   const struct repository *r, struct strv *words)
{
	const struct session_list *l = &c->t->roster.list;
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++)
		if (is_changed(&l->v[i]) &&
		    strcmp(l->v[i].spec.repository, r->path) == 0) {
			strv_add(words, l->v[i].spec.id);
			n++;
		}
	return n;
}

static void conflicts_words(void *owner, struct strv *words)
{
	struct conflicts *c = owner;
	struct repository *r;

	while ((r = find_stale(c))) {
		_strv_ struct strv ids = {0};

		r->asked = r->changes;
		if (add_sessions(c, r, &ids) < 2) {
			forget_pairs(r); /* one session has no conflicts */
			continue;
		}
		strv_add(words, "conflicts");
		strv_add(words, "--json");
		for (size_t i = 0; i < ids.n; i++)
			strv_add(words, ids.v[i]);
		c->asked = r;
		return;
	}
}

/* Digests do not depend on the order of the list, which may change. */
static uint64_t digest(const struct session *s)
{
	const struct counts *c = &s->state.counts;
	uint64_t h = hash_add(HASH_NONE, s->spec.name, strlen(s->spec.name));

	return hash_add(h, c, sizeof *c);
}

void conflicts_update(struct conflicts *c)
{
	const struct session_list *l = &c->t->roster.list;
	struct repository *r;

	for (r = c->first; r; r = r->next)
		r->changes = 0;
	for (size_t i = 0; i < l->n; i++) {
		if (!is_changed(&l->v[i]))
			continue;
		r = find_repository(c, l->v[i].spec.repository);
		if (!r) {
			r = mem_alloc(sizeof *r);
			r->path = mem_strdup(l->v[i].spec.repository);
			r->next = c->first;
			c->first = r;
		}
		r->changes += digest(&l->v[i]);
	}
	if (find_stale(c))
		refresh_soon(&c->conflicts);
}

bool conflicts_any(const struct conflicts *c)
{
	const struct repository *r = c->first;

	while (r && !(r->with && r->with->child))
		r = r->next;
	return r != NULL;
}

const char *conflicts_with(const struct conflicts *c, const struct session *s)
{
	struct repository *r = s->spec.repository && !s->host
				   ? find_repository(c, s->spec.repository)
				   : NULL;

	return r && r->with ? json_str(r->with, s->spec.name) : NULL;
}

struct conflicts *conflicts_create(struct tui *t)
{
	struct conflicts *c = mem_alloc(sizeof *c);

	c->t = t;
	c->conflicts = (struct refresh){.owner = c,
					.words = conflicts_words,
					.store = conflicts_store,
					/* an agent continues to change files */
					.pause_ms = 5000,
					.share = 30,
					.timeout_ms = 120000};
	refresh_create(&c->conflicts, t);
	return c;
}

void conflicts_destroy(struct conflicts *c)
{
	struct repository *r;

	if (!c)
		return;
	refresh_finish(&c->conflicts);
	while ((r = c->first)) {
		c->first = r->next;
		forget_pairs(r);
		free(r->path);
		free(r);
	}
	free(c);
}
