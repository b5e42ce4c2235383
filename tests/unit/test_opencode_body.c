/* test_opencode_body.c - JSON with what is no character in it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/json.h"
#include "base/mem.h"
#include "opencode/body.h"

#define FFFD "\xef\xbf\xbd"

/* A string, as it is escaped, is read as text. */
static void reads(const char *escaped, const char *text)
{
	char *json = mem_printf("{\"a\":\"%s\"}", escaped);
	cJSON *o = body_object(json, strlen(json));

	assert_non_null(o);
	assert_string_equal(json_str(o, "a"), text);
	cJSON_Delete(o);
	free(json);
}

static void test_body__what_is_no_character_is_replaced(void **state)
{
	(void)state;
	reads("a\\u0000b", "a" FFFD "b");
	reads("\\ud83d", FFFD);
	reads("\\uDE00x", FFFD "x");
	reads("\\ud83d\\ud83d\\ude00", FFFD "\xf0\x9f\x98\x80");
	reads("\\ud83d\\u0041", FFFD "A");
	reads("\\ud83d\\n\\ude00", FFFD "\n" FFFD);
}

static void test_body__what_is_one_stays(void **state)
{
	(void)state;
	reads("\\ud83d\\ude00", "\xf0\x9f\x98\x80");
	reads("\\\\u0000", "\\u0000");
	reads("\\\\\\u00e4\\\"", "\\\xc3\xa4\"");
	reads("", "");
}

static void test_body__what_is_cut_off_is_refused(void **state)
{
	static const char text[] = "{\"a\":\"\\ud83d\\ude00\"}";

	(void)state;
	for (size_t i = 0; i < sizeof text - 1; i++) {
		/* Its own piece of memory: nothing behind it is read. */
		char *part = mem_strndup(text, i);

		assert_null(body_object(part, i));
		free(part);
	}
	assert_null(body_object("[]", 2));
	assert_null(body_object("{\"a\":\"\\uzzzz\"}", 14));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_body__what_is_no_character_is_replaced),
	    cmocka_unit_test(test_body__what_is_one_stays),
	    cmocka_unit_test(test_body__what_is_cut_off_is_refused),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
