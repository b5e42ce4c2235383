/* test_observer.c - output in, readings told: when, and what the screen has. */
#include "activity/observer.h"
#include "adapters/registry.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "support_unit.h"
#include "support_view.h"

#define WORKS "\033]7501;state=working\033\\"
#define DONE  "\033]7501;state=done\033\\"
#define ASKS  "\033]7501;state=blocked:kind=permission\033\\"

/* The receiver of events, and the output that it reads at once, as the sender
 * does. */
static const struct adapter generic = {.name = "generic"};

/* One for each test. */
static struct listener {
	struct observer observer;
	struct rules *rules;
	const char *more;
	struct buf notes;
} l;

static void on_heard(void *ctx, const struct reading *r)
{
	const char *more = l.more;

	buf_adds(&l.notes, activity_name(r->activity));
	buf_adds(&l.notes, "[");
	screen_row_text(l.observer.screen, 0, false, &l.notes);
	buf_adds(&l.notes, "] ");
	l.more = NULL;
	if (more)
		observer_output(&l.observer, more, strlen(more), 2);
}

static int finish(void **state)
{
	observer_finish(&l.observer);
	rules_destroy(l.rules);
	buf_finish(&l.notes);
	l = (struct listener){0};
	return 0;
}

FIXTURE(NULL, finish)

/* rules: whose; or NULL. */
static void start(const struct adapter *adapter, const char *rules, int rows)
{
	struct observer_events events = {.reading = on_heard};

	l.rules = rules ? rules_of(rules) : NULL;
	observer_init(&l.observer, adapter, l.rules);
	observer_open(&l.observer, 40, rows, 0, &events);
}

static void output(const char *data)
{
	observer_output(&l.observer, data, strlen(data), 1);
}

static void notes_are(const char *want)
{
	buf_add(&l.notes, "\0", 1);
	assert_string_equal(l.notes.data, want);
	buf_clear(&l.notes);
}

static void row_is(int at, const char *want)
{
	struct buf text = {0};

	screen_row_text(l.observer.screen, at, false, &text);
	buf_add(&text, "\0", 1);
	assert_string_equal(text.data, want);
	buf_finish(&text);
}

/* Half a picture is not used: a menu may be in the other half. */
TEST(observer__tell_when_the_screen_has_all)
{
	start(&generic, NULL, 4);
	output("one " WORKS "two " DONE "three");
	notes_are("working[one two three] completed[one two three] ");
}

/*
 * Seen with Codex: its title ended a message, the next one was begun on the
 * spot, for which the terminal was read, and of what had been read before the
 * rest was lost. Its screen was in pieces until the next full repaint.
 */
TEST(observer__may_be_fed_by_who_is_told)
{
	start(&generic, NULL, 4);
	l.more = "\033[2;1Hsecond" DONE "\033[";
	output(WORKS "\033[1;1Hfirst");
	notes_are("working[first] completed[first] ");
	output("3;1Hthird");
	row_is(0, "first");
	row_is(1, "second");
	row_is(2, "third");
}

/* However much is reported in one read, the last report applies. */
TEST(observer__bound_what_they_keep)
{
	struct buf all = {0};
	struct verdict v;

	start(&generic, NULL, 4);
	for (int i = 0; i < 1000; i++)
		buf_adds(&all, WORKS);
	buf_adds(&all, ASKS);
	observer_output(&l.observer, all.data, all.len, 1);
	assert_true(l.notes.len > 0 && l.notes.len < 400);
	assert_memory_equal(l.notes.data + l.notes.len - 20,
			    "waiting_for_input[] ", 20);
	observer_verdict(&l.observer, 2, &v);
	assert_int_equal(v.activity, ACTIVITY_WAITING_FOR_INPUT);
	buf_finish(&all);
}

#define PART(state, id)                                                        \
	"\033]7501;state=" state ":app=claude-code:id=" id "\033\\"

/* Only changes are printed: the harness's own state remains while its
 * sub-agents start, ask and end. */
