/* test_session_json.c - sessions that another machine has printed. */
#include "base/json.h"
#include "session/session.h"
#include "support_unit.h"

static struct err err;

#define ID "0123456789abcdef0123456789abcdef"
#define BEGIN                                                                  \
	"{\"id\":\"" ID                                                        \
	"\",\"name\":\"fix\",\"phase\":\"running\",\"activity\":\"idle\""

static int read_text(struct session *s, const char *text, int64_t shift_ms)
{
	cJSON *o = json_parse_object(text, strlen(text), &err);

	assert_non_null(o);
	return session_from_json(s, o, shift_ms, &err);
}

TEST(session_json__has_what_a_list_shows)
{
	_session_ struct session s;
	cJSON *o;

	assert_int_equal(
	    read_text(&s,
		      BEGIN
		      ",\"repository\":\"/src/web\",\"groups\":[\"a\",\"b\"],"
		      "\"merged\":true,\"pid\":1,\"supervisor_pid\":1,"
		      "\"cost_usd\":1.5,\"pr\":\"https://x/1\",\"new\":7,"
		      "\"services\":[{\"name\":\"db\"}],\"host\":\"evil\","
		      "\"with\":[],"
		      "\"created_at\":\"2026-11-30T00:00:01.000Z\"}",
		      500),
	    0);
	assert_string_equal(s.spec.id, ID);
	assert_string_equal(s.spec.name, "fix");
	assert_string_equal(s.spec.repository_name, "web");
	assert_string_equal(session_status_word(&s), "idle");
	assert_int_equal(s.groups.n, 2);
	assert_null(s.spec.with); /* it has one repository */
	assert_true(s.alive);
	assert_int_equal(s.state.counts.merged, 1);
	assert_int_equal(s.state.tokens.cost_micro, 1500000);
	assert_int_equal(cJSON_GetArraySize(s.state.services), 1);
	assert_int_equal(s.spec.created_at % 60000, 1500);
	/* They are processes of another machine. */
	assert_int_equal(s.state.pid, 0);
	assert_int_equal(s.state.supervisor_pid, 0);
	s.host = mem_strdup("gpu");
	o = session_to_json(&s);
	assert_string_equal(json_str(o, "host"), "gpu");
	assert_string_equal(json_str(o, "pr"), "https://x/1");
	assert_int_equal(json_int(o, "new", 0), 7);
	assert_int_equal(json_int(o, "pid", 0), 1);
	assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(o, "services")),
			 1);
	cJSON_Delete(o);
}

TEST(session_json__strings_are_printable)
{
	_session_ struct session s;
	cJSON *o;

	assert_int_equal(
	    read_text(&s,
		      BEGIN
		      ",\"repository\":\"web\",\"branch\":\"a\\u001b[2J\\nb\","
		      "\"x\":[{\"y\":\"\\u009bc\"}]}",
		      0),
	    0);
	assert_string_equal(s.spec.branch, "a?[2J b");
	assert_null(s.spec.repository_name);
	o = cJSON_GetArrayItem(cJSON_GetObjectItem(s.json, "x"), 0);
	assert_string_equal(json_str(o, "y"), "?c");
}

TEST(session_json__nonsense_is_refused)
{
	static const char *const texts[] = {
	    "{}",
	    "{\"id\":\"../"
	    "x\",\"name\":\"fix\",\"phase\":\"running\",\"activity\":\"idle\"}",
	    "{\"id\":\"" ID
	    "\",\"name\":\"a b\",\"phase\":\"running\",\"activity\":\"idle\"}",
	    "{\"id\":\"" ID
	    "\",\"name\":\"$(x)\",\"phase\":\"running\",\"activity\":\"idle\"}",
	    "{\"id\":\"" ID "\",\"phase\":\"running\",\"activity\":\"idle\"}",
	    "{\"id\":\"" ID
	    "\",\"name\":\"fix\",\"phase\":\"x\",\"activity\":\"idle\"}",
	    "{\"id\":[],\"name\":{},\"phase\":7}",
	};
	struct session s;

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		assert_int_equal(read_text(&s, texts[i], 0), -1);
}
