/* test_usage.c - tokens, from what agents have stored (recorded with their
 * programs) and from what nobody should. */
#include <fcntl.h>

#include "adapters/usage.h"
#include "base/clock.h"
#include "base/file.h"
#include "support_unit.h"
#include "support_view.h"

static struct usage_sums sums;
static struct usage_file file;

static void read_text(struct rules *r, const char *text)
{
	usage_read(r, &file, text, strlen(text), &sums);
}

static void reset(int64_t since)
{
	sums = (struct usage_sums){0};
	file = (struct usage_file){.since = since};
}

static void check(size_t i, const char *model, int64_t input, int64_t output,
		  int64_t cache_read, int64_t cache_write)
{
	const struct tokens *t = &sums.v[i].tokens;

	assert_true(i < sums.n);
	assert_string_equal(sums.v[i].model, model);
	assert_int_equal(t->input, input);
	assert_int_equal(t->output, output);
	assert_int_equal(t->cache_read, cache_read);
	assert_int_equal(t->cache_write, cache_write);
}

static char *recorded(const char *agent)
{
	char *path = mem_printf("tests/unit/data/usage/%s.jsonl", agent);
	struct buf text = {0};

	assert_int_equal(file_read(AT_FDCWD, path, 1 << 20, &text, NULL), 0);
	free(path);
	return buf_steal(&text);
}

/* Reads it whole, then again line by line, storing what is known in between. */
static void read_recorded(const char *agent, const char *model, size_t models)
{
	struct rules *r = rules_of(agent);
	char *text = recorded(agent);

	/* All of it is from before. */
	reset(clock_parse("2027-01-01T00:00:00Z"));
	read_text(r, text);
	assert_int_equal(sums.n, 0);
	for (int lines = 0; lines < 2; lines++) {
		reset(0);
		for (char *s = text; *s;) {
			size_t len = lines ? strcspn(s, "\n") + 1 : strlen(s);
			cJSON *o;

			usage_read(r, &file, s, len, &sums);
			s += len;
			o = usage_file_json(&file);
			assert_true(usage_file_parse(o, &file));
			cJSON_Delete(o);
		}
		assert_int_equal(sums.n, models);
		check(0, model, 3000, 120, 5300,
		      strcmp(agent, "claude") == 0 ? 60 : 0);
	}
	free(text);
	rules_destroy(r);
}

TEST(usage__counts_a_message_once)
{
	read_recorded("claude", "claude-opus-5-5", 2);
	check(1, "claude-haiku-4-5", 100, 7, 0, 0); /* an agent it has begun */
}

TEST(usage__knows_what_the_others_store)
{
	read_recorded("codex", "gpt-5.2-codex", 1);
	read_recorded("gemini", "gemini-3.8-flash", 1);
	read_recorded("pi", "model", 1);
	read_recorded("copilot", "model", 1);
}

#define LINE(id, in, out)                                                      \
	"{\"id\":\"" id "\",\"m\":\"m\",\"u\":{\"in\":" in ",\"out\":" out     \
	"}}\n"

static struct rules *plain(const char *more)
{
	char *text = mem_printf("{\"usage_input\":[\"u.in\"],"
				"\"usage_output\":[\"u.out\"],"
				"\"usage_model\":[\"m\"]%s}",
				more);
	cJSON *o = cJSON_Parse(text);
	struct rules *r = rules_create(o, NULL);

	assert_non_null(r);
	cJSON_Delete(o);
	free(text);
	return r;
}

TEST(usage__leaves_nonsense_out)
{
	static const char *const lines[] = {
	    LINE("a", "-1", "5"),
	    LINE("a", "1e300", "5"),
	    LINE("a", "9223372036854775807", "5"),
	    LINE("a", "1e999", "5"),
	    LINE("a", "\"7\"", "\"5\""),
	    LINE("a", "{}", "[]"),
	    "{\"u\":{\"in\":5,\"out\":5}",
	    "{\"u\":{\"in\":5,\"out\":5}} x\n",
	    "\"out\"\n",
	    "\n\n\"out\":\n",
	    "{\"u\":{\"u\":{\"in\":5,\"out\":5}}}\n",
	};
	struct rules *r = plain("");

	for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
		reset(0);
		read_text(r, lines[i]);
		assert_int_equal(sums.n, 0);
	}
	/* The next line counts. */
	read_text(r, LINE("a", "7", "5"));
	check(0, "m", 7, 5, 0, 0);
	rules_destroy(r);
}

