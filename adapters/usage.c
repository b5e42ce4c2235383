/* usage.c - reads the members that a section names, and adds up what is new. */
#include "adapters/usage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/record.h"
#include "base/cleanup.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/utf8.h"

#define LINE_TOKENS_MAX 1e12 /* more in one line is nonsense */

static void set_model(char out[USAGE_MODEL], const char *model)
{
	utf8_printable(out, USAGE_MODEL, model, strlen(model));
}

void usage_sums_add(struct usage_sums *s, const char *model,
		    const struct tokens *u)
{
	char name[USAGE_MODEL] = "";
	size_t i = 0;

	set_model(name, model);
	while (i < s->n && strcmp(s->v[i].model, name) != 0)
		i++;
	if (i == USAGE_MODELS)
		i--;
	if (i == s->n) {
		memcpy(s->v[i].model, name, sizeof name);
		s->v[i].tokens = (struct tokens){0};
		s->n++;
	}
	tokens_add(&s->v[i].tokens, u);
}

/* -- a line ---------------------------------------------------------------- */

/* Returns the sum of the members that key names, times scale; 0 if there is
 * none, -1 if one is not a count. */
static int64_t sum_of(const struct rules *r, const char *key, const cJSON *o,
		      double scale, bool *any)
{
	const char *s = rules_get(r, key);
	double sum = 0;

	while (s && *(s += strspn(s, " \t"))) {
		size_t len = strcspn(s, " \t");
		_free_ char *path = mem_strndup(s, len);
		const cJSON *v = record_member(o, path);
		double n = cJSON_IsNumber(v) ? v->valuedouble : 0;

		if (!(n >= 0 && n * scale <= LINE_TOKENS_MAX))
			return -1;
		*any |= cJSON_IsNumber(v);
		sum += n * scale;
		s += len;
	}
	return sum <= LINE_TOKENS_MAX ? (int64_t)(sum + 0.5) : -1;
}

/* Reads the numbers of a line; false if it has none. */
static bool read_numbers(const struct rules *r, const cJSON *o,
			 struct tokens *out)
{
	bool any = false, cost = false;

	out->input = sum_of(r, "usage_input", o, 1, &any);
	out->output = sum_of(r, "usage_output", o, 1, &any);
	out->cache_read = sum_of(r, "usage_cache_read", o, 1, &any);
	out->cache_write = sum_of(r, "usage_cache_write", o, 1, &any);
	out->cost_micro = sum_of(r, "usage_cost", o, 1e6, &cost);
	if (!any || out->input < 0 || out->output < 0 || out->cache_read < 0 ||
	    out->cache_write < 0 || out->cost_micro < 0)
		return false;
	if (rules_get_bool(r, "usage_input_has_cache", false)) {
		out->input -= out->cache_read + out->cache_write;
		if (out->input < 0)
			out->input = 0;
	}
	return true;
}

static int64_t above(int64_t n, int64_t before)
{
	return n > before ? n - before : 0;
}

/* Sets u to what it has more than before, and before to the larger ones. */
static void take_new(struct tokens *u, struct tokens *before)
{
	const struct tokens more = {
	    above(u->input, before->input),
	    above(u->output, before->output),
	    above(u->cache_read, before->cache_read),
	    above(u->cache_write, before->cache_write),
	    above(u->cost_micro, before->cost_micro),
	};

	tokens_add(before, &more);
	*u = more;
}

/* Returns what was counted of this message; it is 0 for a new one. */
static struct tokens *find_seen(struct usage_file *f, const char *id)
{
	uint64_t hash = hash_add(HASH_NONE, id, strlen(id));
	struct tokens *seen;

	for (size_t i = 0; i < USAGE_IDS; i++)
		if (f->seen[i].id == hash)
			return &f->seen[i].tokens;
	f->seen[f->next].id = hash;
	seen = &f->seen[f->next].tokens;
	*seen = (struct tokens){0};
	f->next = (f->next + 1) % USAGE_IDS;
	return seen;
}

static void read_line(const struct rules *r, struct usage_file *f,
		      const cJSON *o, struct usage_sums *sums)
{
	const char *model =
	    cJSON_GetStringValue(record_member(o, rules_get(r, "usage_model")));
	const char *id =
	    cJSON_GetStringValue(record_member(o, rules_get(r, "usage_id")));
	struct tokens u;

	if (model && *model)
		set_model(f->model, model);
	if (!read_numbers(r, o, &u))
		return;
	if (id && *id)
		take_new(&u, find_seen(f, id));
	if (tokens_count(&u) > 0 && !record_is_before(o, f->since))
		usage_sums_add(sums, f->model, &u);
}

/* -- the file -------------------------------------------------------------- */

bool usage_known(const struct rules *r)
{
	return rules_get(r, "usage_input") != NULL;
}

/* Returns how the last member of the first path that key names looks in a line,
 * to be freed; NULL: the section has no such key. */
static char *quoted_name(const struct rules *r, const char *key)
{
	const char *path = rules_get(r, key);
	size_t len = path ? strcspn(path, " \t") : 0, from = len;

	while (from > 0 && path[from - 1] != '.')
		from--;
	return path ? mem_printf("\"%.*s\"", (int)(len - from), path + from)
		    : NULL;
}

static bool has(const char *line, size_t len, const char *what)
{
	return what && memmem(line, len, what, strlen(what));
}

void usage_read(const struct rules *r, struct usage_file *f, const char *text,
		size_t len, struct usage_sums *sums)
{
	_free_ char *output = quoted_name(r, "usage_output");
	_free_ char *model = quoted_name(r, "usage_model");
	const char *end = text + len;

	while (text < end) {
		const char *nl = memchr(text, '\n', (size_t)(end - text));
		size_t n = (size_t)((nl ? nl : end) - text);
		/* Most lines have neither, and may be long. */
		_json_ cJSON *o = has(text, n, output) || has(text, n, model)
				      ? json_parse_object(text, n, NULL)
				      : NULL;

		if (o)
			read_line(r, f, o, sums);
		text += n + (nl != NULL);
	}
}

/* -- stored ---------------------------------------------------------------- */

cJSON *usage_file_json(const struct usage_file *f)
{
	cJSON *o = cJSON_CreateObject(), *seen;

	json_set_u64(o, "dev", f->dev);
	json_set_u64(o, "ino", f->ino);
	json_set_int(o, "at", f->at);
	json_set_int(o, "since", f->since);
	json_set_str(o, "model", f->model);
	seen = json_set_object(o, "seen");
	/* The oldest first. */
	for (size_t i = 0; i < USAGE_IDS; i++) {
		size_t at = (f->next + i) % USAGE_IDS;
		char id[24];

		snprintf(id, sizeof id, "%llx",
			 (unsigned long long)f->seen[at].id);
		if (f->seen[at].id)
			tokens_set_json(json_set_object(seen, id),
					&f->seen[at].tokens);
	}
	return o;
}

bool usage_file_parse(const cJSON *o, struct usage_file *f)
{
	const cJSON *seen;

	*f = (struct usage_file){0};
	f->dev = json_u64(o, "dev", 0);
	f->ino = json_u64(o, "ino", 0);
	f->at = json_int(o, "at", -1);
	f->since = json_int(o, "since", 0);
	set_model(f->model, json_str_or(o, "model", ""));
	cJSON_ArrayForEach (seen, json_get(o, "seen")) {
		f->seen[f->next].id = strtoull(seen->string, NULL, 16);
		tokens_read_json(seen, &f->seen[f->next].tokens);
		f->next = (f->next + 1) % USAGE_IDS;
	}
	return f->at >= 0;
}
