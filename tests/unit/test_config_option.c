/* test_config_option.c - the table, its example and its man page. */
#include <fcntl.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/mem.h"
#include "config/config.h"
#include "config/ini.h"
#include "config/option.h"
#include "config/section.h"
#include "support_unit.h"

static struct err err;

static void slurp(const char *path, struct buf *out)
{
	if (file_read(AT_FDCWD, path, 1 << 20, out, &err) < 0)
		fail_msg("%s (run from the top of the source)", err.what);
}

TEST(option__table_is_whole)
{
	for (int i = 0; i < OPTION_COUNT; i++) {
		const struct option *o = &options[i];
		struct option_value v = {0};
		char *text;

		assert_non_null(o->name);
		assert_non_null(o->help);
		assert_int_equal(o->help[strlen(o->help) - 1], '.');
		assert_int_equal(option_find(o->name), i);
		assert_true((o->type == OPTION_CHOICE) == (o->choices != NULL));
		assert_int_equal(option_parse(o, o->value, &v, &err), 0);
		text = option_format(o, &v);
		assert_string_equal(text, o->value);
		free(text);
		option_value_finish(&v);
	}
}

TEST(option__decimals_are_kept_in_thousandths)
{
	static const struct {
		const char *text, *back;
		int64_t is; /* -1: refused */
	} cases[] = {
	    {"0.5", "0.5", 500},    {"2", "2", 2000},
	    {"2.50", "2.5", 2500},  {"0.05", "0.05", 50},
	    {"10.0", "10", 10000},  {"1024", "1024", 1024000},
	    {"1024.001", NULL, -1}, {"0.001", NULL, -1},
	    {"0", NULL, -1},	    {".5", NULL, -1},
	    {"1.", NULL, -1},	    {"1.2345", NULL, -1},
	    {"-1", NULL, -1},	    {"1e3", NULL, -1},
	    {"1 2", NULL, -1},	    {"", NULL, -1},
	    {"1.5.5", NULL, -1},    {"99999999999999999999", NULL, -1},
	};
	const struct option *o = &options[OPTION_SANDBOX_CPUS];

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct option_value v = {0};
		char *text;
		int rc = option_parse(o, cases[i].text, &v, &err);

		if ((cases[i].is < 0) != (rc < 0))
			fail_msg("'%s': %d", cases[i].text, rc);
		if (rc < 0)
			continue;
		assert_int_equal(v.number, cases[i].is);
		text = option_format(o, &v);
		assert_string_equal(text, cases[i].back);
		free(text);
	}
}

static int check_entry(void *ctx, const struct ini_entry *e, struct err *why)
{
	const char *name;
	const struct section_kind *kind = section_find(e->section, &name);
	const struct option *o = NULL;
	struct option_value v = {0};
	int id, rc;

	if (strncmp(e->section, "harness.", 8) == 0)
		return 0;
	if (kind) {
		o = section_key(kind, e->key, why);
	} else {
		id = section_find_option(e->section, e->key, why);
		o = id < 0 ? NULL : &options[id];
	}
	rc = o ? option_parse(o, e->value, &v, why) : -1;
	option_value_finish(&v);
	if (o && o->value)
		assert_string_equal(e->value, o->value);
	return rc;
}

/* With every "#key" made "key" the example is a configuration. */
TEST(option__example_is_taken_by_the_reader)
{
	struct buf file = {0}, live = {0};

	config_example(&file);
	for (const char *s = file.data; *s; s++)
		if (*s != '#' || (s > file.data && s[-1] != '\n') ||
		    s[1] == ' ' || s[1] == '\n')
			buf_addc(&live, *s);
	if (ini_parse_text("example", live.data, live.len, check_entry, NULL,
			   &err) < 0)
		fail_msg("%s", err.what);
	buf_finish(&file);
	buf_finish(&live);
}

static void check_item(const char *page, const char *name)
{
	const char *dot = strchr(name, '.');
	struct buf item = {0};

	buf_addf(&item, ".It Ic %s =", dot ? dot + 1 : name);
	if (!page || !strstr(page, item.data))
		fail_msg("afw.ini(5) lacks: %s", item.data);
	buf_finish(&item);
}

TEST(option__man_page_has_all)
{
	struct buf page = {0};

	slurp("man/afw.ini.5", &page);
	/* The options of [keys] are in afw-dashboard(1). */
	for (int i = 0; i < OPTION_COUNT; i++)
		if (strncmp(options[i].name, "keys.", 5) != 0)
			check_item(page.data, options[i].name);
	assert_non_null(strstr(page.data, ".Ss [keys]\n"));
	for (const struct section_kind *k = section_kinds; k->name; k++) {
		char *title = mem_printf(".Ss [%s.NAME]", k->name);

		for (const struct option *key = k->keys; key && key->name;
		     key++)
			check_item(strstr(page.data, title), key->name);
		free(title);
	}
	buf_finish(&page);
}

TEST(option__numbers_have_units)
{
	const struct option *size = &options[OPTION_SANDBOX_MEMORY];
	const struct option *time = &options[OPTION_CHECK_TIMEOUT];
	struct option_value v = {0};
	char *text;

	assert_int_equal(option_parse(size, "65536k", &v, &err), 0);
	assert_int_equal(v.number, 64 << 20);
	assert_int_equal(option_parse(size, "1GiB", &v, &err), 0);
	assert_int_equal(v.number, 1 << 30);
	assert_int_equal(option_parse(size, "100000000", &v, &err), 0);
	text = option_format(size, &v);
	assert_string_equal(text, "100000000");
	free(text);
	assert_int_equal(option_parse(size, "1 M", &v, &err), -1);
	assert_int_equal(option_parse(size, "", &v, &err), -1);
	assert_int_equal(option_parse(size, "1MM", &v, &err), -1);
	assert_int_equal(v.number, 100000000);
	assert_int_equal(option_parse(time, "90", &v, &err), 0);
	text = option_format(time, &v);
	assert_string_equal(text, "90s");
	free(text);
	option_value_finish(&v);
}

TEST(option__a_list_takes_no_comment)
{
	const struct option *copy = &options[OPTION_COPY];
	struct option_value v = {0};

	assert_int_equal(option_parse(copy, ".env 'a b' '#c' d#e", &v, &err),
			 0);
	assert_int_equal(v.list.n, 4);
	assert_int_equal(option_parse(copy, "x # y", &v, &err), -1);
	assert_non_null(strstr(err.what, "its own line"));
	assert_int_equal(option_parse(copy, "# y", &v, &err), -1);
	assert_int_equal(option_parse(copy, "x 'y", &v, &err), -1);
	assert_non_null(strstr(err.what, "left open"));
	assert_int_equal(v.list.n, 4);
	option_value_finish(&v);
}
