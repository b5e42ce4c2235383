/* test_usage_limit.c - what agents say of a limit, as recorded: why, and until
 * when.
 */
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "adapters/usage_limit.h"
#include "base/clock.h"
#include "adapters/registry.h"
#include "adapters/adapter.h"
#include "support_unit.h"
#include "support_view.h"

/* Reads words at a time of RFC 3339, with local time two hours ahead. */
static struct usage_limit read_at(const char *words, const char *at)
{
	struct usage_limit l;

	setenv("TZ", "XXX-2", 1);
	tzset();
	usage_limit_read(words, clock_parse(at), &l);
	return l;
}

/* Checks the reason and the time, "" for none. */
static void check(const char *words, const char *reason, const char *until)
{
	struct usage_limit l = read_at(words, "2026-11-28T14:16:30.000Z");
	char text[CLOCK_RFC3339_SIZE] = "";

	if (l.until)
		clock_format(l.until, text);
	assert_string_equal(usage_limit_name(l.reason), reason);
	assert_string_equal(text, until);
}

TEST(usage_limit__the_words_of_claude)
{
	check("You've hit your 5-hour limit · resets 4:17pm (UTC)",
	      "usage limit", "2026-11-28T16:17:00.000Z");
	check("You've hit your weekly limit · resets 4:18pm (UTC)",
	      "weekly limit", "2026-11-28T16:18:00.000Z");
	check("You've hit your Opus limit · resets 4:19pm (UTC)",
	      "limit of the model", "2026-11-28T16:19:00.000Z");
	if (access("/usr/share/zoneinfo/Europe/Berlin", F_OK) == 0)
		check("You've hit your 5-hour limit · resets 4pm "
		      "(Europe/Berlin)",
		      "usage limit", "2026-11-28T15:00:00.000Z");
	check("You've hit your weekly limit · resets Dec 2, 9am (UTC)",
	      "weekly limit", "2026-12-02T09:00:00.000Z");
	check("API Error: Server is temporarily limiting requests (not your "
	      "usage limit) · This request would exceed your organization's "
	      "rate limit",
	      "too many requests", "");
	check("API Error: Request rejected (429) · This request",
	      "too many requests", "");
	check("Credit balance is too low", "no credit left", "");
	check("529 Overloaded · retrying in 15s · attempt 6/10",
	      "server overloaded", "2026-11-28T14:16:45.000Z");
}

TEST(usage_limit__the_words_of_the_others)
{
	check("You’ve hit your usage limit. Upgrade to Pro "
	      "(https://chatgpt.com/explore/pro), visit "
	      "https://chatgpt.com/settings/usage to purchase more credits or "
	      "try again at 4:40 PM.",
	      "usage limit", "2026-11-28T14:40:00.000Z");
	check("You’ve hit your usage limit. Try again at Feb 28th, 2027 9:26 "
	      "PM.",
	      "usage limit", "2027-02-28T19:26:00.000Z");
	check("You’ve hit your usage limit. Visit "
	      "https://chatgpt.com/settings/usage to purchase more credits or "
	      "try again later.",
	      "usage limit", "");
	check("Quota exceeded. Check your plan and billing details.",
	      "no credit left", "");
	check("Selected model is at capacity. Please try a different model.",
	      "server overloaded", "");
	check("Usage limit reached for gemini-3.8-flash.", "limit of the model",
	      "");
	check("tries again: Usage limit reached. Resets in 7260s.",
	      "usage limit", "2026-11-28T16:17:30.000Z");
	check("Rate limit reached for fake-model. Please try again in 1m 20.5s",
	      "too many requests", "2026-11-28T14:17:50.000Z");
	check("You have hit your usage limit; try again in 5 days 2 hours",
	      "usage limit", "2026-12-03T16:16:30.000Z");
}

TEST(usage_limit__a_login_is_one)
{
	check("Please run /login · API Error: 401 OAuth token has expired. "
	      "Please obtain a new token or refresh your existing token.",
	      "login needed", "");
	check("Please run /login · API Error: 403 OAuth token revoked",
	      "login needed", "");
	check("unexpected status 401 Unauthorized: Incorrect API key provided: "
	      "k.",
	      "login needed", "");
	check("API Error: {\"error\":{\"code\":400,\"status\":"
	      "\"INVALID_ARGUMENT\",\"message\":\"API key not valid. Please "
	      "pass a valid API key.\"",
	      "login needed", "");
	check("Incorrect API key provided: k.", "login needed", "");
}

TEST(usage_limit__unknown_words_are_none)
{
	check("", "", "");
	check("To use Codex with your plan, upgrade to Plus", "", "");
}

