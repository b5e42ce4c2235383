/* tokens.c - adds up tokens, prices them, and prints them. */
#include "session/tokens.h"

#include <fnmatch.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/json.h"

#define MILLION 1000000

static int64_t clip(int64_t n)
{
	return n < TOKENS_MAX ? n : TOKENS_MAX;
}

void tokens_add(struct tokens *sum, const struct tokens *more)
{
	sum->input = clip(sum->input + more->input);
	sum->output = clip(sum->output + more->output);
	sum->cache_read = clip(sum->cache_read + more->cache_read);
	sum->cache_write = clip(sum->cache_write + more->cache_write);
	sum->cost_micro = clip(sum->cost_micro + more->cost_micro);
}

int64_t tokens_count(const struct tokens *t)
{
	return t->input + t->output + t->cache_read + t->cache_write;
}

static const char *const names[] = {"tokens_input", "tokens_output",
				    "tokens_cache_read", "tokens_cache_write"};

void tokens_set_json(cJSON *o, const struct tokens *t)
{
	const int64_t v[] = {t->input, t->output, t->cache_read,
			     t->cache_write};
	bool known = tokens_count(t) > 0;

	for (size_t i = 0; i < sizeof v / sizeof *v; i++)
		if (known)
			json_set_int(o, names[i], v[i]);
		else
			json_set_text(o, names[i], NULL);
	if (t->cost_micro > 0)
		cJSON_AddNumberToObject(o, "cost_usd",
					(double)t->cost_micro / MILLION);
	else
		json_set_text(o, "cost_usd", NULL);
}

void tokens_read_json(const cJSON *o, struct tokens *t)
{
	int64_t *v[] = {&t->input, &t->output, &t->cache_read, &t->cache_write};
	const cJSON *cost = json_get(o, "cost_usd");
	double micro =
	    cJSON_IsNumber(cost) ? cost->valuedouble * MILLION + 0.5 : 0;

	for (size_t i = 0; i < sizeof v / sizeof *v; i++) {
		int64_t n = json_int(o, names[i], 0);

		*v[i] = n < 0 ? 0 : clip(n);
	}
	t->cost_micro =
	    micro >= 0 && micro < (double)TOKENS_MAX ? (int64_t)micro : 0;
}

int64_t tokens_price(const struct tokens *t, const cJSON *prices,
		     const char *model)
{
	const cJSON *p;
	double cost;

	cJSON_ArrayForEach (p, prices)
		if (fnmatch(json_str_or(p, "model", ""), model, 0) == 0)
			break;
	if (!p)
		return 0;
	cost = (double)t->input * (double)json_int(p, "input", 0) +
	       (double)t->output * (double)json_int(p, "output", 0) +
	       (double)t->cache_read * (double)json_int(p, "cache_read", 0) +
	       (double)t->cache_write * (double)json_int(p, "cache_write", 0);
	cost = cost / MILLION + 0.5;
	return cost < (double)TOKENS_MAX ? (int64_t)cost : TOKENS_MAX;
}

void tokens_text(int64_t n, char out[TOKENS_TEXT])
{
	static const char units[] = " kMGT";
	double v = (double)n;
	size_t unit = 0;

	/* 999.5 would be printed as 1000. */
	for (; v >= 999.5 && unit < 4; unit++)
		v /= 1000;
	if (unit == 0)
		snprintf(out, TOKENS_TEXT, "%lld", (long long)n);
	else
		snprintf(out, TOKENS_TEXT, v < 9.95 ? "%.1f%c" : "%.0f%c", v,
			 units[unit]);
}

void tokens_text_cost(int64_t cost_micro, char out[TOKENS_TEXT])
{
	if (cost_micro <= 0)
		snprintf(out, TOKENS_TEXT, "-");
	else
		snprintf(out, TOKENS_TEXT, "$%.2f",
			 (double)cost_micro / MILLION);
}
