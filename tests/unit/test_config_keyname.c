/* test_config_keyname.c - keys by name and the bytes that they send. */
#include <stdbool.h>

#include "base/mem.h"
#include "base/keyname.h"
#include "support_unit.h"

static struct err err;

static bool has_n(const char *name, const char *bytes, size_t len)
{
	struct keyname k;

	if (keyname_parse(name, &k, &err) < 0)
		fail_msg("%s", err.what);
	for (size_t i = 0; i < k.n; i++)
		if (k.forms[i].len == len &&
		    memcmp(k.forms[i].bytes, bytes, len) == 0)
			return true;
	return false;
}

static void sends(const char *name, const char *bytes)
{
	if (!has_n(name, bytes, strlen(bytes)))
		fail_msg("%s does not send '%s'", name, bytes + 1);
}

static void plain(const char *name, const char *bytes, size_t len)
{
	struct keyname k;

	assert_int_equal(keyname_parse(name, &k, &err), 0);
	assert_true(k.legacy > 0);
	assert_int_equal(k.forms[0].len, len);
	assert_memory_equal(k.forms[0].bytes, bytes, len);
}

TEST(keyname__plain_forms)
{
	plain("C-\\", "\034", 1);
	plain("^\\", "\034", 1);
	plain("C-a", "\001", 1);
	plain("c-A", "\001", 1);
	plain("C-Space", "\0", 1);
	plain("C-@", "\0", 1);
	plain("C-]", "\035", 1);
	plain("C-^", "\036", 1);
	plain("C-_", "\037", 1);
	plain("C-/", "\037", 1);
	plain("M-x", "\033x", 2);
	plain("A-x", "\033x", 2);
	plain("M-C-a", "\033\001", 2);
	plain("M-S-x", "\033X", 2);
	plain("Escape", "\033", 1);
	plain("enter", "\r", 1);
	plain("BSpace", "\177", 1);
	plain("S-Tab", "\033[Z", 3);
	plain("Up", "\033OA", 3);
	plain("C-Up", "\033[1;5A", 6);
	plain("F1", "\033OP", 3);
	plain("F12", "\033[24~", 5);
	plain("M-F12", "\033[24;3~", 7);
	plain("PageUp", "\033[5~", 4);
}

TEST(keyname__modify_other_keys_and_kitty)
{
	sends("C-\\", "\033[27;5;92~");
	sends("C-\\", "\033[92;5u");
	assert_false(has_n("C-\\", "\033[92u", 5));
	sends("C-Space", "\033[32;5u");
	sends("C-a", "\033[97;5u");
	sends("M-X", "\033[120;4u");
	sends("C-^", "\033[54;6u");
	sends("C-_", "\033[45;6u");
	sends("C-Enter", "\033[13;5u");
	sends("C-F3", "\033[13;5~");
	sends("\xc3\xa9", "\xc3\xa9");
	sends("C-\xc3\xa9", "\033[233;5u");
}

TEST(keyname__unknown_keys_are_refused)
{
	static const char *const bad[] = {
	    "",	    "C-",	    "C-M-", "ab",	"F13",
	    "F0",   "Esscape",	    "\xff", "\xc2\x80", "\033",
	    "C-ab", "\xe2\x80\xae", "a b",
	};
	struct keyname k;

	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		if (keyname_parse(bad[i], &k, &err) == 0)
			fail_msg("'%s' (%zu) was taken", bad[i], i);
	assert_int_equal(keyname_parse("C-Escpae", &k, &err), -1);
	assert_non_null(strstr(err.what, "did you mean 'C-Escape'"));
}

TEST(keyname_detach__leaves_typing_alone)
{
	static const char *const good[] = {"C-\\", "C-a", "C-Space", "M-x",
					   "F12",  "C-q", "C-Up",    "C-S-a"};
	static const char *const bad[] = {"a",	 "Space",  "Enter", "C-m",
					  "C-i", "C-[",	   "C-?",   "C-j",
					  "Tab", "Escape", "S-a",   "S-Tab"};
	struct keyname k;

	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
		if (keyname_parse_detach(good[i], &k, &err) < 0)
			fail_msg("%s: %s", good[i], err.what);
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		if (keyname_parse_detach(bad[i], &k, &err) == 0)
			fail_msg("'%s' was taken", bad[i]);
}

TEST(keyname__forms_travel_as_text)
{
	struct strv hex = {0};
	struct keyname k;

	assert_int_equal(keyname_parse("C-Space", &k, &err), 0);
	keyname_hex(&k, &hex);
	assert_int_equal(hex.n, k.n);
	assert_string_equal(hex.v[0], "00");
	strv_finish(&hex);
}