TEST(observer__a_sub_agent_is_not_the_harness)
{
	struct verdict v;

	start(&generic, NULL, 4);
	output(WORKS PART("working", "a1") PART("working", "a2"));
	output(PART("done", "a1") "\033]7501;state=clear:id=a1\033\\");
	output(PART("blocked", "a2"));
	notes_are("working[] ");
	observer_verdict(&l.observer, 2, &v);
	assert_int_equal(v.activity, ACTIVITY_WORKING);
	assert_int_equal(v.source, SOURCE_PROGRAM_STATUS);
	output(DONE);
	output(PART("working", "a2") "\033]7501;state=clear:id=a2\033\\");
	notes_are("completed[] ");
	observer_verdict(&l.observer, 60000, &v);
	assert_int_equal(v.activity, ACTIVITY_COMPLETED);
}

static bool tells(const char *event, const char *payload, int64_t now)
{
	cJSON *o = cJSON_Parse(payload);
	struct reading r;
	bool says = observer_event(&l.observer, event, o, &r, now);

	cJSON_Delete(o);
	return says;
}

#define BEGUN(source, id)                                                      \
	"{\"transcript_path\":\"/x\",\"source\":\"" source                     \
	"\",\"session_id\":\"" id "\"}"
#define STOPPED(id) "{\"transcript_path\":\"/x\",\"session_id\":\"" id "\"}"

/* Codex's /side: a fork that begins while the composer is not free. After /fork
 * it is. */
TEST(observer__a_conversation_beside_the_main_one_is_not_heard)
{
	start(&adapter_codex, "codex", 12);
	l.observer.shown.composer = COMPOSER_ABSENT;
	assert_true(tells("SessionStart", BEGUN("fork", "main"), 1));
	l.observer.shown.composer = COMPOSER_EMPTY;
	assert_true(tells("Stop", STOPPED("main"), 2));
	l.observer.shown.composer = COMPOSER_ABSENT;
	assert_false(tells("SessionStart", BEGUN("fork", "side"), 3));
	assert_false(tells("Stop", STOPPED("side"), 4));
	assert_true(tells("Stop", STOPPED("main"), 5));
	assert_true(tells("SessionStart", BEGUN("resume", "other"), 6));
	assert_false(tells("Stop", STOPPED("side"), 7));
	l.observer.shown.composer = COMPOSER_EMPTY;
	assert_true(tells("SessionStart", BEGUN("fork", "copy"), 8));
}

#define RULE "────────────────────────────────────────\r\n"
#define MENU                                                                   \
	RULE " Bash command\r\n ls\r\n"                                        \
	     " Do you want to proceed?\r\n ❯ 1. Yes\r\n   2. No\r\n\r\n"     \
	     " Esc to cancel\r\n"

/* Claude Code, interrupted as it drew its menu: the menu and "idle" come at
 * once, and the frame without it a moment later. */
TEST(observer__look_before_they_tell_a_rest)
{
	static const char both[] = MENU "\033]7501;state=idle\033\\";
	struct verdict v;

	start(&adapter_claude, "claude", 12);
	tells("UserPromptSubmit", "{}", 1);
	tells("PermissionRequest", "{\"tool_name\":\"Bash\"}", 2);
	observer_verdict(&l.observer, 10, &v);
	assert_int_equal(v.activity, ACTIVITY_WAITING_FOR_INPUT);
	observer_typed(&l.observer, true, 11);
	observer_output(&l.observer, both, sizeof both - 1, 20);
	observer_verdict(&l.observer, 20, &v);
	assert_int_equal(v.activity, ACTIVITY_WAITING_FOR_INPUT);
	observer_output(&l.observer, "\033[H\033[2J", 7, 30);
	observer_read_screen(&l.observer, 60);
	observer_verdict(&l.observer, 60, &v);
	assert_int_equal(v.activity, ACTIVITY_IDLE);
}

/* A person has denied by Esc while the hook that reports the question is still
 * on its way. */
