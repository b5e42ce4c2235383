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

static void check_all(const struct row_case *cases, size_t n)
{
	int bad = 0;

	for (size_t i = 0; i < n; i++)
		bad += check(&cases[i]);
	assert_int_equal(bad, 0);
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

	check_all(cases, sizeof cases / sizeof cases[0]);
}

/* Before their login, with the real programs. */
TEST(sections__wait_for_a_login)
{
	static const struct row_case cases[] = {
	    {"cline",
	     "  │ ☺ Sign in with Cline                 → │\n"
	     "  │ ✦ Sign in with ClinePass               │\n"
	     "  │ ⚷ Bring your own provider              │\n\n"
	     "  ↑/↓ navigate, Enter to select, Ctrl+C to exit",
	     ACTIVITY_WAITING_FOR_INPUT, "Sign in with ClinePass"},
	    {"letta",
	     " Let's get you authenticated:\n\n > Login to Letta Code\n   "
	     "Exit\n\n"
	     " Use ↑/↓ to navigate, Enter to select",
	     ACTIVITY_WAITING_FOR_INPUT, "Login to Letta Code"},
	    {"qwen",
	     "  │ Select Authentication Method │\n"
	     "  │ › Alibaba ModelStudio        │",
	     ACTIVITY_WAITING_FOR_INPUT, "Select Authentication Method"},
	    {"copilot",
	     "Please use /login to sign in to use Copilot\n ~/repo [main]\n"
	     "╻▄▄▄▄\n┃\n╹▀▀▀▀",
	     ACTIVITY_WAITING_FOR_INPUT, "Please use /login"},
	};

	check_all(cases, sizeof cases / sizeof cases[0]);
}

/* Of those that were not tried, as their documentation and their source have
 * it: nothing is typed while they ask. */
TEST(sections__wait_while_an_agent_asks)
{
	static const struct row_case cases[] = {
	    {"aider",
	     "src/a.c\n"
	     "Add file to the chat? (Y)es/(N)o/(D)on't ask again [Yes]: ",
	     ACTIVITY_WAITING_FOR_INPUT, "Add file to the chat?"},
	    {"aider",
	     "Add file to the chat? (Y)es/(N)o [Yes]: y\n\n"
	     "─────\na.c\n> ",
	     ACTIVITY_NONE, ""},
	    {"crush",
	     "╱╱ Permission Required ╱╱\n Tool Bash\n"
	     "      Allow      Allow for Session      Deny",
	     ACTIVITY_WAITING_FOR_INPUT, NULL},
	    {"crush", "  > Ready for instructions\n:::\n:::", ACTIVITY_NONE,
	     ""},
	    {"cursor-agent",
	     "Workspace Trust Required\n[a] Trust this workspace\n"
	     "  → Plan, search, build anything",
	     ACTIVITY_WAITING_FOR_INPUT, "Workspace Trust Required"},
	    {"cursor-agent",
	     " │ Run this command? Not in allowlist: rm\n"
	     " │  → Run (once) (y) (enter)",
	     ACTIVITY_WAITING_FOR_INPUT, "Run this command?"},
	    {"cursor-agent", "  → Add a follow-up      ctrl+c to stop",
	     ACTIVITY_WORKING, NULL},
	    {"cursor-agent", "  → Add a follow-up", ACTIVITY_IDLE, ""},
	    {"goose",
	     "◆  Goose would like to call the above tool, do you allow?\n"
	     "│  ● Allow (Allow the tool call once)\n│  ○ Deny\n└",
	     ACTIVITY_WAITING_FOR_INPUT, "Goose would like"},
	    {"goose",
	     "◇  Goose would like to call the above tool, do you allow?\n"
	     "│  Allow\n( O)> ",
	     ACTIVITY_NONE, ""},
	    {"kiro",
	     "Allow this action? Use 't' to trust (always allow) this tool "
	     "for the session. [y/n/t]:\n\n> ",
	     ACTIVITY_WAITING_FOR_INPUT, "Allow this action?"},
	    {"kiro", "[agent] > ", ACTIVITY_NONE, ""},
	};

	check_all(cases, sizeof cases / sizeof cases[0]);
}
