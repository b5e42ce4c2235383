/* test_base_json.c - strict reading of JSON objects. */
#include "base/json.h"
#include "support_unit.h"

static cJSON *parse(const char *text)
{
	struct err err = {0};
	cJSON *o = json_parse_object(text, strlen(text), &err);

	if (!o)
		assert_true(err.kind == ERR_FAILED && err.what[0]);
	return o;
}

TEST(json__takes_objects)
{
	static const char *const good[] = {
	    "{}", " {\"a\":1}\n", "{\"a\":{\"b\":[1,2,{\"c\":null}]}}\r\n\t ",
	    "{\"a\":\"\\\\u0000\"}", "{\"a\":\"\xc3\xa9\\u00e9\"}"};

	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
		cJSON *o = parse(good[i]);

		assert_non_null(o);
		cJSON_Delete(o);
	}
}

TEST(json__refuses_what_is_no_single_object)
{
	static const char *const bad[] = {"",
					  " ",
					  "[]",
					  "1",
					  "null",
					  "\"x\"",
					  "{",
					  "{\"a\":1",
					  "{\"a\":1}x",
					  "{} {}",
					  "{\"a\":1,}",
					  "{\"a\":1,\"a\":2}",
					  "{\"x\":[{\"a\":1,\"b\":2,\"a\":3}]}",
					  "{\"a\":\"\xff\"}",
					  "{\"a\\u0000b\":1}",
					  "{\"a\":\"x\\u0000y\"}",
					  "{\"a\":\"x\\uzzzzy\"}",
					  "{\"a\":\"x\\u00\"}",
					  "{\"a\\u00g0\":1}",
					  "{\"a\":\"\\ud800\"}"};
	struct err err;

	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		assert_null(parse(bad[i]));
	assert_null(json_parse_object(NULL, 0, &err));
	assert_null(json_parse_object("{}\0", 3, &err));
	/* len is used, not a terminator */
	assert_null(json_parse_object("{\"a\":1}", 5, &err));
}

TEST(json__limits_depth_and_members)
{
	struct buf b = {0};
	cJSON *o;

	for (int depth = 30; depth <= 40; depth += 10) {
		buf_clear(&b);
		buf_adds(&b, "{\"a\":");
		for (int i = 0; i < depth; i++)
			buf_addc(&b, '[');
		for (int i = 0; i < depth; i++)
			buf_addc(&b, ']');
		buf_addc(&b, '}');
		o = parse(b.data);
		assert_true(!!o == (depth == 30));
		cJSON_Delete(o);
	}
	buf_clear(&b);
	buf_addc(&b, '{');
	for (int i = 0; i < 5000; i++)
		buf_addf(&b, "%s\"k%d\":1", i ? "," : "", i);
	buf_addc(&b, '}');
	assert_null(parse(b.data));
	buf_finish(&b);
}

TEST(json__reads_members_or_the_default)
{
	cJSON *o = parse("{\"s\":\"x\",\"n\":42,\"big\":1e300,\"t\":true,"
			 "\"l\":[\"a\",1,\"b\"],\"minus\":-7}");
	struct strv sv = {0};

	assert_string_equal(json_str(o, "s"), "x");
	assert_null(json_str(o, "n"));
	assert_null(json_str(o, "absent"));
	assert_string_equal(json_str_or(o, "n", "other"), "other");
	assert_int_equal(json_int(o, "n", -1), 42);
	assert_int_equal(json_int(o, "minus", -1), -7);
	assert_int_equal(json_int(o, "s", -1), -1);
	assert_int_equal(json_int(o, "big", -1), -1);
	assert_true(json_bool(o, "t", false));
	assert_true(json_bool(o, "s", true));
	json_strv(o, "l", &sv);
	assert_int_equal(sv.n, 2);
	assert_string_equal(sv.v[1], "b");
	assert_null(sv.v[2]);
	strv_finish(&sv);
	json_strv(o, "absent", &sv);
	assert_int_equal(sv.n, 0);
	cJSON_Delete(o);
}

TEST(json__writes_what_it_reads)
{
	cJSON *o = cJSON_CreateObject(), *back;
	struct strv sv = {0};
	struct buf out = {0};

	strv_add(&sv, "one");
	strv_add(&sv, "bad\xff");
	json_set_str(o, "s", "line\n\"q\" \xc3\xa9");
	json_set_str(o, "bad", "\xff.\xfe!");
	json_set_str(o, "none", NULL);
	json_set_int(o, "t", 1795253702123);
	json_set_int(o, "max", 9007199254740992);
	json_set_bool(o, "b", false);
	json_set_bool(o, "b", true);
	json_set_strv(o, "l", &sv);
	json_set_str(json_set_object(o, "o"), "k", "v");
	json_print(o, &out);
	assert_null(strchr(out.data, '\n'));
	back = parse(out.data);
	assert_non_null(back);
	assert_string_equal(json_str(back, "s"), "line\n\"q\" \xc3\xa9");
	assert_string_equal(json_str(back, "bad"), "?.?!");
	assert_null(cJSON_GetObjectItem(back, "none"));
	assert_true(json_int(back, "t", 0) == 1795253702123);
	assert_true(json_int(back, "max", 0) == 9007199254740992);
	assert_true(json_bool(back, "b", false));
	assert_string_equal(json_str(cJSON_GetObjectItem(back, "o"), "k"), "v");
	cJSON_Delete(back);
	cJSON_Delete(o);
	strv_finish(&sv);
	buf_finish(&out);
}

TEST(json__u64_is_exact_text)
{
	cJSON *o = cJSON_CreateObject(), *back;
	struct buf out = {0};

	/* inode numbers of some file systems use all 64 bits */
	json_set_u64(o, "most", UINT64_MAX);
	json_set_u64(o, "none", 0);
	json_set_int(o, "small", 4711);
	json_set_str(o, "minus", "-1");
	json_set_str(o, "plus", "+1");
	json_set_str(o, "more", "18446744073709551616");
	json_set_str(o, "tail", "12x");
	json_set_str(o, "empty", "");
	json_set_text(o, "text", "t");
	json_set_text(o, "null", NULL);
	json_print(o, &out);
	back = parse(out.data);
	assert_true(json_u64(back, "most", 1) == UINT64_MAX);
	assert_true(json_u64(back, "none", 1) == 0);
	assert_true(json_u64(back, "small", 1) == 4711);
	assert_true(json_u64(back, "minus", 1) == 1);
	assert_true(json_u64(back, "plus", 2) == 2);
	assert_true(json_u64(back, "more", 1) == 1);
	assert_true(json_u64(back, "tail", 1) == 1);
	assert_true(json_u64(back, "empty", 1) == 1);
	assert_true(json_u64(back, "absent", 3) == 3);
	assert_string_equal(json_str(back, "text"), "t");
	assert_true(cJSON_IsNull(cJSON_GetObjectItem(back, "null")));
	cJSON_Delete(back);
	cJSON_Delete(o);
	buf_finish(&out);
}

TEST(json__print_escapes_what_terminals_obey)
{
	cJSON *o = cJSON_CreateObject();
	struct buf out = {0};

	json_set_str(o, "a",
		     "x\x7f\xc2\x9b\xe2\x80\xae\xc3\xa9\xf3\xa0\x81\x81y");
	json_print(o, &out);
	assert_string_equal(out.data, "{\"a\":\"x\\u007f\\u009b\\u202e\xc3\xa9"
				      "\\udb40\\udc41y\"}");
	buf_finish(&out);
	cJSON_Delete(o);
}