TEST(observer__what_was_asked_in_an_ended_turn_is_past)
{
	struct verdict v;
	static const char asks[] = "{\"prompt_id\":\"one\","
				   "\"tool_name\":\"Bash\"}";
	static const char rests[] =
	    "\033[H\033[2J" RULE "❯ \r\n" RULE "\033]0;✳ x\033\\";

	start(&adapter_claude, "claude", 12);
	tells("UserPromptSubmit", "{\"prompt_id\":\"one\"}", 1);
	observer_output(&l.observer, MENU, sizeof MENU - 1, 100);
	observer_read_screen(&l.observer, 130);
	observer_verdict(&l.observer, 130, &v);
	assert_int_equal(v.activity, ACTIVITY_WAITING_FOR_INPUT);
	/* Before it is idle, a question is reported. */
	observer_typed(&l.observer, true, 200);
	assert_true(tells("PermissionRequest", asks, 210));
	observer_output(&l.observer, rests, sizeof rests - 1, 300);
	observer_read_screen(&l.observer, 330);
	for (int64_t t = 330; t < 15000; t += 100)
		observer_verdict(&l.observer, t, &v);
	assert_int_equal(v.activity, ACTIVITY_IDLE);
	assert_false(tells("PermissionRequest", asks, 15000));
	observer_verdict(&l.observer, 15000, &v);
	assert_int_equal(v.activity, ACTIVITY_IDLE);
	/* Another turn's is not. */
	tells("UserPromptSubmit", "{\"prompt_id\":\"two\"}", 16000);
	assert_true(tells("PermissionRequest",
			  "{\"prompt_id\":\"two\",\"tool_name\":\"Bash\"}",
			  17000));
	observer_verdict(&l.observer, 17000, &v);
	assert_int_equal(v.activity, ACTIVITY_WAITING_FOR_INPUT);
}

TEST(observer__half_a_picture_is_not_looked_at)
{
	static const char begin[] = "\033[?2026h\033[H\033[2J";
	static const char end[] =
	    RULE " Bash command\r\n another\r\n"
		 " Do you want to go on?\r\n ❯ 1. Yes\r\n   2. No\r\n\r\n"
		 " Esc to cancel\r\n\033[?2026l";
	int64_t t;

	start(&adapter_claude, "claude", 12);
	observer_output(&l.observer, MENU, sizeof MENU - 1, 10);
	assert_int_equal(l.observer.read_at, 40);
	observer_read_screen(&l.observer, 40);
	assert_true(l.observer.shown.reading.question);
	observer_output(&l.observer, begin, sizeof begin - 1, 50);
	assert_false(observer_is_whole(&l.observer, 60));
	observer_read_screen(&l.observer, 80);
	assert_true(l.observer.shown.reading.question); /* as it was */
	assert_int_equal(l.observer.read_at, 50 + OBSERVER_UPDATE_MS);
	/* The rest of it makes the next reading due soon. */
	observer_output(&l.observer, end, sizeof end - 1, 90);
	assert_true(observer_is_whole(&l.observer, 90));
	assert_int_equal(l.observer.read_at, 120);
	observer_read_screen(&l.observer, 120);
	assert_true(l.observer.shown.reading.question);
	assert_non_null(strstr(l.observer.shown.reading.detail, "to go on"));

	/* Nothing follows of the next one. */
	observer_output(&l.observer, begin, sizeof begin - 1, 130);
	observer_read_screen(&l.observer, 160);
	assert_true(l.observer.shown.reading.question);
	observer_read_screen(&l.observer, l.observer.read_at);
	assert_false(l.observer.shown.reading.question);
	/* Two that follow each other and are read together are two. */
	observer_output(&l.observer, end, sizeof end - 1, 400);
	observer_output(&l.observer, begin, sizeof begin - 1, 410);
	observer_output(&l.observer, "\033[?2026l\033[?2026h", 16, 550);
	assert_false(observer_is_whole(&l.observer, 600));
	/* A question is seen in half a picture, too. */
	observer_read_screen(&l.observer, 600);
	assert_false(l.observer.shown.reading.question);
	observer_output(&l.observer, MENU, sizeof MENU - 1, 610);
	assert_false(observer_is_whole(&l.observer, 610));
	observer_read_screen(&l.observer, 610);
	assert_true(l.observer.shown.reading.question);
	/* And one after the other does not blind for ever. */
	for (t = 620; t < 2000 && l.observer.shown.reading.question; t += 50) {
		observer_output(&l.observer,
				"\033[?2026l\033[?2026h\033[H\033[2J", 23, t);
		observer_read_screen(&l.observer, t);
	}
	assert_true(t > 1000 && t < 1300);
}