TEST(usage_limit__a_time_is_the_next_one_and_never_nonsense)
{
	const char *words =
	    "You've hit your 5-hour limit · resets 2:16pm (UTC)";
	struct usage_limit l = read_at(words, "2026-11-28T14:16:59.000Z");

	/* The minute that runs is not tomorrow's. */
	assert_int_equal(l.until, clock_parse("2026-11-28T14:16:00.000Z"));
	l = read_at(words, "2026-11-28T14:17:00.000Z");
	assert_int_equal(l.until, clock_parse("2026-11-29T14:16:00.000Z"));
	l = read_at(words, "2026-12-31T20:00:00.000Z");
	assert_int_equal(l.until, clock_parse("2027-01-01T14:16:00.000Z"));
	l = read_at("weekly limit · resets Jan 3, 9am (UTC)",
		    "2026-12-31T20:00:00.000Z");
	assert_int_equal(l.until, clock_parse("2027-01-03T09:00:00.000Z"));
	check("usage limit, resets 25:00", "usage limit", "");
	check("usage limit, resets 13pm", "usage limit", "");
	check("usage limit, resets 4", "usage limit", "");
	check("usage limit, resets 4:99pm", "usage limit", "");
	check("usage limit, resets in 999999999999h", "usage limit", "");
	check("usage limit, resets in 99999999d", "usage limit", "");
	check("usage limit, try again at Feb 28th, 2020 9:26 PM", "usage limit",
	      "");
	check("usage limit, resets Foo 3, 9am", "usage limit", "");
	check("usage limit, resets at Feb 28th, 9999 9:26 PM", "usage limit",
	      "");
	/* No zone of this system: the local one. */
	check("usage limit, resets 4pm (../../etc)", "usage limit",
	      "2026-11-29T14:00:00.000Z");
	check("usage limit, resets 4pm (Mars/Base)", "usage limit",
	      "2026-11-29T14:00:00.000Z");
	if (access("/usr/share/zoneinfo/America/New_York", F_OK) == 0)
		check("usage limit, resets 11:30pm (America/New_York)",
		      "usage limit", "2026-11-29T04:30:00.000Z");
}

/* Checks the words that an agent's screen has on a limit, "" for none. */
static void check_screen(const struct adapter *a, const char *text,
			 const char *words, char key)
{
	struct rules *rules = rules_of(a->name);
	struct screen_state out;
	struct recorded r;

	recorded_text(&r, text, 120);
	adapter_read_screen(a, rules, &r.view, &out);
	assert_string_equal(out.limit, words);
	assert_int_equal(out.limit_key, key);
	recorded_finish(&r);
	rules_destroy(rules);
}

#define CODEX_WORK "› work\n\n"
#define CODEX_LIMIT                                                               \
	"■ You’ve hit your usage limit. Upgrade to Pro or try again at 4:21 " \
	"PM.\n\n"
#define CODEX_DIALOG                                                           \
	"  Approaching rate limits\n"                                          \
	"  Switch to gpt-6-luna for lower credit usage?\n\n"                   \
	"› 1. Switch to gpt-6-luna\n"                                        \
	"  2. Keep current model\n"                                            \
	"  3. Keep current model (never show again)\n\n"                       \
	"  enter select · esc back\n"
#define CODEX_COMPOSER                                                         \
	"› Ask Codex to do anything\n\n  gpt-5.2-codex default · ~/repo\n"
#define GEMINI_TOP   "╭──────────────────────────────╮\n"
#define GEMINI_ENDS  "╰──────────────────────────────╯\n"
#define GEMINI_LIMIT "│ Usage limit reached for gemini-3.8-flash.   │\n"
#define GEMINI_MENU  "│ ● 1. Keep trying  │\n│   2. Stop  │\n"

TEST(usage_limit__screens_show_it)
{
	static const char said[] = "You’ve hit your usage limit. Upgrade to "
				   "Pro or try again at 4:21 PM.";

	check_screen(&adapter_codex, CODEX_WORK CODEX_LIMIT CODEX_COMPOSER,
		     said, '\0');
	check_screen(&adapter_codex, CODEX_WORK CODEX_LIMIT CODEX_DIALOG, said,
		     '2');
	check_screen(&adapter_gemini,
		     GEMINI_TOP GEMINI_LIMIT GEMINI_MENU GEMINI_ENDS,
		     "Usage limit reached for gemini-3.8-flash.", '1');
}

/* What the model, a tool or the user writes, and what an older turn has left.
 */
/* Its warning after a good turn is the same dialog without words on a limit; a
 * row of the model above another dialog is none. */
TEST(usage_limit__a_dialogs_key_is_in_the_dialog)
{
	check_screen(&adapter_codex, CODEX_WORK "• fine\n\n" CODEX_DIALOG, "",
		     '2');
	check_screen(&adapter_codex,
		     CODEX_WORK "• fine\n  2. Keep current model\n\n"
				"  Select Model and Effort\n\n"
				"› 1. one (current)\n"
				"  2. two\n\n"
				"  enter select · esc back\n",
		     "", '\0');
	check_screen(&adapter_codex,
		     CODEX_WORK
		     "• fine\n  Approaching rate limits\n"
		     "› 1. Switch\n  2. Keep current model\n\n" CODEX_COMPOSER,
		     "", '\0');
}

TEST(usage_limit__others_words_are_none)
{
	check_screen(&adapter_codex,
		     CODEX_WORK
		     "• ■ You’ve hit your usage limit.\n"
		     "  ■ You’ve hit your usage limit.\n\n" CODEX_COMPOSER,
		     "", '\0');
	check_screen(&adapter_codex,
		     CODEX_LIMIT "› ■ You’ve hit your usage limit.\n\n"
				 "• fine\n\n" CODEX_COMPOSER,
		     "", '\0');
	check_screen(&adapter_gemini, GEMINI_TOP GEMINI_LIMIT GEMINI_ENDS, "",
		     '\0');
	check_screen(
	    &adapter_claude,
	    "❯ work\n\n"
	    "● You've hit your 5-hour limit · resets 4:29pm (UTC)\n"
	    "  ⎿  You've hit your 5-hour limit · resets 4:29pm (UTC)\n",
	    "", '\0');
}
