/* test_config_ini.c - what the reader takes, joins and refuses. */
#include "base/buf.h"
#include "base/mem.h"
#include "config/ini.h"
#include "support_unit.h"

static struct err err;

/* "section.key@line=value|" of each entry, a newline shown as '/'. */
static int note(void *ctx, const struct ini_entry *e, struct err *why)
{
	struct buf *out = ctx;

	if (strcmp(e->key, "bad") == 0)
		return err_set(why, ERR_FAILED, "no good");
	buf_addf(out, "%s.%s@%d=%s|", e->section, e->key, e->line, e->value);
	for (char *s = out->data; (s = strchr(s, '\n'));)
		*s = '/';
	return 0;
}

static void reads_n(const char *text, size_t len, const char *want)
{
	struct buf out = {0};

	buf_adds(&out, "");
	if (ini_parse_text("f.ini", text, len, note, &out, &err) < 0)
		fail_msg("%s", err.what);
	assert_string_equal(out.data ? out.data : "", want);
	buf_finish(&out);
}

static void reads(const char *text, const char *want)
{
	reads_n(text, strlen(text), want);
}

static void refuses_n(const char *text, size_t len, const char *want)
{
	struct buf out = {0};

	memset(&err, 0, sizeof err);
	assert_int_equal(ini_parse_text("f.ini", text, len, note, &out, &err),
			 -1);
	buf_finish(&out);
	assert_int_equal(err.kind, ERR_FAILED);
	if (strncmp(err.what, want, strlen(want)) != 0)
		fail_msg("'%s' does not begin with '%s'", err.what, want);
}

static void refuses(const char *text, const char *want)
{
	refuses_n(text, strlen(text), want);
}

TEST(ini__reads_sections_keys_and_comments)
{
	reads("", "");
	reads("\n\n# a\n  ; b\n", "");
	reads("a=1", ".a@1=1|");
	reads("a = 1 \r\nb : 2\r\n", ".a@1=1|.b@2=2|");
	reads("\xef\xbb\xbf"
	      "a = 1\n[s]\nb = c = d ; e\n[t] # x\nc =\n",
	      ".a@1=1|s.b@3=c = d|t.c@5=|");
	reads("a = x;y # z\n", ".a@1=x;y # z|");
	reads("a = 1\na = 2\n", ".a@1=1|.a@2=2|");
}

TEST(ini__joins_indented_lines)
{
	reads("a = 1\n  2 ; c\n\t3\nb = 4\n", ".a@1=1/2/3|.b@4=4|");
	reads("a =\n  1\n\n # c\n  b = 2\n", ".a@1=1/b = 2|");
	reads("a = 1\n  [x]\n", ".a@1=1/[x]|");
	/* After a section's heading there is no value to continue. */
	reads("[s]\n  a = 1\n  b = 2\n", "s.a@2=1/b = 2|");
	reads("a = 1\n[s]\n  a = 2\n", ".a@1=1|s.a@3=2|");
}

TEST(ini__refuses_long_lines)
{
	char text[512];

	memset(text, 'x', sizeof text);
	memcpy(text, "\na = ", 5);
	refuses_n(text, 300, "f.ini:2: the line is too long (299 bytes");
	text[1 + INI_LINE_MAX] = '\n';
	{
		struct buf out = {0};

		assert_int_equal(ini_parse_text("f.ini", text, 2 + INI_LINE_MAX,
						note, &out, &err),
				 0);
		assert_int_equal(strlen(strchr(out.data, '=')),
				 INI_LINE_MAX - 4 + 2);
		buf_finish(&out);
	}
	text[1 + INI_LINE_MAX] = 'x';
	text[2 + INI_LINE_MAX] = '\n';
	refuses_n(text, 3 + INI_LINE_MAX, "f.ini:2: the line is too long");
	assert_non_null(strstr(err.hint, "indented"));
	/* A comment that inih would take apart as well. */
	memset(text, '#', sizeof text);
	refuses_n(text, sizeof text, "f.ini:1: the line is too long (512");
}

TEST(ini__refuses_what_is_not_text)
{
	refuses_n("a = 1\nb\0 = 2\n", 13,
		  "f.ini:2: a control character (U+0000");
	refuses("a = \033[1m\n", "f.ini:1: a control character (U+001B");
	refuses("a = \xc2\x9b\n", "f.ini:1: a control character (U+009B");
	refuses("a = 1\r2\n", "f.ini:1: a control character (U+000D");
	refuses("\na = \xff\n", "f.ini:2: byte 5 is not UTF-8");
	refuses("a = \xed\xa0\x80\n", "f.ini:1: byte 5 is not UTF-8");
	reads("a = \xe2\x9c\xb3\tx\n", ".a@1=\xe2\x9c\xb3\tx|");
}

TEST(ini__refuses_other_lines)
{
	refuses("a = 1\nnonsense\nb = 2\n", "f.ini:2: neither");
	refuses("[s\na = 1\n", "f.ini:1: neither");
	refuses("[s] a = 1\n", "f.ini:1: a section's name must be alone");
	refuses("= 1\n", "f.ini:1: a value without a key");
	refuses("\nbad = 1\nworse\n", "f.ini:");
	refuses("bad = 1\n", "f.ini:1: no good");
	refuses("a = 1\nbad = 1\n  2\nb = 2\n", "f.ini:2: no good");
	refuses("[aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeff]\nx=1\n",
		"f.ini:2: the name 'aaaaaaaaaabbbbbbbbbb...' is too long");
	refuses("aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeff = 1\n",
		"f.ini:1: the name 'aaaaaaaaaabbbbbbbbbb...' is too long");
}

TEST(ini__shortens_a_long_name_not_the_line)
{
	char name[1000], place[INI_PLACE_SIZE];

	memset(name, 'd', sizeof name);
	memcpy(name + sizeof name - 7, "/x.ini", 7);
	ini_format_place(place, name, 2147483647);
	assert_non_null(strstr(place, "/x.ini:2147483647"));
	assert_int_equal(strncmp(place, "...d", 4), 0);
}
