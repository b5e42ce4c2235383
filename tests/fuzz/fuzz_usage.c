/*
 * fuzz_usage.c - lines of conversations' files, of anything: what is counted is
 * a count, and the same whether a file is read at once or in parts, between
 * which the state is stored.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/usage.h"
#include "base/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const sections[] = {
    "{\"usage_input\":[\"u.in\"],\"usage_output\":[\"u.out u.more\"],"
    "\"usage_cache_read\":[\"u.read\"],\"usage_cost\":[\"u.cost\"],"
    "\"usage_model\":[\"m\"],\"usage_id\":[\"id\"],"
    "\"usage_input_has_cache\":[\"yes\"]}",
    "{\"usage_input\":[\"u.in\"],\"usage_output\":[\"u.out\"],"
    "\"usage_cache_write\":[\"u.read\"],\"usage_model\":[\"m\"]}",
};

static void check(int64_t n)
{
	if (n < 0 || n > TOKENS_MAX)
		abort();
}

static void check_sums(const struct usage_sums *s)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct tokens *t = &s->v[i].tokens;
		size_t len = strlen(s->v[i].model);

		check(t->input);
		check(t->output);
		check(t->cache_read);
		check(t->cache_write);
		check(t->cost_micro);
		if (len >= USAGE_MODEL || !utf8_valid(s->v[i].model, len))
			abort();
	}
}

static void read_parts(const struct rules *r, const char *text, size_t len,
		       struct usage_sums *sums)
{
	struct usage_file f = {0};

	while (len > 0) {
		const char *nl = memchr(text, '\n', len);
		size_t n = nl ? (size_t)(nl - text) + 1 : len;
		cJSON *o;

		usage_read(r, &f, text, n, sums);
		o = usage_file_json(&f);
		if (!usage_file_parse(o, &f))
			abort();
		cJSON_Delete(o);
		text += n;
		len -= n;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;

	for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++) {
		cJSON *config = cJSON_Parse(sections[i]);
		struct rules *r = rules_create(config, NULL);
		struct usage_sums whole = {0}, parts = {0};
		struct usage_file f = {0};

		if (!r)
			abort();
		usage_read(r, &f, text, size, &whole);
		read_parts(r, text, size, &parts);
		check_sums(&whole);
		if (memcmp(&whole, &parts, sizeof whole) != 0)
			abort();
		rules_destroy(r);
		cJSON_Delete(config);
	}
	return 0;
}
