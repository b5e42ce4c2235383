/* test_requests.c - the table of requests, what is read and written by it, and
 * afw-protocol(7), which lists the same. */
#include <ctype.h>
#include <fcntl.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/json.h"
#include "support_unit.h"
#include "wire/requests.h"

static struct err err;

static cJSON *parse(const char *text)
{
	cJSON *o = json_parse_object(text, strlen(text), &err);

	if (!o)
		fail_msg("%s: %s", text, err.what);
	return o;
}

/* -- reading and writing --------------------------------------------------- */

static void refused(const char *text, bool lines, const char *why)
{
	_json_ cJSON *o = parse(text);
	struct request rq;
	enum request_id id = request_find(json_str(o, "cmd"), lines);

	assert_int_equal(request_read(id, o, &rq, &err), -1);
	assert_int_equal(err.kind, ERR_USAGE);
	assert_string_equal(err.what, why);
	request_finish(&rq);
}

TEST(requests__mistakes_have_one_clear_error)
{
	refused("{\"cmd\":\"send\"}", false, "send needs \"text\"");
	refused("{\"cmd\":\"send\",\"text\":null}", false,
		"send needs \"text\"");
	refused("{\"cmd\":\"send\",\"text\":7}", false,
		"\"text\" of send is not a text");
	refused("{\"cmd\":\"send\",\"text\":\"x\",\"raw\":1}", false,
		"\"raw\" of send is not true or false");
	refused("{\"cmd\":\"send\",\"text\":\"x\",\"wait\":\"turns\"}", false,
		"\"wait\" of send is not one of its words: accepted, turn");
	refused("{\"cmd\":\"answer\",\"answer\":\"\"}", false,
		"\"answer\" of answer is not one of its words: approve, deny");
	refused("{\"cmd\":\"capture\",\"history\":-5}", false,
		"\"history\" of capture is not a number from 0 to 2147483647");
	refused("{\"cmd\":\"keys\",\"names\":[\"a\",1]}", false,
		"\"names\" of keys is not a list of texts");
	refused("{\"cmd\":\"start\",\"notify\":[]}", false,
		"\"notify\" of start is not an object");
	refused("{\"cmd\":\"start\",\"base\":\"\"}", true,
		"\"base\" of start is not a text, or is empty");
	refused("{\"cmd\":\"start\",\"env\":[\"A=1\",\"B\"]}", true,
		"\"env\" of start is not a list of texts, NAME=VALUE each");
	refused("{\"cmd\":\"exec\",\"id\":\"a\",\"argv\":[]}", true,
		"\"argv\" of exec is not a list of texts, or is empty");
	assert_int_equal(request_find("exec", false), REQUEST_NONE);
	assert_int_equal(request_find("keys", true), REQUEST_NONE);
	assert_int_equal(request_find("", false), REQUEST_NONE);
}

TEST(requests__members_of_a_newer_afw_are_ignored)
{
	_json_ cJSON *o = parse("{\"cmd\":\"stop\",\"seq\":4,\"newer\":[1]}");
	struct request rq;

	assert_int_equal(request_read(REQUEST_STOP, o, &rq, &err), 0);
	assert_int_equal(rq.seq, 4);
	assert_false(rq.stop.has_timeout_ms);
	request_finish(&rq);
}

TEST(requests__members_decide_who_may_send_it)
{
	static const struct {
		const char *text;
		bool user;
	} cases[] = {
	    {"{\"cmd\":\"send\",\"text\":\"\"}", false},
	    {"{\"cmd\":\"send\",\"text\":\"\",\"raw\":true}", true},
	    {"{\"cmd\":\"attach\"}", true},
	    {"{\"cmd\":\"attach\",\"read_only\":true}", false},
	    {"{\"cmd\":\"resize\",\"cols\":1,\"rows\":1}", false},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		_json_ cJSON *o = parse(cases[i].text);
		struct request rq;

		assert_int_equal(
		    request_read(request_find(json_str(o, "cmd"), false), o,
				 &rq, &err),
		    0);
		assert_int_equal(!!(rq.who & REQUEST_USER), cases[i].user);
		request_finish(&rq);
	}
}

TEST(requests__is_read_as_it_was_written)
{
	char *names[] = {(char[]){"Down"}, (char[]){"C-c"}};
	_json_ cJSON *notify = parse("{\"on\":[\"done\"]}"), *o = NULL;
	const struct request sent[] = {
	    {.id = REQUEST_SEND,
	     .seq = 3,
	     .send = {.text = "hello",
		      .raw = true,
		      .wait = "turn",
		      .has_timeout_ms = true,
		      .before = 12}},
	    {.id = REQUEST_KEYS, .keys.names = {.v = names, .n = 2}},
	    {.id = REQUEST_START, .start.notify = notify},
	    {.id = REQUEST_UNDONE, .undone.saved = INT64_C(1) << 40},
	};
	struct request rq[4];

	for (size_t i = 0; i < 4; i++) {
		cJSON_Delete(o);
		o = request_json(&sent[i]);
		assert_int_equal(request_read(sent[i].id, o, &rq[i], &err), 0);
		if (i == 0) {
			assert_int_equal(rq[0].seq, 3);
			assert_string_equal(rq[0].send.text, "hello");
			assert_string_equal(rq[0].send.wait, "turn");
			assert_true(rq[0].send.raw && !rq[0].send.now);
			assert_true(rq[0].send.has_timeout_ms);
			assert_int_equal(rq[0].send.timeout_ms, 0);
			assert_int_equal(rq[0].send.before, 12);
		} else if (i == 2) {
			assert_true(
			    cJSON_Compare(rq[2].start.notify, notify, true));
		}
	}
	assert_int_equal(rq[1].keys.names.n, 2);
	assert_string_equal(rq[1].keys.names.v[1], "C-c");
	assert_int_equal(rq[3].undone.to, 0);
	assert_int_equal(rq[3].undone.saved, INT64_C(1) << 40);
	for (size_t i = 0; i < 4; i++) {
		rq[i].json = NULL;
		request_finish(&rq[i]);
	}
}

