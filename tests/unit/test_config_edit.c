/* test_config_edit.c - one key changed in a file, and nothing else. */
#include "base/buf.h"
#include "base/mem.h"
#include "config/ini.h"
#include "config/ini_edit.h"
#include "support_unit.h"

static struct err err;

static void edit(const char *name, const char *value, const char *text,
		 const char *want)
{
	const char *dot = strrchr(name, '.');
	char *section = mem_strndup(name, dot ? (size_t)(dot - name) : 0);
	struct ini_change change = {
	    .section = section,
	    .key = dot ? dot + 1 : name,
	    .value = value,
	    .adds_up = strcmp(name, "copy") == 0,
	};
	struct buf out = {0};
	int rc = ini_edit("f", text, strlen(text), &change, &out, &err);

	if (want)
		assert_string_equal(rc < 0     ? err.what
				    : out.data ? out.data
					       : "",
				    want);
	else
		assert_int_equal(rc, -1);
	buf_finish(&out);
	free(section);
}

TEST(config_edit__set_replaces_the_last_line_that_counts)
{
	edit("a", "2", "a = 1\n", "a = 2\n");
	edit("a", "2", "a=1\nb=1\r\na  :  1 ; why\n# end",
	     "a=1\nb=1\r\na  :  2 ; why\n# end");
	edit("a", "2", "a = 1", "a = 2");
	edit("a", "2", "a =\n", "a = 2\n");
	edit("a", "2", "a = ; why\n", "a = 2 ; why\n");
	edit("a", "", "a = 1\n", "a = \n");
	edit("a", "x\ny", "a = 1\n  2\n# c\n  3\n\nb = 4\n",
	     "a = x\n\ty\n# c\n\nb = 4\n");
	edit("s.a", "2", "a = 1\n[s]\na = 1\n[t]\na = 1\n",
	     "a = 1\n[s]\na = 2\n[t]\na = 1\n");
	edit("copy", "z", "copy = x\nb = 1\ncopy = y\n  w\n",
	     "b = 1\ncopy = z\n");
}

TEST(config_edit__set_adds_where_a_person_would)
{
	edit("a", "1", "", "a = 1\n");
	edit("a", "1", "b = 2", "b = 2\na = 1\n");
	edit("a", "1", "# top\n\nb = 2\n  3\n\n# s\n[s]\nc = 1\n",
	     "# top\n\nb = 2\n  3\na = 1\n\n# s\n[s]\nc = 1\n");
	edit("a", "1", "# top\n\n# s\n[s]\nc = 1\n",
	     "# top\n\na = 1\n\n# s\n[s]\nc = 1\n");
	edit("a", "1", "[s]\nc = 1\n", "a = 1\n\n[s]\nc = 1\n");
	edit("a", "1", "# help\n#a = 0\n\n#b = 0\n[s]\n#a = 3\n",
	     "# help\n#a = 0\na = 1\n\n#b = 0\n[s]\n#a = 3\n");
	edit("s.a", "1", "#a = 0\n[s]\n# help\n# a = 3\n[t]\n",
	     "#a = 0\n[s]\n# help\n# a = 3\na = 1\n[t]\n");
	edit("s.a", "1", "[s]\nb = 1\n\n[t]\nc = 1\n[s]\nd = 1\n",
	     "[s]\nb = 1\n\n[t]\nc = 1\n[s]\nd = 1\na = 1\n");
	edit("s.a", "1", "[s]\n[t]\n", "[s]\na = 1\n[t]\n");
	edit("x.y.a", "1", "b = 1", "b = 1\n\n[x.y]\na = 1\n");
	edit("a", "1", "b = 1\r\n", "b = 1\r\na = 1\r\n");
	/* A line in a value is not a heading, and not a comment on a key. */
	edit("s.a", "1", "b = x\n  [s]\n", "b = x\n  [s]\n\n[s]\na = 1\n");
}

TEST(config_edit__unset_takes_all_lines_and_no_comment)
{
	edit("a", NULL, "# one\na = 1\n  2\n\n  # in\n  3\nb = 2\na = 4",
	     "# one\n\n  # in\nb = 2\n");
	edit("s.a", NULL, "a = 1\n[s]\na = 2\n", "a = 1\n[s]\n");
	edit("a", NULL, "a = 1\n", "");
	edit("s.a", NULL, "a = 1\n", "f: nothing there sets 's.a'");
}

TEST(config_edit__refuses_what_would_be_read_otherwise)
{
	edit("a", "x ; y", "", NULL);
	assert_non_null(strstr(err.what, "would be read as 'x'"));
	edit("a", " x", "", NULL);
	edit("a", "x\n\ny", "", NULL);
	edit("a", "x\x01", "", NULL);
	edit("a", "1", "nonsense\n", NULL);
	assert_non_null(strstr(err.what, "f:1: "));
	/* An indented first key would become a part of the new value. */
	edit("a", "1", "#a = 0\n  b = 1\n", NULL);
	edit("a", "1", "  [s]\na = 1\n", NULL);
	assert_non_null(strstr(err.hint, "config edit"));
}

/* -- anything at all ------------------------------------------------------- */

static const char *changed; /* the section; its key is "a" */

/* Each entry except those of the key that is changed. */
static int add_others(void *ctx, const struct ini_entry *e, struct err *why)
{
	(void)why;
	if (strcmp(e->section, changed) != 0 || strcmp(e->key, "a") != 0)
		buf_addf(ctx, "%s|%s|%s\n", e->section, e->key, e->value);
	return 0;
}

static char *others(const struct buf *text)
{
	struct buf all = {0};

	assert_int_equal(ini_parse_text("f", text->data ? text->data : "",
					text->len, add_others, &all, &err),
			 0);
	return buf_steal(&all);
}

TEST(config_edit__leaves_all_else_alone)
{
	static const char *const parts[] = {
	    "a = 1\n",	     "a = 1 ; c\n", "b = 2\n",	 "[s]\n",
	    "[t]\n",	     "# c\n",	    "#a = 3\n",	 "\n",
	    "  more\n",	     "\t[s]\n",	    "a=\n",	 "  # in\n",
	    "[s] ; why\r\n", "c : d\r\n",   "; a = 2\n", "  a = 5\n",
	};
	unsigned int seed = 1, refused = 0;

	for (int round = 0; round < 20000; round++) {
		struct ini_change change = {
		    .section = changed = round % 5 ? "s" : "",
		    .key = "a",
		    .value = round % 3 ? "new" : NULL,
		    .adds_up = round % 2,
		};
		struct buf text = {0}, out = {0};
		char *before, *after;

		for (int i = 0; i < round % 9; i++)
			buf_adds(&text, parts[rand_r(&seed) % 16]);
		if (ini_parse_text("f", text.data ? text.data : "", text.len,
				   add_others, &out, &err) < 0)
			goto next;
		buf_clear(&out);
		if (ini_edit("f", text.data ? text.data : "", text.len, &change,
			     &out, &err) < 0) {
			refused += change.value != NULL;
			goto next;
		}
		before = others(&text);
		after = others(&out);
		if (strcmp(before ? before : "", after ? after : "") != 0)
			fail_msg("of <%s> came <%s>", text.data, out.data);
		free(before);
		free(after);
	next:
		buf_finish(&text);
		buf_finish(&out);
	}
	assert_true(refused < 400);
}
