/*
 * test_adapter_sections.c - rows of agents that only a section describes, as
 * the real programs draw them.
 */
#include "adapters/registry.h"
#include "support_unit.h"
#include "support_view.h"

struct row_case {
	const char *agent, *rows;
	enum activity activity;
	const char *detail;
};

#define COMPOSER                                                                                       \
	"\n────────────────\n>   Type your message or @path/to/file\n" \
	"────────────────\n  ? for shortcuts"

static int check(const struct row_case *c)
{
	struct rules *rules = rules_of(c->agent);
	struct screen_state look;
	struct recorded rec;
	int bad;

	recorded_text(&rec, c->rows, 100);
	rec.view.cursor_visible = true;
	adapter_read_screen(&adapter_generic, rules, &rec.view, &look);
	bad = look.reading.activity != c->activity ||
	      (c->detail && !strstr(look.reading.detail, c->detail));
	if (bad)
		fprintf(stderr, "%s\n%s\nis %s: %s\n", c->agent, c->rows,
			activity_name(look.reading.activity),
			look.reading.detail);
	recorded_finish(&rec);
	rules_destroy(rules);
	return bad;
}

/* Qwen Code wraps the end of its busy row behind long words, and gives it a row
 * of its own below 80 columns. */
TEST(sections__see_a_busy_row_that_wraps)
{
	static const struct row_case cases[] = {
	    {"qwen", "  ⠋ Words... (7s · esc to cancel)" COMPOSER,
	     ACTIVITY_WORKING, "Words..."},
	    {"qwen",
	     "     Words... (1m 7s · ↓ 1.2k tokens · esc to cancel)" COMPOSER,
	     ACTIVITY_WORKING, "Words..."},
	    {"qwen",
	     "  .. I've seen things (1s · esc to\n"
	     "  .                   cancel)" COMPOSER,
	     ACTIVITY_WORKING, "I've seen things"},
	    {"qwen",
	     "  .. I've seen things  (5s · ↓ 2 tokens · esc\n"
	     "                       to cancel)" COMPOSER,
	     ACTIVITY_WORKING, "I've seen things"},
	    {"qwen",
	     "  .. I've seen (1h 5s · ↓ 2\n"
	     "               tokens · esc to cancel)" COMPOSER,
	     ACTIVITY_WORKING, "I've seen"},
	    {"qwen",
	     "  ... I've seen things you people loa\ndin…\n"
	     "  (1s · esc to cancel)" COMPOSER,
	     ACTIVITY_WORKING, NULL},
	    {"qwen", "  ✦ It took long (5s in all)" COMPOSER, ACTIVITY_IDLE,
	     ""},
	    {"qwen", "  ✦ Press (esc to cancel)" COMPOSER, ACTIVITY_IDLE, ""},
	};
	int bad = 0;

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		bad += check(&cases[i]);
	assert_int_equal(bad, 0);
}