/* Claude Code does not wait for its hook of a failure. */
TEST(observer__a_late_failure_is_not_the_next_turns)
{
	struct verdict v;

	start(&adapter_claude, "claude", 4);
	assert_true(tells("UserPromptSubmit", "{\"prompt_id\":\"one\"}", 1));
	assert_true(tells("UserPromptSubmit", "{\"prompt_id\":\"two\"}", 2));
	assert_false(tells("StopFailure", "{\"prompt_id\":\"one\"}", 3));
	observer_verdict(&l.observer, 1000, &v);
	assert_int_equal(v.activity, ACTIVITY_WORKING);
	assert_true(tells("StopFailure", "{\"prompt_id\":\"two\"}", 1001));
	observer_verdict(&l.observer, 5000, &v);
	assert_true(v.failed);
	/* A report without an id is used. */
	assert_true(tells("UserPromptSubmit", "{}", 5001));
	assert_true(tells("StopFailure", "{}", 5002));
}

/* Codex: a sub-agent that gets its prompt after the turn's end has no Stop. */
TEST(observer__a_sub_agents_prompt_begins_no_turn)
{
	static const char prompt[] = "{\"agent_id\":\"a1\",\"agent_type\":"
				     "\"worker\",\"turn_id\":\"t2\","
				     "\"prompt\":\"look there\"}";
	_json_ cJSON *hooks =
	    cJSON_Parse("{\"hook_prompt\":[\"UserPromptSubmit\"],"
			"\"hook_done\":[\"Stop\"]}");
	struct verdict v;

	start(&adapter_codex, NULL, 4);
	/* without its screen */
	l.observer.rules = l.rules = rules_create(hooks, NULL);
	assert_true(tells("UserPromptSubmit", "{\"prompt\":\"hi\"}", 1));
	output(WORKS);
	assert_true(tells("Stop", "{}", 1000));
	observer_output(&l.observer, DONE, sizeof DONE - 1, 1001);
	for (int64_t at = 1001; at <= 20000; at += 500)
		observer_verdict(&l.observer, at, &v);
	assert_int_equal(v.activity, ACTIVITY_COMPLETED);
	assert_false(tells("UserPromptSubmit", prompt, 20001));
	observer_verdict(&l.observer, 20002, &v);
	assert_int_equal(v.activity, ACTIVITY_COMPLETED);
	observer_verdict(&l.observer, 90000, &v);
	assert_int_equal(v.activity, ACTIVITY_COMPLETED);
	/* The next one is ours again. */
	assert_true(tells("UserPromptSubmit", "{\"prompt\":\"x\"}", 90001));
	observer_verdict(&l.observer, 90002, &v);
	assert_int_equal(v.activity, ACTIVITY_WORKING);
}

/* A spinner is read at long intervals, the output after it soon enough, and
 * typed text at once. */
TEST(observer__look_seldom_while_nothing_new_is_seen)
{
	struct observer *s = &l.observer;
	int64_t t, looked = 0, looks = 0;

	start(&adapter_claude, "claude", 12);
	observer_typed(s, false, 90); /* it has started */
	for (t = 100; t <= 2000; t++) {
		if (t % 100 == 0)
			observer_output(s, "\rspins", 6, t);
		if (s->read_at >= 0 && t >= s->read_at) {
			observer_read_screen(s, t);
			looked = t;
			looks += t > 1000;
		}
	}
	assert_true(observer_is_steady(s));
	assert_in_range(looks, 4, 5);
	observer_output(s, "\033[?2026h", 8, t);
	assert_false(observer_is_steady(s));
	observer_output(s, "\033[?2026l", 8, t);
	assert_true(observer_is_steady(s));
	observer_output(s, MENU, sizeof MENU - 1, looked + 100);
	assert_int_equal(s->read_at, looked + 200);
	observer_read_screen(s, s->read_at);
	assert_true(s->shown.reading.question);
	assert_false(observer_is_steady(s));
	t = s->last_read_at + 10;
	observer_output(s, "\r1", 2, t);
	assert_int_equal(s->read_at, t + 30);
}