TEST(usage__sums_do_not_overflow)
{
	struct rules *r = plain("");

	reset(0);
	for (int i = 0; i < 3000; i++)
		read_text(r, LINE("a", "999999999999", "1"));
	check(0, "m", TOKENS_MAX, 3000, 0, 0);
	rules_destroy(r);
}

TEST(usage__a_repeated_message_counts_its_largest_numbers)
{
	struct rules *r = plain(",\"usage_id\":[\"id\"]");

	reset(0);
	read_text(r, LINE("a", "100", "10") LINE("b", "1", "0")
			 LINE("a", "40", "5") LINE("a", "120", "10"));
	check(0, "m", 121, 10, 0, 0);
	rules_destroy(r);
}

TEST(usage__names_of_models_are_printable_and_few)
{
	struct rules *r = plain("");

	reset(0);
	read_text(r, "{\"m\":\"a\\u001b]0;x\\u0007\\u202eb\",\"u\":{\"in\":1,"
		     "\"out\":1}}\n");
	check(0, "a?]0;x??b", 1, 1, 0, 0);
	for (int i = 0; i < 100; i++) {
		char *line = mem_printf("{\"m\":\"model-%d-%0200d\",\"u\":"
					"{\"in\":1,\"out\":0}}\n",
					i, i);

		read_text(r, line);
		free(line);
	}
	assert_int_equal(sums.n, USAGE_MODELS);
	assert_int_equal(strlen(sums.v[1].model), USAGE_MODEL - 1);
	rules_destroy(r);
}

TEST(usage__a_stored_state_is_checked)
{
	static const char *const texts[] = {
	    "{}",
	    "{\"at\":-1}",
	    "{\"at\":\"1\"}",
	    "{\"at\":1e300}",
	};

	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		cJSON *o = cJSON_Parse(texts[i]);

		assert_false(usage_file_parse(o, &file));
		cJSON_Delete(o);
	}
}

TEST(tokens__are_priced_by_the_first_pattern)
{
	const struct tokens t = {1000000, 100000, 2000000, 10, 0};
	cJSON *prices = cJSON_Parse(
	    "[{\"model\":\"m-2*\",\"input\":1000000,\"output\":2000000,"
	    "\"cache_read\":100000,\"cache_write\":5},"
	    "{\"model\":\"m*\",\"input\":7000000,\"output\":0,"
	    "\"cache_read\":0,\"cache_write\":0}]");
	const struct tokens huge = {TOKENS_MAX, 0, 0, 0, 0};

	assert_int_equal(tokens_price(&t, prices, "m-2.1"), 1400000);
	assert_int_equal(tokens_price(&t, prices, "m"), 7000000);
	assert_int_equal(tokens_price(&t, prices, "x"), 0);
	assert_int_equal(tokens_price(&t, NULL, "m"), 0);
	assert_int_equal(tokens_price(&huge, prices, "m"), TOKENS_MAX);
	cJSON_Delete(prices);
}

TEST(tokens__are_printed_in_five_columns)
{
	static const struct {
		int64_t n;
		const char *text;
	} rows[] = {{0, "0"},	      {999, "999"},	    {1000, "1.0k"},
		    {9949, "9.9k"},   {9950, "10k"},	    {999499, "999k"},
		    {999500, "1.0M"}, {TOKENS_MAX, "1000T"}};
	char out[TOKENS_TEXT];

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		tokens_text(rows[i].n, out);
		assert_string_equal(out, rows[i].text);
	}
}