TEST(requests__secrets_are_overwritten)
{
	_json_ cJSON *o =
	    parse("{\"cmd\":\"start\",\"env\":[\"A=hush\"],"
		  "\"service_env\":{\"db\":[\"B=hush\"]},\"resume\":7}");
	_buf_ struct buf left = {0};
	struct request rq;

	assert_int_equal(request_read(REQUEST_START, o, &rq, &err), -1);
	request_finish(&rq);
	json_print(o, &left);
	assert_null(strstr(left.data, "hush"));
}

/* -- the manual ------------------------------------------------------------ */

static bool has_word(const char *text, const char *word)
{
	size_t len = strlen(word);

	for (const char *at = text; (at = strstr(at, word)); at += len)
		if (!isalnum((unsigned char)at[-1]) && at[-1] != '_' &&
		    !isalnum((unsigned char)at[len]) && at[len] != '_')
			return true;
	return false;
}

/* Returns the text from the first to before the second. */
static char *between(const char *text, const char *from, const char *to)
{
	const char *start = strstr(text, from);
	const char *end = start ? strstr(start + strlen(from), to) : NULL;

	if (!end)
		fail_msg("afw-protocol(7) has no '%s' to '%s'", from, to);
	return mem_strndup(start + 1, (size_t)(end - start - 1));
}

static bool has_member(enum request_id id, const char *name)
{
	const struct member *m = request_members(id);

	while (m->name && strcmp(m->name, name) != 0)
		m++;
	return m->name != NULL;
}

/* An item begins with the names of its members, as "cols, rows (…), data". */
static void check_first_words(enum request_id id, const char *at)
{
	char name[64];
	int n, depth;

	while (sscanf(at, " %60[a-z_]%n", name, &n) == 1) {
		at += n;
		at += strspn(at, " \n");
		if (!has_member(id, name) &&
		    (strchr(",.:(;", *at) || strncmp(at, "and ", 4) == 0))
			fail_msg("afw-protocol(7): %s has no %s",
				 request_name(id), name);
		for (depth = 0; *at && (depth || *at == '('); at++)
			depth += *at == '(' ? 1 : *at == ')' ? -1 : 0;
		if (strncmp(at, "and ", 4) == 0)
			at += 4;
		else if (*at++ != ',')
			return;
	}
}

static void check_item(const char *list, enum request_id id)
{
	_free_ char *title = mem_printf("\n.It Cm %s\n", request_name(id));
	_free_ char *item = between(list, title, "\n.It ");

	for (const struct member *m = request_members(id); m->name; m++)
		if (!has_word(item, m->name))
			fail_msg("afw-protocol(7): %s lacks %s",
				 request_name(id), m->name);
	check_first_words(id, item + strlen(title) - 1);
}

TEST(requests__man_page_has_the_same)
{
	_buf_ struct buf page = {0};
	_free_ char *list = NULL, *lines = NULL, *refuses = NULL,
		    *requests = NULL;
	size_t items = 0, rows = 0;

	if (file_read(AT_FDCWD, "man/afw-protocol.7", 1 << 20, &page, &err) < 0)
		fail_msg("%s (run from the top of the source)", err.what);
	requests = between(page.data, "\n.Ss Requests and replies\n",
			   "\n.El\n.Ss Events");
	list = mem_printf("%s\n.It ", requests);
	lines =
	    between(page.data, "\n.Ss Without a terminal\n", "\n.Sh EXAMPLES");
	refuses = between(page.data, "are refused\n", "of other sessions");
	for (int id = REQUEST_NONE + 1; id < REQUEST_COUNT; id++) {
		bool stdio = request_who(id) & REQUEST_LINES;

		rows += !stdio;
		if (!stdio)
			check_item(list, id);
		for (const struct member *m = request_members(id);
		     stdio && m->name; m++)
			if (!has_word(lines, m->name))
				fail_msg("afw-protocol(7): --stdio %s lacks %s",
					 request_name(id), m->name);
		if (request_who(id) & (REQUEST_USER | REQUEST_PARENT) &&
		    !has_word(refuses, request_name(id)))
			fail_msg("afw-protocol(7) does not refuse %s",
				 request_name(id));
	}
	for (const char *at = list; (at = strstr(at, "\n.It Cm ")); at++)
		items++;
	assert_int_equal(items, rows);
}
